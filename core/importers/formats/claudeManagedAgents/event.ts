// An event of a session, wherever it is recorded, and the messages and blocks it holds as texts.

import type { SourceRecord } from '../../../model/importSink.ts';
import { entryOf, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { elementSpans, sliceAt, spanAt } from '../../reading/slices.ts';

/** An event with its own text, and the record it is in. */
export interface SessionEvent {
  readonly record: SourceRecord;
  readonly text: string;
  readonly value: Fields;
  readonly type: string;
}

const METHOD = /^(client\.)?beta\.(sessions|agents|environments|vaults|files|skills)\./;
const TYPE = /^(user|agent|session|span|system)\.[a-z_]+$/;

/** The method of a recorded call `[method, arguments]` of the SDK; null for anything else. */
export function sdkMethod(value: unknown): string | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [method] = value;
  return typeof method === 'string' && METHOD.test(method) ? method : null;
}

/** True for an event of a session. Other tools have types of such names too, but hold their facts under `data`. */
export function isEvent(value: unknown): value is Fields {
  if (!isRecord(value) || !TYPE.test(stringAt(value, 'type') ?? '') || Object.hasOwn(value, 'data')) return false;
  return Object.hasOwn(value, 'processed_at') || (stringAt(value, 'id') ?? '').startsWith('sevt_');
}

/** The event a record holds: itself, under `raw`, or as what a recorded stream gave; null if it holds none. */
export function eventOf(record: SourceRecord): SessionEvent | null {
  const { text, value } = record;
  if (sdkMethod(value) !== null && Array.isArray(value)) return eventAt(record, value[1], [1]);
  if (isRecord(value) && isRecord(value.raw)) return eventAt(record, value.raw, ['raw']);
  return isRecord(value) && TYPE.test(stringAt(value, 'type') ?? '')
    ? { record, text, value, type: stringAt(value, 'type') ?? '' }
    : null;
}

/** The event `value` at `path` of a record; null if it is none. */
export function eventAt(record: SourceRecord, value: unknown, path: readonly (string | number)[]): SessionEvent | null {
  if (!isRecord(value)) return null;
  const type = stringAt(value, 'type') ?? '';
  const text = TYPE.test(type) ? sliceAt(record.text, path) : null;
  return text === null ? null : { record, text, value, type };
}

/** `{"role":…,"content":…}` with the event's own content. */
export function contentMessage(event: SessionEvent, role: 'user' | 'system'): string {
  return `{"role":"${role}","content":${sliceAt(event.text, ['content']) ?? '[]'}}`;
}

/**
 * The task of a session that was given an outcome to reach instead of a message: description and rubric, each a block of
 * its own text. A rubric that is a file is not in the session. Null if the event defines none.
 */
export function outcomeMessage({ type, text, value }: SessionEvent): string | null {
  if (type !== 'user.define_outcome') return null;
  const rubric = ownAt(value, 'rubric');
  const said = [
    stringAt(value, 'description') === undefined ? null : sliceAt(text, ['description']),
    typeof rubric === 'string' ? sliceAt(text, ['rubric']) : null,
    isRecord(rubric) && stringAt(rubric, 'content') !== undefined ? sliceAt(text, ['rubric', 'content']) : null,
  ].filter((literal) => literal !== null && literal !== '""');
  const blocks = said.map((literal) => `{"type":"text","text":${literal}}`);
  return blocks.length === 0 ? null : `{"role":"user","content":[${blocks.join(',')}]}`;
}

/** What the grader of an outcome hands back to the agent, which then continues; null if the event hands back nothing. */
export function gradeMessage({ type, text, value }: SessionEvent): string | null {
  if (type !== 'span.outcome_evaluation_end' || stringAt(value, 'result') !== 'needs_revision') return null;
  if ((stringAt(value, 'explanation') ?? '') === '') return null;
  return `{"role":"user","content":[{"type":"text","text":${sliceAt(text, ['explanation']) ?? '""'}}]}`;
}

const CALLS: ReadonlySet<string> = new Set(['agent.tool_use', 'agent.mcp_tool_use', 'agent.custom_tool_use']);
const RESULTS: Readonly<Record<string, string>> = {
  'agent.tool_result': 'tool_use_id',
  'user.tool_result': 'tool_use_id',
  'agent.mcp_tool_result': 'mcp_tool_use_id',
  'user.custom_tool_result': 'custom_tool_use_id',
};

/** The blocks of an answer that an event holds; null if it is not part of one. */
export function answerBlocks(event: SessionEvent): readonly string[] | null {
  if (event.type === 'agent.message') return contentBlocks(event);
  if (event.type === 'agent.thinking') return thinkingBlocks(event);
  if (!CALLS.has(event.type)) return null;
  const input = sliceAt(event.text, ['input']) ?? '{}';
  const [id, name] = ['id', 'name'].map((key) => sliceAt(event.text, [key]) ?? 'null');
  return [`{"type":"tool_use","id":${id},"name":${name},"input":${input}}`];
}

/** A tool's result as a message; null if the event is none. */
export function resultMessage(event: SessionEvent): string | null {
  const key = entryOf(RESULTS, event.type);
  if (key === undefined) return null;
  const members = [
    '"type":"tool_result"',
    `"tool_use_id":${sliceAt(event.text, [key]) ?? sliceAt(event.text, ['tool_use_id']) ?? 'null'}`,
    `"content":${sliceAt(event.text, ['content']) ?? '[]'}`,
    ...(ownAt(event.value, 'is_error') === true ? ['"is_error":true'] : []),
  ];
  return `{"role":"user","content":[{${members.join(',')}}]}`;
}

function contentBlocks({ text, value }: SessionEvent): readonly string[] {
  const span = Array.isArray(ownAt(value, 'content')) ? spanAt(text, ['content']) : null;
  if (span) return elementSpans(text, span.start).map(({ start, end }) => text.slice(start, end));
  const content = stringAt(value, 'content') === undefined ? null : sliceAt(text, ['content']);
  return content === null ? [] : [`{"type":"text","text":${content}}`];
}

// Most say no more than that the model thought: a block without text, which is opaque.
function thinkingBlocks(event: SessionEvent): readonly string[] {
  const own = ['thinking', 'text'].find((key) => stringAt(event.value, key) !== undefined);
  if (own !== undefined) return [`{"type":"thinking","thinking":${sliceAt(event.text, [own])}}`];
  const said = contentBlocks(event).flatMap((block) => sliceAt(block, ['thinking']) ?? sliceAt(block, ['text']) ?? []);
  return (said.length > 0 ? said : ['""']).map((text) => `{"type":"thinking","thinking":${text}}`);
}

/** One line for people on what an event says. */
export function describe({ type, value }: SessionEvent): string {
  const stop = stringAt(recordAt(value, 'stop_reason') ?? {}, 'type');
  const error = stringAt(recordAt(value, 'error') ?? {}, 'message');
  const agent = stringAt(value, 'agent_name');
  const result = stringAt(value, 'result');
  const deny = stringAt(value, 'deny_message');
  const name = type.slice(type.indexOf('.') + 1).replaceAll('_', ' ');
  return [name, agent, stop, result, deny, error].filter((part) => part !== undefined && part !== '').join(': ');
}
