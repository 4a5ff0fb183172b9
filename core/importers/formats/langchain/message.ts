// A message in any of the forms LangChain writes, as one message: role, content, calls, or the result of a call.

import type { JsonPath, MessageMeta, Usage } from '../../../model/message.ts';
import { canonicalJson, compactJson } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime, nonEmpty, openaiUsage } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';

/** A message's JSON text, made of slices of what the file holds, and what else is known of it. */
export interface LangchainMessage {
  readonly text: string;
  readonly value: unknown;
  readonly meta: MessageMeta;
  /** The summary that SummarizationMiddleware put in place of what came before. */
  readonly isSummary: boolean;
}

/** Where the fields of a message are in its form, and its kind: `human`, `ai`, `tool`, `remove` … or a role. */
interface Found {
  readonly kind: string;
  readonly path: JsonPath;
  readonly fields: Fields;
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['user', 'user'],
  ['ai', 'assistant'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['developer', 'developer'],
  ['tool', 'tool'],
  ['function', 'function'],
  ['chat', ''],
]);

/** The kind in a class name or `type`: `AIMessageChunk` → `ai`. */
function kindOf(name: string): string {
  return name.replace(/Message(Chunk)?$/, '').toLowerCase();
}

function found(value: unknown): Found | null {
  if (Array.isArray(value)) return foundPair(value);
  if (!isRecord(value)) return null;
  if (isConstructor(value)) {
    const name = arrayAt(value, 'id')?.at(-1);
    const fields = recordAt(value, 'kwargs');
    if (typeof name !== 'string' || !/Message(Chunk)?$/.test(name) || !fields) return null;
    return known({ kind: kindOf(name), path: ['kwargs'], fields });
  }
  const type = stringAt(value, 'type');
  const data = recordAt(value, 'data');
  if (type !== undefined && data && Object.hasOwn(data, 'content')) {
    return known({ kind: kindOf(type), path: ['data'], fields: data });
  }
  if (!['content', 'tool_calls', 'additional_kwargs'].some((key) => Object.hasOwn(value, key))) return null;
  const role = stringAt(value, 'role');
  const own = type === undefined ? null : known({ kind: kindOf(type), path: [], fields: value });
  return own ?? (role === undefined ? null : known({ kind: role, path: [], fields: value }));
}

/** `["human", "hi"]`, the short form of a message. */
function foundPair(value: readonly unknown[]): Found | null {
  const [kind, content] = value;
  if (value.length !== 2 || typeof kind !== 'string' || typeof content !== 'string') return null;
  return known({ kind, path: [], fields: {} });
}

function known(place: Found): Found | null {
  return ROLES.has(place.kind) || place.kind === 'remove' ? place : null;
}

/** `{"lc":1,"type":"constructor",…}`: how LangChain serialises its objects. */
export function isConstructor(value: Fields): boolean {
  return numberAt(value, 'lc') !== undefined && stringAt(value, 'type') === 'constructor';
}

/** True for a message in any form, `RemoveMessage` included. */
export function isMessage(value: unknown): boolean {
  return found(value) !== null;
}

/** True for an answer of the model. */
export function isAnswer(value: unknown): boolean {
  return ROLES.get(found(value)?.kind ?? '') === 'assistant';
}

/** True for the RemoveMessage that takes all messages out of a state, before the new ones. */
export function isRemoveAll(value: unknown): boolean {
  const place = found(value);
  return place?.kind === 'remove' && stringAt(place.fields, 'id') === '__remove_all__';
}

/** True for a message in a form that LangChain alone writes; `{"role":…,"content":…}` is everyone's. */
export function isOwnForm(value: unknown): boolean {
  const place = Array.isArray(value) ? null : found(value);
  if (place === null || !isRecord(value)) return false;
  const { kind, path, fields } = place;
  if (path[0] === 'kwargs') return true;
  if (Object.hasOwn(fields, 'additional_kwargs') || Object.hasOwn(fields, 'response_metadata')) return true;
  return (kind === 'human' || kind === 'ai') && stringAt(value, 'type') !== undefined;
}

