// What a part of a UI message is to the model: a block, a call with its result, the end of a step, or nothing but a note
// for the screen. Source: the AI SDK's UIMessage types (v4, v5, v6) and convertToModelMessages.

import type { JsonPath } from '../../../model/message.ts';
import type { Origin } from '../../../model/transcript.ts';
import { compactJson, jsonString } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';

/** A value of the file: its exact JSON text and what it parses to. */
export interface Piece {
  readonly text: string;
  readonly fields: Fields;
}

/** A call and, as far as known, what came of it. Members are JSON texts. */
export interface Call {
  readonly id: string | null;
  readonly name: string | null;
  readonly input: string | null;
  readonly result: Result | null;
  /** Run and answered by the provider within its own answer. */
  readonly byProvider: boolean;
}

/** The content of a result as JSON text, and what it says of itself. */
export interface Result {
  readonly content: string;
  readonly status: 'ok' | 'error' | 'denied';
}

/** One item of a message; origins where it was put together from separate records. */
export type Item =
  | { readonly kind: 'block'; readonly text: string; readonly origins?: readonly Origin[] }
  | {
      readonly kind: 'call';
      readonly call: Call;
      /** The call itself stands elsewhere. */
      readonly isOnlyResult?: boolean;
      readonly origins?: readonly Origin[];
      readonly resultOrigins?: readonly Origin[];
    }
  | { readonly kind: 'step' }
  | { readonly kind: 'note'; readonly type: string; readonly text: string };

/** The items of a part. */
export function itemsOf(part: Piece): readonly Item[] {
  const type = stringAt(part.fields, 'type') ?? '';
  if (type === 'text') return blocks([textBlock(part)]);
  if (type === 'reasoning') return blocks(reasoningBlocks(part));
  if (type === 'file') return blocks([fileBlock(part)]);
  if (type === 'step-start') return [{ kind: 'step' }];
  if (type === 'tool-invocation') return [{ kind: 'call', call: legacyCall(part, ['toolInvocation']) }];
  if (type === 'dynamic-tool' || (type.startsWith('tool-') && stringAt(part.fields, 'toolCallId') !== undefined)) {
    return [{ kind: 'call', call: callOf(part) }];
  }
  return [{ kind: 'note', type, text: part.text }];
}

function blocks(texts: readonly (string | null)[]): readonly Item[] {
  return texts.flatMap((text) => (text === null ? [] : [{ kind: 'block' as const, text }]));
}

function textBlock({ text, fields }: Piece): string | null {
  if ((stringAt(fields, 'text') ?? '') === '') return null;
  return `{"type":"text","text":${sliceAt(text, ['text']) ?? '""'}}`;
}

/** An image or file block with the part's own members. */
export function fileBlock({ text, fields }: Piece): string {
  const media = ['mediaType', 'mimeType', 'contentType'].map((key) => stringAt(fields, key)).find(Boolean) ?? '';
  const members = ['mediaType', 'mimeType', 'contentType', 'filename', 'name', 'url', 'data'].flatMap((key) => {
    const value = stringAt(fields, key) === undefined ? null : sliceAt(text, [key]);
    return value === null ? [] : [`"${key}":${value}`];
  });
  return `{${[`"type":"${media.startsWith('image/') ? 'image' : 'file'}"`, ...members].join(',')}}`;
}

/** Reasoning of v5 (text, a signature in the provider's metadata) and v4 (details, each with its own). */
export function reasoningBlocks({ text, fields }: Piece): readonly (string | null)[] {
  const details = arrayAt(fields, 'details') ?? [];
  if (details.length > 0) {
    const spans = elementSpans(sliceAt(text, ['details']) ?? '[]', 0);
    const list = sliceAt(text, ['details']) ?? '[]';
    return spans.map(({ start, end }, at) => detailBlock(list.slice(start, end), details[at]));
  }
  const key = stringAt(fields, 'text') === undefined ? 'reasoning' : 'text';
  const signature = signatureIn(text, fields);
  if ((stringAt(fields, key) ?? '') === '' && signature === null) return [];
  const words = stringAt(fields, key) === undefined ? '""' : (sliceAt(text, [key]) ?? '""');
  return [thinking(words, signature)];
}

function detailBlock(text: string, value: unknown): string | null {
  const detail = isRecord(value) ? value : {};
  const data = stringAt(detail, 'data') === undefined ? null : sliceAt(text, ['data']);
  if (data !== null) return `{"type":"redacted_thinking","data":${data}}`;
  const words = stringAt(detail, 'text') === undefined ? null : sliceAt(text, ['text']);
  return words === null ? null : thinking(words, stringAt(detail, 'signature') ? sliceAt(text, ['signature']) : null);
}

