// browser-safe
// The fields of filters. What search knows too is search's own entry: the same values, the same words.
import { type FilterValue, filterNamed } from '../search/filters.ts';
import type { FilterLanguage, ValueMatch } from './language.ts';
import type { FilterField, NumberField, ValueField } from './types.ts';

/** Where a field's values come from: the transcript, the projection under the policy, or uses under the policy. */
export type FieldSource = 'transcript' | 'projection' | 'uses';

interface FieldBase {
  readonly name: FilterField;
  readonly help: string;
  readonly source: FieldSource;
  readonly example: string;
}

export type FieldInfo = FieldBase &
  (
    | {
        readonly type: 'value';
        readonly name: ValueField;
        readonly match: ValueMatch;
        /** All values there are; null where the transcript or the policy decides. */
        readonly values: readonly FilterValue[] | null;
      }
    | { readonly type: 'number'; readonly name: NumberField; readonly unit: string }
    | { readonly type: 'time'; readonly name: 'after' | 'before'; readonly values: readonly FilterValue[] }
  );

const value = (name: string, help: string): FilterValue => ({ value: name, help });
const ofSearch = (name: string): readonly FilterValue[] => filterNamed(name)?.values ?? [];

const KINDS = [
  value('text', 'what somebody says'),
  value('thinking', 'readable reasoning'),
  value('call', 'a tool call'),
  value('result', 'a tool result'),
  value('image', 'an image'),
  value('file', 'a file'),
  value('opaque', 'reasoning nobody can read'),
  value('other', 'anything else'),
];

const FATES = [
  value('kept', 'sent as it was'),
  value('cleared', 'its content was cleared; also redacted'),
  value('rewritten', 'sent reworded'),
  value('dropped', 'left out'),
  value('summarised', 'a summary is sent in its place'),
  value('merged', 'sent within another message'),
  value('synthetic', 'no one wrote it: a stage put it there'),
  value('future', 'said after the call point'),
];

/** The kinds of use, as values of `use:` and as words that stand alone. */
const USES = [
  value('quote', 'says again what was said before'),
  value('anchor', 'names what was rarely named before'),
  value('reread', 'the same call again, with the same result'),
  value('repeated_failure', 'the same call fails again'),
  value('dangling', 'was led by a pointer to what was not sent'),
  value('rule', 'touches what a sentence forbids: a suspect'),
  value('gone', 'what it relied on was not in its request'),
];

