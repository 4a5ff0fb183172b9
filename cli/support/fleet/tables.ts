// The tables of a fleet: for each op one, whose rows are what an answer holds, and one of the tasks. docs/fleets.md shows them.
import { members } from '../../../core/util/json/index.ts';
import { isRecord } from '../../../core/util/unknown.ts';
import type { Op } from '../tasks.ts';

/** What a column holds. `json` = a text of JSON. */
export type ColumnType = 'text' | 'json' | 'whole' | 'number' | 'truth';

/** A value of a row; null = there is none. */
export type Cell = string | number | boolean | null;

/** A column: its name, its type, and the path of its value in a record of the answer. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly path: readonly string[];
}

/** What every table begins with. `task` = SHA-256 of the task's line. */
const OF_TASK = [column('task', 'text'), column('id', 'text'), column('path', 'text')];

/** Behind these in the table of an op: the number of the row within the answer, from 0. */
const ROW = column('row', 'whole');

/** The table of the tasks: all of them, those that failed too. */
export const TASKS: readonly Column[] = [
  ...OF_TASK,
  column('op', 'text'),
  column('exit', 'whole'),
  column('error_code', 'text'),
  column('error_message', 'text'),
  column('rows', 'whole'),
  column('notes', 'json'),
];

/** A column for each op's rows, behind those of the task. A path of its own where it is not the name in camel case. */
const COLUMNS: Readonly<Record<Op, readonly Column[]>> = {
  project: [
    column('at', 'whole'),
    column('policy', 'text'),
    column('prefix_hash', 'text', 'prefix_hash'),
    column('sent', 'truth', 'request.sent'),
    column('blocked', 'truth', 'provider_safety_blocked'),
    column('kept', 'whole', 'kept_count'),
    column('dropped', 'whole', 'dropped_count'),
    column('redacted', 'whole', 'redacted_count'),
    column('tokens', 'number', 'tokens.projected.total'),
    column('overhead', 'number', 'beside.total'),
    column('fates', 'json'),
    column('messages', 'json'),
  ],
  sweep: [
    column('at', 'whole'),
    column('turn', 'whole'),
    column('items', 'whole'),
    column('tokens', 'number', 'tokens.total'),
    column('overhead', 'number', 'beside.total'),
    column('provenance', 'text'),
    column('cost', 'number'),
    column('blocked', 'truth'),
    column('served_tokens', 'number', 'cache.servedTokens'),
    column('written_tokens', 'number', 'cache.writtenTokens'),
    column('again_tokens', 'number', 'cache.againTokens'),
    column('broken_by', 'text', 'cache.brokenBy.title'),
    column('recorded_input', 'number', 'recorded.input'),
    column('fates', 'json'),
  ],
  uses: [
    column('kind', 'text'),
    column('at', 'whole'),
    column('part', 'whole'),
    column('evidence', 'text'),
    column('outcome', 'text'),
    column('confidence', 'text'),
    ...lossColumns(),
    column('tokens', 'number'),
    column('cost', 'number'),
    column('sources', 'json'),
  ],
  tune: [
    column('settings', 'json', 'values'),
    column('cost', 'number'),
    column('unpriced', 'whole'),
    column('tokens_mean', 'number', 'tokens.mean'),
    column('tokens_p95', 'number', 'tokens.p95'),
    column('tokens_peak', 'number', 'tokens.peak'),
    column('provenance', 'text'),
    column('cache_breaks', 'whole'),
    column('uses', 'whole'),
    column('uses_gone', 'whole'),
    column('first_over', 'whole'),
    column('over', 'whole'),
    column('refused', 'whole'),
    column('front', 'truth'),
    column('spec', 'json'),
  ],
  autopsy: [
    column('compaction', 'whole', 'index'),
    column('at', 'whole'),
    column('recorded_at', 'whole'),
    column('stage', 'whole'),
    column('placeholder', 'truth'),
    column('opaque', 'truth'),
    column('incomplete', 'truth'),
    column('covered', 'whole', 'covered.messages'),
    column('rereads', 'whole', 'after.rereads'),
    column('reread_tokens', 'number', 'after.rereadTokens'),
    column('reread_cost', 'number', 'after.rereadCost'),
    column('forgotten', 'whole', 'after.forgotten'),
    column('repeated_failures', 'whole', 'after.repeatedFailures'),
    column('survival', 'json'),
  ],
  check: [
    column('transcript', 'text'),
    column('rule', 'text'),
    column('verdict', 'text'),
    column('found', 'text'),
    column('at', 'whole'),
    column('index', 'whole'),
    column('line', 'whole'),
  ],
  lint: [
    column('wire', 'text'),
    column('code', 'text'),
    column('severity', 'text'),
    column('text', 'text'),
    column('position', 'whole'),
    column('index', 'whole'),
    column('repair', 'text'),
  ],
  findings: [
    column('kind', 'text'),
    column('at', 'whole'),
    column('evidence', 'text'),
    column('certainty', 'text'),
    ...lossColumns(),
    column('tokens', 'number'),
    column('cost', 'number'),
    column('sources', 'json'),
    column('prevented_by', 'json'),
  ],
};