/** Reads a message; null for what is none, and for `RemoveMessage`, which takes one back. */
export function readLangchain(text: string, value: unknown): LangchainMessage | null {
  const place = found(value);
  if (!place || place.kind === 'remove') return null;
  const { kind, path, fields } = place;
  if (Array.isArray(value))
    return made([`"role":"${ROLES.get(kind) ?? ''}"`, member(text, 'content', [1])], {}, fields);
  const inner = path.length === 0 ? text : (sliceAt(text, path) ?? '{}');
  const role = ROLES.get(kind) ?? '';
  const isPlain = isRecord(value) && value.role === role && !Object.hasOwn(value, 'type');
  if (isPlain) return { text, value, meta: metaOf(fields), isSummary: false };
  return made(membersOf(inner, fields, role), metaOf(fields), fields);
}

function made(members: readonly (string | null)[], meta: MessageMeta, fields: Fields): LangchainMessage {
  const text = `{${members.filter((each) => each !== null).join(',')}}`;
  const isSummary = stringAt(recordAt(fields, 'additional_kwargs') ?? {}, 'lc_source') === 'summarization';
  const value: unknown = JSON.parse(text);
  return { text, value, meta: isSummary ? { ...meta, compactSummary: true, injected: true } : meta, isSummary };
}

function membersOf(text: string, fields: Fields, role: string): (string | null)[] {
  const members = [role === '' ? (member(text, 'role') ?? '"role":"chat"') : `"role":"${role}"`];
  if (role === 'tool') return [...members, ...resultMembers(text, fields)];
  const name = stringAt(fields, 'name') ? member(text, 'name') : null;
  if (role !== 'assistant') return [...members, name, member(text, 'content')];
  const calls = callMembers(text, fields);
  return [...members, name, reasoningOf(text, fields), contentOf(text, fields), ...calls];
}

function member(text: string, key: string, path: JsonPath = [key]): string | null {
  const slice = sliceAt(text, path);
  return slice === null || slice === 'null' ? null : `"${key}":${slice}`;
}

function resultMembers(text: string, fields: Fields): (string | null)[] {
  const status = stringAt(fields, 'status') === undefined ? null : member(text, 'status');
  return [member(text, 'tool_call_id'), member(text, 'name'), member(text, 'content'), status];
}

// DeepSeek and others leave their reasoning beside the content.
function reasoningOf(text: string, fields: Fields): string | null {
  const beside = recordAt(fields, 'additional_kwargs') ?? {};
  if ((stringAt(beside, 'reasoning_content') ?? '') === '') return null;
  return member(text, 'reasoning_content', ['additional_kwargs', 'reasoning_content']);
}

/** Blocks that repeat a call of `tool_calls`, or are a piece of one. */
function repeatsCall(block: unknown, ids: ReadonlySet<string>): boolean {
  if (!isRecord(block)) return false;
  const type = stringAt(block, 'type') ?? '';
  if (type === 'input_json_delta' || type === 'tool_call_chunk') return true;
  if (type !== 'tool_use' && type !== 'tool_call' && type !== 'function_call') return false;
  return ['id', 'call_id'].some((key) => ids.has(stringAt(block, key) ?? ''));
}

function contentOf(text: string, fields: Fields): string | null {
  const blocks = arrayAt(fields, 'content');
  const ids = new Set(callsOf(fields).flatMap((call) => stringAt(call, 'id') ?? []));
  if (!blocks || ids.size === 0) return withReasoning(text, fields, null);
  const list = sliceAt(text, ['content']) ?? '[]';
  const spans = elementSpans(list, 0).filter((_, at) => !repeatsCall(blocks[at], ids));
  return withReasoning(
    text,
    fields,
    spans.map(({ start, end }) => list.slice(start, end)),
  );
}

