// The lint of a request as it was written: what types don't say (order, pairs, ids, empty content).
import { memorySource } from '../model/memorySource.ts';
import type { MessageFacts } from '../model/message.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { detectionOf, type Finding, lint, openDrafts, profileOf, type RuleContext } from '../stages/hygiene/index.ts';
import { createMemo } from '../view/memo.ts';
import { rawView } from '../view/reader.ts';
import { findingText, PROVIDER_OF, requestOf } from './requestOf.ts';
import { lintRequest } from './requestRules/index.ts';
import { TARGETS, type WireBody, type WireTarget } from './types.ts';

/** A finding in a request; `index` is the source message that the request's message came from. */
export type BodyFinding = Omit<Finding, 'repair'>;

// Names of tools as the providers' references give them; longer or other ones are refused.
const TOOL_NAMES: Readonly<Record<WireTarget, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  responses: /^[a-zA-Z0-9_-]{1,64}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
};

/** Messages read between two pauses. */
const STRIDE = 2000;

/**
 * What the provider would refuse of the request. `position` counts the messages (or items) of the body; findings of the
 * request as a whole have none, and come first. With the transcript that the body was written from, what must come back
 * as it was recorded is compared with it.
 */
export function lintBody(
  body: WireBody,
  sha256: (text: string) => string,
  recorded: TranscriptSource | null = null,
): readonly BodyFinding[] {
  const steps = lintSteps(body, sha256, recorded);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** As lintBody, in steps: others may be answered in between. */
export function* lintSteps(
  body: WireBody,
  sha256: (text: string) => string,
  recorded: TranscriptSource | null = null,
): Generator<void, readonly BodyFinding[], void> {
  const { wire, profile } = TARGETS[body.target];
  const source = memorySource(body.entries.map(({ message }) => message));
  const memo = createMemo();
  const messages = openDrafts(rawView(source, source.length, memo), source, memo);
  // Reading the messages is most of the work; drafts remember what they read.
  for (const [position, draft] of messages.entries()) {
    if (position % STRIDE === STRIDE - 1) yield;
    void draft.traits;
  }
  const { options: own } = profileOf(detectionOf(profile), true);
  const options = { ...own, route: { provider: '', modelApi: '', modelId: body.model } };
  const context: RuleContext = { options, sha256, resized: new Map() };
  const indexAt = (position: number): number | null => body.entries[position]?.index ?? null;
  const found = lint({ messages, wire, context }).map(({ code, severity, text, position }): BodyFinding => {
    return { code, severity, text, position, index: indexAt(position) };
  });
  const inMessages = [...found, ...messageFindings(body, messages)].sort((a, b) => a.position - b.position);
  return [...(yield* requestFindings(body, recorded)), ...inMessages];
}

/**
 * What only the body as it was written can show, and the lint of a view (lint.ts) does not: rules over the whole request,
 * names of tools, whose turn is last.
 */
export function* requestSteps(
  body: WireBody,
  recorded: TranscriptSource | null,
): Generator<void, readonly BodyFinding[], void> {
  const source = memorySource(body.entries.map(({ message }) => message));
  const messages: Pick<MessageFacts, 'role' | 'parts'>[] = [];
  for (let position = 0; position < source.length; position++) {
    if (position % STRIDE === STRIDE - 1) yield;
    messages.push(source.facts(position));
  }
  const inMessages = messageFindings(
    body,
    messages.map((facts) => ({ role: facts.role, facts })),
  );
  return [...(yield* requestFindings(body, recorded)), ...inMessages];
}

interface WrittenMessage {
  readonly role: string;
  readonly facts: Pick<MessageFacts, 'parts'>;
}

function messageFindings({ target, entries }: WireBody, messages: readonly WrittenMessage[]): readonly BodyFinding[] {
  const found: BodyFinding[] = [];
  const add = (position: number, code: string, severity: BodyFinding['severity'], text: string): void => {
    const index = entries[position]?.index ?? null;
    found.push({ code, severity, text: `${TARGETS[target].title}: ${text}`, position, index });
  };
  for (const [position, { facts }] of messages.entries()) {
    for (const { kind, name } of facts.parts) {
      if (kind !== 'tool_call' || typeof name !== 'string' || TOOL_NAMES[target].test(name)) continue;
      add(position, 'wire.tool_name', 'warning', `no tool may be named "${name}"`);
    }
  }
  const last = messages.length - 1;
  const isAnswer = messages[last]?.role === 'assistant';
  if (isAnswer && (target === 'anthropic' || target === 'gemini')) {
    const text = 'the last message is the model’s own: it continues it, or refuses to';
    add(last, 'wire.ends_with_answer', 'info', text);
  }
  return found;
}

function* requestFindings(
  body: WireBody,
  recorded: TranscriptSource | null,
): Generator<void, readonly BodyFinding[], void> {
  if (PROVIDER_OF[body.target] === null) return [];
  const values: unknown[] = [];
  for (const [position, { json }] of body.entries.entries()) {
    if (position % STRIDE === STRIDE - 1) yield;
    values.push(JSON.parse(json));
  }
  const request = requestOf(body, values, recorded);
  if (request === null) return [];
  return lintRequest(request).map((finding): BodyFinding => {
    const position = finding.message ?? finding.item ?? null;
    const index = position === null ? null : (body.entries[position]?.index ?? null);
    const text = `${TARGETS[body.target].title}: ${findingText(finding)}`;
    return { code: `wire.${finding.rule}`, severity: finding.severity, text, position: position ?? 0, index };
  });
}