function thinking(words: string, signature: string | null): string {
  return `{"type":"thinking","thinking":${words}${signature === null ? '' : `,"signature":${signature}`}}`;
}

const SIGNATURES = ['signature', 'redactedData', 'reasoningEncryptedContent', 'thoughtSignature'];

/** The signature or encrypted reasoning a provider left beside a part, as JSON text. */
export function signatureIn(text: string, fields: Fields): string | null {
  for (const holder of ['providerMetadata', 'providerOptions']) {
    for (const [provider, facts] of Object.entries(recordAt(fields, holder) ?? {})) {
      for (const key of SIGNATURES) {
        if (isRecord(facts) && stringAt(facts, key)) return sliceAt(text, [holder, provider, key]);
      }
    }
  }
  return null;
}

function callOf({ text, fields }: Piece): Call {
  const type = stringAt(fields, 'type') ?? '';
  const isRaw = ownAt(fields, 'input') === undefined && ownAt(fields, 'rawInput') !== undefined;
  return {
    id: stringAt(fields, 'toolCallId') === undefined ? null : sliceAt(text, ['toolCallId']),
    name: type === 'dynamic-tool' ? sliceAt(text, ['toolName']) : jsonString(type.slice('tool-'.length)),
    input: sliceAt(text, [isRaw ? 'rawInput' : 'input']),
    result: resultOf({ text, fields }),
    byProvider: ownAt(fields, 'providerExecuted') === true,
  };
}

function resultOf({ text, fields }: Piece): Result | null {
  switch (stringAt(fields, 'state')) {
    case 'output-available':
      return { content: asText(sliceAt(text, ['output'])), status: 'ok' };
    case 'output-error':
      return { content: asText(sliceAt(text, ['errorText'])), status: 'error' };
    case 'output-denied':
      return { content: asText(sliceAt(text, ['approval', 'reason'])), status: 'denied' };
  }
  return null;
}

/** A call of v4: in a separate part, or in a message's `toolInvocations`. */
export function legacyCall({ text, fields }: Piece, path: JsonPath): Call {
  let at: unknown = fields;
  for (const step of path) at = isRecord(at) ? ownAt(at, String(step)) : undefined;
  const call = isRecord(at) ? at : {};
  const own = sliceAt(text, path) ?? '{}';
  const isDone = stringAt(call, 'state') === 'result';
  return {
    id: stringAt(call, 'toolCallId') === undefined ? null : sliceAt(own, ['toolCallId']),
    name: stringAt(call, 'toolName') === undefined ? null : sliceAt(own, ['toolName']),
    input: sliceAt(own, ['args']),
    result: isDone ? { content: asText(sliceAt(own, ['result'])), status: 'ok' } : null,
    byProvider: false,
  };
}

/** A result as the model is given it: a text as it is, anything else as its JSON in a text. */
export function asText(slice: string | null): string {
  if (slice === null) return '""';
  return slice.startsWith('"') ? slice : jsonString(compactJson(slice));
}

/** The call as a block; one of the provider's own with its result, as nobody else answers it. */
export function callBlocks({ id, name, input, result, byProvider }: Call): readonly string[] {
  const members = [memberOf('id', id), memberOf('name', name), memberOf('input', input)];
  const call = objectOf([`"type":"${byProvider ? 'server_tool_use' : 'tool_use'}"`, ...members]);
  if (!byProvider || result === null) return [call];
  const answer = [memberOf('tool_use_id', id), memberOf('content', result.content), ...flags(result)];
  return [call, objectOf(['"type":"server_tool_result"', ...answer])];
}

/** The tool message that answers a call; null while there is none, or where the answer holds it. */
export function resultMessage({ id, name, result, byProvider }: Call): string | null {
  if (result === null || byProvider) return null;
  const members = [memberOf('tool_call_id', id), memberOf('name', name), memberOf('content', result.content)];
  return objectOf(['"role":"tool"', ...members, ...flags(result)]);
}

function flags({ status }: Result): readonly string[] {
  if (status === 'error') return ['"is_error":true'];
  return status === 'denied' ? ['"status":"denied"'] : [];
}

/** `"key":value`, or nothing. */
export function memberOf(key: string, value: string | null): string {
  return value === null ? '' : `"${key}":${value}`;
}

/** A JSON object of these members; empty ones are left out. */
export function objectOf(members: readonly string[]): string {
  return `{${members.filter((each) => each !== '').join(',')}}`;
}