/** All fields, in the order they are offered. */
export const FIELDS: readonly FieldInfo[] = [
  {
    ...{ name: 'fate', type: 'value', match: 'exact', source: 'projection', example: 'fate:summarised', values: FATES },
    help: 'what became of it in the request',
  },
  {
    ...{ name: 'in', type: 'value', match: 'exact', source: 'projection', example: 'in:request' },
    help: 'where it is',
    values: [
      value('request', 'in the request, in its own place or another'),
      value('elsewhere', 'in the request, within another message'),
    ],
  },
  {
    ...{ name: 'used', type: 'value', match: 'exact', source: 'uses', example: 'used:later' },
    help: 'whether later messages relied on it',
    values: [
      value('later', 'a later message relied on it'),
      value('gone', 'a later message relied on it, and its request did not hold it'),
      value('never', 'no use was found'),
    ],
  },
  {
    ...{ name: 'use', type: 'value', match: 'exact', source: 'uses', example: 'use:reread', values: USES },
    help: 'how it relied on what was said before',
  },
  {
    ...{ name: 'tool', type: 'value', match: 'name', source: 'transcript', example: 'tool:Bash', values: null },
    help: 'calls of a tool and their results',
  },
  {
    ...{ name: 'call', type: 'value', match: 'name', source: 'transcript', example: 'call:Read', values: null },
    help: 'calls of a tool',
  },
  {
    ...{ name: 'result', type: 'value', match: 'name', source: 'transcript', example: 'result:Read', values: null },
    help: 'results of a tool',
  },
  {
    ...{ name: 'kind', type: 'value', match: 'exact', source: 'transcript', example: 'kind:thinking', values: KINDS },
    help: 'what the row is',
  },
  {
    ...{ name: 'role', type: 'value', match: 'exact', source: 'transcript', example: 'role:user' },
    help: 'who the message is from',
    values: ofSearch('role'),
  },
  {
    ...{ name: 'is', type: 'value', match: 'exact', source: 'transcript', example: 'is:error' },
    help: 'a failed result, or what kind of message it is in',
    values: [...ofSearch('is'), value('signed', 'signed reasoning'), value('typed', 'typed here, in a what-if')],
  },
  {
    ...{ name: 'has', type: 'value', match: 'exact', source: 'transcript', example: 'has:image' },
    help: 'what its message holds',
    values: ofSearch('has'),
  },
  {
    ...{ name: 'tokens', type: 'number', source: 'transcript', example: 'tokens>2000', unit: 'tokens' },
    help: 'size of the row in the transcript, whatever the policy',
  },
  {
    ...{ name: 'chars', type: 'number', source: 'transcript', example: 'chars>10k', unit: 'characters' },
    help: 'length of its text',
  },
  {
    ...{ name: 'index', type: 'number', source: 'transcript', example: 'index>=120', unit: 'number of the message' },
    help: 'number of its message, from 0',
  },
  {
    ...{ name: 'turn', type: 'number', source: 'transcript', example: 'turn=3', unit: 'number of the turn' },
    help: 'turn it belongs to, from 1',
  },
  {
    ...{ name: 'uses', type: 'number', source: 'uses', example: 'uses>=2', unit: 'later messages' },
    help: 'how many later messages relied on it',
  },
  {
    ...{ name: 'stage', type: 'value', match: 'part', source: 'projection', example: 'stage:window', values: null },
    help: 'the stage that decided, by its kind or title',
  },
  {
    ...{ name: 'rule', type: 'value', match: 'name', source: 'projection', example: 'rule:pinned', values: null },
    help: 'the rule it was decided by',
  },
  {
    ...{ name: 'model', type: 'value', match: 'part', source: 'transcript', example: 'model:opus', values: null },
    help: 'a part of the recorded model’s name',
  },
  {
    ...{ name: 'after', type: 'time', source: 'transcript', example: 'after:7d', values: ofSearch('after') },
    help: 'recorded not before that moment',
  },
  {
    ...{ name: 'before', type: 'time', source: 'transcript', example: 'before:2026-01-05', values: ofSearch('before') },
    help: 'recorded before that moment',
  },
];

/** Other names of values, as code and files have them. */
const SAME_VALUES: Readonly<Record<string, string>> = {
  'fate:redacted': 'cleared',
  'kind:tool_call': 'call',
  'kind:tool_result': 'result',
};

/** Other names of fields. */
const SAME_FIELDS: Readonly<Record<string, FilterField>> = { outcome: 'fate' };

/** Words that ask for a kind of use where they stand alone; in quotes they are looked for as words. */
export const USE_WORDS: ReadonlySet<string> = new Set(['reread', 'repeated_failure']);

/** The field of that name in small letters; undefined if there is none. */
export function fieldNamed(name: string): FieldInfo | undefined {
  const real = Object.hasOwn(SAME_FIELDS, name) ? SAME_FIELDS[name] : name;
  return FIELDS.find((field) => field.name === real);
}

/** A value as filters have it, whatever other name it was given. */
export function realValue(field: FilterField, given: string): string {
  const key = `${field}:${given}`;
  return Object.hasOwn(SAME_VALUES, key) ? (SAME_VALUES[key] ?? given) : given;
}

/** The language of rows. */
export const ROW_LANGUAGE: FilterLanguage = {
  fields: FIELDS,
  fieldNamed,
  realValue,
  words({ text, quoted, star }) {
    const word = text.toLowerCase();
    return quoted || star || !USE_WORDS.has(word) ? null : { kind: 'value', field: 'use', value: word, prefix: false };
  },
  emptyIsAny: false,
};

/** The names of fields whose values are words. */
export const VALUE_FIELDS: readonly ValueField[] = FIELDS.flatMap((field) =>
  field.type === 'value' ? [field.name] : [],
);