/** The columns of an op's table. */
export function columnsOf(op: Op): readonly Column[] {
  return [...OF_TASK, ROW, ...COLUMNS[op]];
}

/** The rows of an answer, without the columns of the task and the number. `lines` = what the command printed, a text of JSON each. */
export function rowsOf(op: Op, lines: readonly string[]): readonly (readonly Cell[])[] {
  return lines.flatMap((line) => {
    const value: unknown = JSON.parse(line);
    return recordsOf(op, value, line).map((record) => COLUMNS[op].map((each) => cellOf(each, record)));
  });
}

/** A text of JSON that goes into its cell as it stands. */
class Verbatim {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

type Answered = Readonly<Record<string, unknown>>;

// What of an answer is a row: the answer itself, or each of a list in it.
function recordsOf(op: Op, answer: unknown, line: string): readonly Answered[] {
  if (!isRecord(answer)) return [];
  if (op === 'uses') return records(answer.uses);
  if (op === 'autopsy') return records(answer.compactions);
  if (op === 'lint') return records(answer.findings).map((finding) => ({ wire: answer.wire, ...finding }));
  if (op === 'check') return checkRecords(answer);
  if (op === 'project') return [{ ...answer, messages: verbatim(line, 'messages') }];
  return [answer];
}

function checkRecords({ rules, transcripts }: Answered): readonly Answered[] {
  const names = records(rules).map(({ name }) => name);
  return records(transcripts).flatMap(({ name: transcript, outcomes, error }): readonly Answered[] => {
    if (typeof error === 'string') return [{ transcript, verdict: 'unreadable', found: error }];
    return records(outcomes).map((outcome) => ({ ...outcome, transcript, rule: names[Number(outcome.rule)] }));
  });
}

function records(value: unknown): readonly Answered[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter(isRecord);
}

// Messages byte for byte: numbers as they were written.
function verbatim(json: string, key: string): Verbatim | null {
  const found = members(json, 0).find((member) => member.key === key);
  return found === undefined ? null : new Verbatim(json.slice(found.valueStart, found.valueEnd));
}

function cellOf({ name, type, path }: Column, record: Answered): Cell {
  let value: unknown = record;
  for (const key of path) value = isRecord(value) ? value[key] : undefined;
  if (value === undefined || value === null) return null;
  if (type === 'json') return value instanceof Verbatim ? value.json : JSON.stringify(value);
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'truth' && typeof value === 'boolean') return value;
  if (typeof value === 'number' && (type === 'number' || (type === 'whole' && Number.isInteger(value)))) return value;
  throw new Error(`the column ${name} is ${type}, and an answer says ${JSON.stringify(value)}`);
}

// Since when, by which stage and rule something is gone.
function lossColumns(): readonly Column[] {
  return [
    column('gone_since', 'whole'),
    column('gone_stage', 'text', 'by.stageTitle'),
    column('gone_rule', 'text', 'by.rule'),
  ];
}

function column(name: string, type: ColumnType, path = camelCase(name)): Column {
  return { name, type, path: path.split('.') };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
