// A mapping with its paths read, as the reader uses it.

import { type MappingPath, type PathStep, parsePath } from '../../../model/mapping/path.ts';
import type {
  CallsRule,
  Mapping,
  MessageRule,
  ResultsRule,
  RoleRule,
  UsageRule,
} from '../../../model/mapping/types.ts';
import { assert } from '../../../util/assert.ts';

/** Steps from where a rule stands. */
export type Steps = readonly PathStep[];

type Compiled<T> = { readonly [K in keyof T]: Steps };

/** A message rule, its paths as steps; absent where the mapping has none. */
export interface MessageSteps {
  readonly role: RoleRule;
  readonly rolePath: Steps | null;
  readonly text: Steps | null;
  readonly blocks: Steps | null;
  readonly reasoning: Steps | null;
  readonly calls: Compiled<CallsRule> | null;
  readonly results: Compiled<ResultsRule> | null;
  readonly time: Steps | null;
  readonly model: Steps | null;
  readonly usage: Compiled<UsageRule> | null;
  readonly id: Steps | null;
  readonly parent: Steps | null;
}

/** A mapping, its paths as steps. */
export interface MappingSteps {
  readonly at: Steps;
  /** Number of steps of `at` that lead to a transcript; null = the file is one. */
  readonly transcriptDepth: number | null;
  readonly transcriptAt: Steps;
  readonly transcriptId: Steps | null;
  readonly title: Steps | null;
  readonly by: Steps | null;
  readonly messages: readonly MessageSteps[];
}

/** Reads the paths of a mapping that `readMapping` gave: a path that is none is a bug there. */
export function compileMapping({ at, transcripts = {}, messages }: Mapping): MappingSteps {
  const transcriptAt = stepsOf(transcripts.at);
  return {
    at: stepsOf(at) ?? [],
    transcriptDepth: transcriptAt?.length ?? null,
    transcriptAt: transcriptAt ?? [],
    transcriptId: stepsOf(transcripts.id),
    title: stepsOf(transcripts.title),
    by: stepsOf(transcripts.by),
    messages: messages.map(compileRule),
  };
}

function compileRule(rule: MessageRule): MessageSteps {
  return {
    role: rule.role,
    rolePath: 'path' in rule.role ? stepsOf(rule.role.path) : null,
    text: stepsOf(rule.text),
    blocks: stepsOf(rule.blocks),
    reasoning: stepsOf(rule.reasoning),
    calls: rule.calls ? compileAll(rule.calls) : null,
    results: rule.results ? compileAll(rule.results) : null,
    time: stepsOf(rule.time),
    model: stepsOf(rule.model),
    usage: rule.usage ? compileAll(rule.usage) : null,
    id: stepsOf(rule.id),
    parent: stepsOf(rule.parent),
  };
}

function compileAll<T extends { readonly [K in keyof T]: string | undefined }>(rule: T): Compiled<T> {
  const compiled: Partial<{ [K in keyof T]: Steps }> = {};
  for (const key in rule) {
    const steps = stepsOf(rule[key]);
    if (steps !== null) compiled[key] = steps;
  }
  return compiled as Compiled<T>;
}

function stepsOf(path: string | undefined): Steps | null {
  if (path === undefined) return null;
  const read: { readonly ok: boolean; readonly value?: MappingPath } = parsePath(path);
  assert(read.value !== undefined, `a mapping with the path ${path} was not checked`);
  return read.value.steps;
}
