// What an entry of a thread says, as a message. Source: the Jido thread design, "Entry Kind Mappings". Entries are Elixir
// terms written as JSON, so atoms may have their colon and `{:ok, value}` comes as `{"ok": value}` or `["ok", value]`.
import { compactJson, jsonString, valueTextAt } from '../util/json/index.ts';
import { type Fields, isRecord, ownAt, stringAt } from '../util/unknown.ts';

/** One entry: its exact JSON text and what it says of itself. */
export interface ThreadEntry {
  readonly text: string;
  /** Without a colon. */
  readonly kind: string;
  readonly payload: Fields;
  readonly refs: Fields;
}

/** Roles that the payload of a message may name. */
export const THREAD_ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** An atom's name, with or without its colon. */
export function atom(name: string): string {
  return name.startsWith(':') ? name.slice(1) : name;
}

/** Id of the model's call an entry belongs to; undefined if it names none. */
export function callIdOf(entry: ThreadEntry): string | undefined {
  return stringAt(entry.refs, 'call_id');
}

/** Id of the tool call an entry is, or answers; the reference counts before the payload. */
export function toolCallIdOf({ kind, refs, payload }: ThreadEntry): string | undefined {
  return stringAt(refs, 'tool_call_id') ?? stringAt(payload, kind === 'tool_call' ? 'id' : 'tool_call_id');
}

function idSlice(entry: ThreadEntry): string | null {
  if (stringAt(entry.refs, 'tool_call_id') !== undefined) return valueTextAt(entry.text, ['refs', 'tool_call_id']);
  const key = entry.kind === 'tool_call' ? 'id' : 'tool_call_id';
  return stringAt(entry.payload, key) === undefined ? null : valueTextAt(entry.text, ['payload', key]);
}

/** The payload of a message entry: as it is, or under the role its atom names (`user` if it names none). */
export function messageText({ text, payload }: ThreadEntry): string {
  const role = stringAt(payload, 'role');
  if (role !== undefined && THREAD_ROLES.has(role)) return valueTextAt(text, ['payload']) ?? '{}';
  const name = atom(role ?? 'user');
  const content = valueTextAt(text, ['payload', 'content']);
  return `{"role":${jsonString(name)}${content === null ? '' : `,"content":${content}`}}`;
}

/** The calls of one answer of the model, as one message. */
export function callsText(entries: readonly ThreadEntry[]): string {
  const calls = entries.map((entry) => {
    const members = [
      member('id', idSlice(entry)),
      member('name', valueTextAt(entry.text, ['payload', 'name'])),
      `"arguments":${valueTextAt(entry.text, ['payload', 'arguments']) ?? '{}'}`,
    ];
    return `{${members.filter((each) => each !== '').join(',')}}`;
  });
  return `{"role":"assistant","content":"","tool_calls":[${calls.join(',')}]}`;
}

/** A result: `{:ok, value}` gives the value, `{:error, reason}` an object that holds it; no text becomes its JSON. */
export function resultText(entry: ThreadEntry): string {
  const { content, isError } = outcome(entry);
  const members = [
    '"role":"tool"',
    member('tool_call_id', idSlice(entry)),
    member('name', valueTextAt(entry.text, ['payload', 'name'])),
    `"content":${content}`,
    isError ? '"is_error":true' : '',
  ];
  return `{${members.filter((each) => each !== '').join(',')}}`;
}

function member(key: string, value: string | null): string {
  return value === null || value === 'null' ? '' : `"${key}":${value}`;
}

function outcome({ text, payload }: ThreadEntry): { readonly content: string; readonly isError: boolean } {
  const result = ownAt(payload, 'result');
  const tagged = outcomeTag(result);
  const key = Object.hasOwn(payload, 'result') ? 'result' : 'content';
  if (!tagged) return { content: asText(valueTextAt(text, ['payload', key])), isError: false };
  const value = valueTextAt(text, ['payload', 'result', tagged.at]) ?? 'null';
  if (tagged.tag === 'ok') return { content: asText(value), isError: false };
  return { content: asText(`{"error":${value}}`), isError: true };
}

/** The tag of `{:ok, value}` or `{:error, reason}`, an object of one key or a list of two, and where the value stands. */
export function outcomeTag(result: unknown): { readonly tag: 'ok' | 'error'; readonly at: string | number } | null {
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
export function summaryText({ text }: ThreadEntry): string {
  return `{"role":"system","content":${valueTextAt(text, ['payload', 'content']) ?? '""'}}`;
}
