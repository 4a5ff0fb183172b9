// A mapping as a form holds it: texts that may be empty or wrong. Pure.

import type { MappedRole, Mapping, MessageRule } from '../../core/model/mapping/types.ts';

/** Fields of a message rule that are paths, as a fault names them. */
export const RULE_FIELDS = [
  'text',
  'blocks',
  'reasoning',
  'calls.at',
  'calls.id',
  'calls.name',
  'calls.arguments',
  'results.at',
  'results.callId',
  'results.name',
  'results.text',
  'results.error',
  'time',
  'model',
  'id',
  'parent',
  'usage.input',
  'usage.output',
  'usage.cacheRead',
  'usage.cacheWrite',
  'usage.reasoning',
  'usage.total',
] as const;

export type RuleField = (typeof RULE_FIELDS)[number];
export type TranscriptField = 'at' | 'id' | 'title' | 'by';

export interface RuleDraft {
  /** Set: every record gives a message of this role; else the role is read. */
  readonly constant: MappedRole | null;
  readonly rolePath: string;
  readonly values: Readonly<Record<string, MappedRole>>;
  readonly otherwise: MappedRole | null;
  readonly paths: Readonly<Partial<Record<RuleField, string>>>;
}

export interface MappingDraft {
  readonly name: string;
  readonly at: string;
  readonly transcripts: Readonly<Partial<Record<TranscriptField, string>>>;
  readonly rules: readonly RuleDraft[];
}

const NO_RULE: RuleDraft = { constant: null, rolePath: '', values: {}, otherwise: null, paths: {} };

/** What a form begins with where nothing could be guessed. */
export const EMPTY_DRAFT: MappingDraft = { name: '', at: '$[*]', transcripts: {}, rules: [NO_RULE] };

/** One more rule, for a second message out of the same record. */
export const ADDED_RULE: RuleDraft = { ...NO_RULE, constant: 'assistant' };

export function draftOf(mapping: Mapping): MappingDraft {
  const { name, at, transcripts = {}, messages } = mapping;
  return { name, at, transcripts, rules: messages.map(ruleDraftOf) };
}

function ruleDraftOf(rule: MessageRule): RuleDraft {
  const { role } = rule;
  const paths = Object.fromEntries(
    RULE_FIELDS.flatMap((field) => {
      const path = pathIn(rule, field);
      return path === undefined ? [] : [[field, path] as const];
    }),
  );
  if ('constant' in role) return { ...NO_RULE, constant: role.constant, paths };
  return { constant: null, rolePath: role.path, values: role.values ?? {}, otherwise: role.otherwise ?? null, paths };
}

function pathIn(rule: MessageRule, field: RuleField): string | undefined {
  const [group, name] = field.split('.');
  const value: unknown = Reflect.get(rule, group ?? '');
  if (name === undefined) return typeof value === 'string' ? value : undefined;
  const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof inner === 'string' ? inner : undefined;
}

/** The mapping's JSON, as far as the form has it: what is empty is left out. */
export function mappingJson({ name, at, transcripts, rules }: MappingDraft): Readonly<Record<string, unknown>> {
  const about = filled(transcripts);
  return {
    mapping: 1,
    name: name.trim(),
    ...(Object.keys(about).length > 0 ? { transcripts: about } : {}),
    at: at.trim(),
    messages: rules.map(ruleJson),
  };
}

function ruleJson({ constant, rolePath, values, otherwise, paths }: RuleDraft): Readonly<Record<string, unknown>> {
  const rule: Record<string, unknown> = {
    role:
      constant === null
        ? {
            ...filled({ path: rolePath }),
            ...(Object.keys(values).length > 0 ? { values } : {}),
            ...(otherwise === null ? {} : { otherwise }),
          }
        : { constant },
  };
  for (const field of RULE_FIELDS) {
    const path = paths[field]?.trim() ?? '';
    if (path === '') continue;
    const [group = '', name] = field.split('.');
    if (name === undefined) rule[group] = path;
    else rule[group] = { ...asObject(rule[group]), [name]: path };
  }
  return rule;
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function filled(texts: Readonly<Partial<Record<string, string>>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) =>
      text === undefined || text.trim() === '' ? [] : [[key, text.trim()] as const],
    ),
  );
}

/** The draft with one rule changed. */
export function withRule(draft: MappingDraft, at: number, change: Partial<RuleDraft>): MappingDraft {
  return { ...draft, rules: draft.rules.map((rule, i) => (i === at ? { ...rule, ...change } : rule)) };
}