// The Responses API's reasoning item, as langchain-openai keeps it beside the content.
function withReasoning(text: string, fields: Fields, blocks: readonly string[] | null): string | null {
  const beside = recordAt(recordAt(fields, 'additional_kwargs') ?? {}, 'reasoning');
  if (!beside || stringAt(beside, 'type') !== 'reasoning') {
    return blocks === null ? member(text, 'content') : `"content":[${blocks.join(',')}]`;
  }
  const item = sliceAt(text, ['additional_kwargs', 'reasoning']) ?? '{}';
  return `"content":[${[item, ...(blocks ?? contentBlocks(text, fields))].join(',')}]`;
}

function contentBlocks(text: string, fields: Fields): readonly string[] {
  const content = sliceAt(text, ['content']);
  if (content === null || content === '""') return [];
  if (!arrayAt(fields, 'content')) return [`{"type":"text","text":${content}}`];
  return elementSpans(content, 0).map(({ start, end }) => content.slice(start, end));
}

function callsOf(fields: Fields): readonly Fields[] {
  const all = [...(arrayAt(fields, 'tool_calls') ?? []), ...(arrayAt(fields, 'invalid_tool_calls') ?? [])];
  return all.filter(isRecord);
}

// `tool_calls` is what the model asked for; the provider's own copy counts only where there is nothing else.
function callMembers(text: string, fields: Fields): (string | null)[] {
  const calls = ['tool_calls', 'invalid_tool_calls'].flatMap((key) => {
    const list = arrayAt(fields, key) ? (sliceAt(text, [key]) ?? '[]') : '[]';
    return elementSpans(list, 0).map(({ start, end }) => callText(list.slice(start, end)));
  });
  if (calls.length > 0) return [`"tool_calls":[${calls.join(',')}]`];
  const beside = recordAt(fields, 'additional_kwargs') ?? {};
  const key = (arrayAt(beside, 'tool_calls')?.length ?? 0) > 0 ? 'tool_calls' : 'function_call';
  return Object.hasOwn(beside, key) ? [member(text, key, ['additional_kwargs', key])] : [];
}

function callText(call: string): string {
  if (call[0] !== '{') return call;
  // In role form the calls may be OpenAI's.
  if (sliceAt(call, ['function']) !== null) return call;
  const members = [member(call, 'id'), member(call, 'name'), member(call, 'args')];
  return `{${members.filter((each) => each !== null).join(',')}}`;
}

function metaOf(fields: Fields): MessageMeta {
  const response = recordAt(fields, 'response_metadata') ?? {};
  const usage = usageOf(recordAt(fields, 'usage_metadata')) ?? openaiUsage(ownAt(response, 'token_usage'));
  return defined({
    id: stringAt(fields, 'id'),
    model: stringAt(response, 'model_name') ?? stringAt(response, 'model'),
    usage,
    stopReason: stringAt(response, 'finish_reason') ?? stringAt(response, 'stop_reason'),
    timestamp: isoTime(ownAt(response, 'created_at')),
  });
}

/** LangChain's own usage: `input` includes cached tokens. */
function usageOf(usage: Fields | undefined): Usage | undefined {
  if (!usage) return undefined;
  const input = recordAt(usage, 'input_token_details') ?? {};
  const output = recordAt(usage, 'output_token_details') ?? {};
  return nonEmpty({
    input: numberAt(usage, 'input_tokens'),
    output: numberAt(usage, 'output_tokens'),
    cacheRead: numberAt(input, 'cache_read'),
    cacheWrite: numberAt(input, 'cache_creation'),
    reasoning: numberAt(output, 'reasoning'),
    total: numberAt(usage, 'total_tokens'),
  });
}

/** Equal for messages that say the same, whatever form they were written in. */
export function identityOf({ text, value }: LangchainMessage): string {
  if (!isRecord(value)) return text;
  const said = ['role', 'content', 'tool_calls', 'function_call', 'tool_call_id', 'status'].map((key) => {
    const slice = sliceAt(text, [key]);
    const isNothing = slice === null || ['null', '""', '"success"'].includes(slice) || compactJson(slice) === '[]';
    return isNothing ? '' : canonicalJson(slice);
  });
  return said.join('\n');
}
