// A recorded entry as messages of the Gemini API. Call and result are in one entry; the model saw the results in a
// separate message, so they become one.

import type { SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta, Usage } from '../../../model/message.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';

/** A message's JSON text, put together from slices of the entry. */
export interface EntryMessage {
  readonly text: string;
  readonly meta: MessageMeta;
}

/** `{"role":"user","parts":…}`: the entry's own list of parts, or its text as one part. */
export function userMessage({ text }: SourceRecord, fields: Fields): EntryMessage {
  const parts = contentParts(text);
  const meta = defined({ timestamp: isoTime(ownAt(fields, 'timestamp')), id: stringAt(fields, 'id') });
  return { text: `{"role":"user","parts":[${parts.join(',')}]}`, meta };
}

/** The model's message (thoughts, text, calls), and the results' message where there are any. */
export function answerMessages(record: SourceRecord, fields: Fields): readonly EntryMessage[] {
  const { text } = record;
  const calls = elementsOf(text, ['toolCalls']);
  const parts = [
    ...elementsOf(text, ['thoughts']).flatMap(thoughtPart),
    ...contentParts(text),
    ...calls.map((call) => callPart(call)),
  ];
  const values = arrayAt(fields, 'toolCalls') ?? [];
  const results = calls.flatMap((call, at) => resultParts(call, values[at]));
  const meta = defined({
    timestamp: isoTime(ownAt(fields, 'timestamp')),
    id: stringAt(fields, 'id'),
    model: stringAt(fields, 'model'),
    usage: usageOf(recordAt(fields, 'tokens')),
  });
  const answer = { text: `{"role":"model","parts":[${parts.join(',')}]}`, meta };
  if (results.length === 0) return [answer];
  const last = values.at(-1);
  const time = isRecord(last) ? isoTime(ownAt(last, 'timestamp')) : undefined;
  return [answer, { text: `{"role":"user","parts":[${results.join(',')}]}`, meta: defined({ timestamp: time }) }];
}

/** The agents that an entry's calls started, each a separate session. */
export function startedIn(fields: Fields): readonly { readonly callId: string; readonly sessionId: string }[] {
  return (arrayAt(fields, 'toolCalls') ?? []).flatMap((call) => {
    const [callId, sessionId] = isRecord(call) ? [stringAt(call, 'id'), stringAt(call, 'agentId')] : [];
    return callId === undefined || sessionId === undefined ? [] : [{ callId, sessionId }];
  });
}

function contentParts(text: string): string[] {
  const content = sliceAt(text, ['content']) ?? sliceAt(text, ['parts']);
  if (content === null || content === 'null' || content === '""') return [];
  if (content.startsWith('[')) return elementsOf(content, []).map(asPart);
  return [asPart(content)];
}

function asPart(text: string): string {
  return text.startsWith('"') ? `{"text":${text}}` : text;
}

// Subject and description are one thought; the client splits what the model sent as "**subject** description".
function thoughtPart(thought: string): string[] {
  const said = ['subject', 'description'].map((key) => sliceAt(thought, [key]));
  const literals = said.flatMap((literal) => (literal?.startsWith('"') ? [literal.slice(1, -1)] : []));
  return literals.length === 0 ? [] : [`{"text":"${literals.join('\\n')}","thought":true}`];
}

function callPart(call: string): string {
  const members = ['id', 'name', 'args'].flatMap((key) => {
    const value = sliceAt(call, [key]);
    return value === null ? [] : [`"${key}":${value}`];
  });
  return `{"functionCall":{${members.join(',')}}}`;
}

// The recorded status is kept beside results of calls that did not succeed: their text need not say so.
function resultParts(call: string, value: unknown): string[] {
  const fields = isRecord(value) ? value : {};
  const result = sliceAt(call, ['result']);
  if (result === null || result === 'null') return [];
  const status = sliceAt(call, ['status']);
  const failed = status !== null && stringAt(fields, 'status') !== 'success';
  const texts = result.startsWith('[') ? elementsOf(result, []) : [result];
  return texts.map((text) => {
    const part = text.startsWith('{') ? text : bareResult(call, text);
    return failed && part.includes('"functionResponse"') ? `{"status":${status},${part.slice(1)}` : part;
  });
}

// Older entries hold the result's text alone.
function bareResult(call: string, text: string): string {
  const id = sliceAt(call, ['id']);
  const name = sliceAt(call, ['name']);
  const members = [...(id ? [`"id":${id}`] : []), ...(name ? [`"name":${name}`] : []), `"response":{"output":${text}}`];
  return `{"functionResponse":{${members.join(',')}}}`;
}

function elementsOf(text: string, path: readonly string[]): string[] {
  const list = sliceAt(text, path);
  if (!list?.startsWith('[')) return [];
  return elementSpans(list, 0).map(({ start, end }) => list.slice(start, end));
}

/** `input` as recorded includes cached tokens; `output` excludes thoughts. */
function usageOf(tokens: Fields | undefined): Usage | undefined {
  if (!tokens) return undefined;
  const usage = defined({
    input: numberAt(tokens, 'input'),
    output: numberAt(tokens, 'output'),
    cacheRead: numberAt(tokens, 'cached'),
    reasoning: numberAt(tokens, 'thoughts'),
    total: numberAt(tokens, 'total'),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}
