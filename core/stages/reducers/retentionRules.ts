// The options of tool-result retention: a default rule, a rule per tool that replaces it wholly, tools that are never
// touched. Source: seed of the reducer pipeline, "Tool-result retention".

import type { OptionReader } from '../../view/optionReader.ts';
import type { ParamSchema } from '../../view/types.ts';
import { everyTurns } from './every.ts';

/** How long results live: `age` in turns, `count` in later results of the same tool. */
export type RetentionMode = 'age' | 'count' | 'never';

/** A rule. `value` counts for `age` and `count`. */
export interface RetentionRule {
  readonly mode: RetentionMode;
  readonly value: number;
}

/** The parsed parameters. */
export interface RetentionParams {
  readonly rule: RetentionRule;
  readonly perTool: ReadonlyMap<string, RetentionRule>;
  readonly neverEvict: ReadonlySet<string>;
  /** 1 = at every request; K = only when the number of turns is a multiple of K. */
  readonly every: number;
}

const MODES: readonly RetentionMode[] = ['age', 'count', 'never'];
const DEFAULT_AGE = 6;

const MODE: ParamSchema = {
  name: 'mode',
  label: 'Expire by',
  aliases: ['default.mode'],
  type: 'choice',
  default: 'age',
  choices: [
    { value: 'age', help: 'A result expires a number of turns after it was given.' },
    { value: 'count', help: 'A result expires when a number of later results of the same tool are there.' },
    {
      value: 'never',
      aliases: ['never_evict'],
      help: 'Results never expire, except for tools with their own rule.',
    },
  ],
  relax: { values: ['age', 'count', 'never'] },
  help: 'What makes a result expire: its age in turns, or the number of later results of the same tool.',
};
const VALUE: ParamSchema = {
  name: 'value',
  label: 'Expire after',
  aliases: ['default.value'],
  type: 'integer',
  default: DEFAULT_AGE,
  min: 0,
  softMax: 40,
  unitBy: { param: 'mode', units: { age: 'turns', count: 'results' } },
  when: { param: 'mode', is: ['age', 'count'] },
  relax: { towards: 'more' },
  help: 'After how many later turns (age), or later results of the same tool (count), a result expires. Larger keeps more.',
};
const NEVER_DEFAULT: ParamSchema = {
  name: 'never',
  aliases: ['default.never_evict'],
  type: 'boolean',
  default: false,
  help: 'The same as mode never.',
};
const ROW_MODE: ParamSchema = { ...MODE, aliases: [], help: 'What makes a result of this tool expire.' };
const ROW_VALUE: ParamSchema = { ...VALUE, aliases: [], help: 'After how many turns, or later results of this tool.' };
const ROW_NEVER: ParamSchema = {
  name: 'never_evict',
  label: 'Tools that never expire',
  type: 'boolean',
  default: false,
  help: 'Results of this tool are durable facts: they never expire.',
};
const PER_TOOL: ParamSchema = {
  name: 'per_tool',
  label: 'Rules per tool',
  aliases: ['tools'],
  type: 'rules',
  default: {},
  offers: 'tools',
  fields: [ROW_MODE, ROW_VALUE],
  relax: { adds: 'row', like: ['mode', 'value'] },
  help: 'Rules for single tools. A tool’s own rule replaces the default wholly.',
};
const NEVER_EVICT: ParamSchema = {
  name: 'never_evict',
  label: 'Tools that never expire',
  type: 'list',
  default: [],
  offers: 'tools',
  relax: { adds: 'tools' },
  help: 'Tools whose results are durable facts: they never expire. Asked before any rule.',
};
const EVERY = everyTurns(
  'Act every N turns',
  'Act only when the number of turns is a multiple of this, and leave everything as it is in between. Larger = the provider’s cache is broken less often, and more old results stay meanwhile.',
);

/** For the panel, and for reading. */
export const RETENTION_PARAMS: readonly ParamSchema[] = [MODE, VALUE, PER_TOOL, NEVER_EVICT, EVERY];

/** Options that are read and have no control. */
export const RETENTION_FORMS: readonly ParamSchema[] = [NEVER_DEFAULT];

/** Reads the options; `default: {mode, value}` and `never_evict: true` in a tool's row are accepted too. */
export function readRetention(reader: OptionReader): RetentionParams {
  return {
    rule: reader.flag(NEVER_DEFAULT) ? { mode: 'never', value: 0 } : readRule(reader, MODE, VALUE),
    perTool: reader.rules(PER_TOOL, readRow, shortRow),
    neverEvict: new Set(reader.list(NEVER_EVICT)),
    every: reader.count(EVERY),
  };
}

function readRow(row: OptionReader): RetentionRule {
  const rule = readRule(row, ROW_MODE, ROW_VALUE);
  row.warnOfUnknown(new Set(['mode', 'value', 'never_evict']));
  return row.flag(ROW_NEVER) ? { mode: 'never', value: 0 } : rule;
}

function readRule(reader: OptionReader, mode: ParamSchema, value: ParamSchema): RetentionRule {
  return { mode: reader.choice(mode, MODES), value: reader.count(value) };
}

// `"per_tool": {"search": "never_evict"}`.
function shortRow(value: unknown): Readonly<Record<string, unknown>> | null {
  return value === 'never_evict' || value === 'never' ? { mode: 'never' } : null;
}
