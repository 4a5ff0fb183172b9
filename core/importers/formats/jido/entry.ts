// An entry of a thread, and the message it stands for. Source: the Jido thread design, "Entry Kind Mappings". Entries are
// Elixir terms written as JSON, so atoms may have their colon and `{:ok, value}` comes as `{"ok": value}` or `["ok", value]`.

import type { MessageMeta, ThreadEntryMeta } from '../../../model/message.ts';
import { compactJson, jsonString } from '../../../util/json/index.ts';
import { isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { sliceAt } from '../../slices.ts';
import { anthropicUsage, defined, isoTime } from '../shared.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One entry: its exact JSON text and what it says of itself. */
export interface Entry {
  readonly text: string;
  readonly kind: string;
  readonly id: string | undefined;
  readonly seq: number | undefined;
  readonly payload: Fields;
  readonly refs: Fields;
  readonly at: string | undefined;
}

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** True for `{kind, payload}` with what orders or correlates it: `seq`, `refs` or `at`. */
export function isEntry(value: unknown): value is Fields {
  if (!isRecord(value) || stringAt(value, 'kind') === undefined || !recordAt(value, 'payload')) return false;
  return (
    numberAt(value, 'seq') !== undefined || recordAt(value, 'refs') !== undefined || ownAt(value, 'at') !== undefined
  );
}

/** The entry in a value that isEntry. */
export function entryOf(text: string, value: Fields): Entry {
  return {
    text,
    kind: atom(stringAt(value, 'kind') ?? ''),
    id: stringAt(value, 'id'),
    seq: numberAt(value, 'seq'),
    payload: recordAt(value, 'payload') ?? {},
    refs: recordAt(value, 'refs') ?? {},
    at: isoTime(ownAt(value, 'at')),
  };
}

/** An atom's name, with or without its colon. */
export function atom(name: string): string {
  return name.startsWith(':') ? name.slice(1) : name;
}

/** Id of the model's call an entry belongs to; undefined if it names none. */
export function callIdOf(entry: Entry): string | undefined {
  return stringAt(entry.refs, 'call_id');
}

/** Id of the tool call an entry is, or answers; the reference counts before the payload. */
export function toolCallIdOf({ kind, refs, payload }: Entry): string | undefined {
  return stringAt(refs, 'tool_call_id') ?? stringAt(payload, kind === 'tool_call' ? 'id' : 'tool_call_id');
}

function idSlice(entry: Entry): string | null {
  if (stringAt(entry.refs, 'tool_call_id') !== undefined) return sliceAt(entry.text, ['refs', 'tool_call_id']);
  const key = entry.kind === 'tool_call' ? 'id' : 'tool_call_id';
  return stringAt(entry.payload, key) === undefined ? null : sliceAt(entry.text, ['payload', key]);
}

/** The payload of a message entry: as it is, or under the role its atom names (`user` if it names none). */
export function messageText({ text, payload }: Entry): string {
  const role = stringAt(payload, 'role');
  if (role !== undefined && ROLES.has(role)) return sliceAt(text, ['payload']) ?? '{}';
  const name = atom(role ?? 'user');
  const content = sliceAt(text, ['payload', 'content']);
  return `{"role":${jsonString(name)}${content === null ? '' : `,"content":${content}`}}`;
}

/** The calls of one answer of the model, as one message. */
export function callsText(entries: readonly Entry[]): string {
  const calls = entries.map((entry) => {
    const members = [
      member('id', idSlice(entry)),
      member('name', sliceAt(entry.text, ['payload', 'name'])),
      `"arguments":${sliceAt(entry.text, ['payload', 'arguments']) ?? '{}'}`,
    ];
    return `{${members.filter((each) => each !== '').join(',')}}`;
  });
  return `{"role":"assistant","content":"","tool_calls":[${calls.join(',')}]}`;
}

/** A result: `{:ok, value}` gives the value, `{:error, reason}` an object that holds it; no text becomes its JSON. */
export function resultText(entry: Entry): string {
  const { content, isError } = outcome(entry);
  const members = [
    '"role":"tool"',
    member('tool_call_id', idSlice(entry)),
    member('name', sliceAt(entry.text, ['payload', 'name'])),
    `"content":${content}`,
    isError ? '"is_error":true' : '',
  ];
  return `{${members.filter((each) => each !== '').join(',')}}`;
}

function member(key: string, value: string | null): string {
  return value === null || value === 'null' ? '' : `"${key}":${value}`;
}

function outcome({ text, payload }: Entry): { readonly content: string; readonly isError: boolean } {
  const result = ownAt(payload, 'result');
  const tagged = tagOf(result);
  const key = Object.hasOwn(payload, 'result') ? 'result' : 'content';
  if (!tagged) return { content: asText(sliceAt(text, ['payload', key])), isError: false };
  const value = sliceAt(text, ['payload', 'result', tagged.at]) ?? 'null';
  if (tagged.tag === 'ok') return { content: asText(value), isError: false };
  return { content: asText(`{"error":${value}}`), isError: true };
}

// `{:ok, value}` and `{:error, reason}`, as an object of one key or a list of two.
function tagOf(result: unknown): { readonly tag: 'ok' | 'error'; readonly at: string | number } | null {
  if (Array.isArray(result)) {
    const tag = typeof result[0] === 'string' && result.length === 2 ? atom(result[0]) : '';
    return tag === 'ok' || tag === 'error' ? { tag, at: 1 } : null;
  }
  const [key, ...others] = isRecord(result) ? Object.keys(result) : [];
  const tag = key === undefined || others.length > 0 ? '' : atom(key);
  return key !== undefined && (tag === 'ok' || tag === 'error') ? { tag, at: key } : null;
}

function asText(slice: string | null): string {
  if (slice === null) return '""';
  return slice.startsWith('"') ? slice : jsonString(compactJson(slice));
}

/** The summary's own words, as a system message; how a projection presents them is its policy's. */
export function summaryText({ text }: Entry): string {
  return `{"role":"system","content":${sliceAt(text, ['payload', 'content']) ?? '""'}}`;
}

/** What an entry says beside its message. */
export function metaOf(entry: Entry): MessageMeta {
  const own = ownMeta(entry);
  return { ...sharedMeta(entry), ...(Object.keys(own).length > 0 && { entries: [own] }) };
}

/** The same of the calls that became one message. */
export function callsMeta(entries: readonly Entry[]): MessageMeta {
  const [first, ...others] = entries;
  if (first === undefined) return {};
  if (others.length === 0) return metaOf(first);
  const own = entries.map((entry) => defined({ id: entry.id, timestamp: entry.at, ...ownMeta(entry) }));
  return { ...sharedMeta(first), entries: own };
}

function sharedMeta({ id, at, refs, payload }: Entry): MessageMeta {
  return defined({
    id,
    timestamp: at,
    requestId: stringAt(refs, 'request_id'),
    callId: stringAt(refs, 'call_id'),
    parentCallId: stringAt(refs, 'parent_call_id'),
    iteration: numberAt(refs, 'iteration'),
    model: stringAt(refs, 'model') ?? stringAt(payload, 'model'),
    usage: anthropicUsage(ownAt(payload, 'usage')),
  });
}

function ownMeta({ kind, refs, payload }: Entry): ThreadEntryMeta {
  const isModelInPayload = stringAt(refs, 'model') === undefined && stringAt(payload, 'model') !== undefined;
  return {
    ...(isModelInPayload && { isModelInPayload }),
    ...(kind === 'tool_result' && resultForm(payload)),
  };
}

function resultForm(payload: Fields): ThreadEntryMeta {
  const result = ownAt(payload, Object.hasOwn(payload, 'result') ? 'result' : 'content');
  const tagged = Object.hasOwn(payload, 'result') ? tagOf(result) : null;
  const value = tagged === null ? result : at(result, tagged.at);
  return {
    ...(tagged !== null && { tag: tagged.tag }),
    ...(tagged?.at === 1 && { isPair: true }),
    ...(value !== undefined && typeof value !== 'string' && { isJson: true }),
  };
}

function at(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return value[Number(step)];
  return isRecord(value) ? ownAt(value, String(step)) : undefined;
}
