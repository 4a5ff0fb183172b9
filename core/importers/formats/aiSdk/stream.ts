// Puts a streamed UI message together from its chunks, as the SDK's own reader does: texts of the deltas' literals, a
// call's input of its pieces, results at their calls whatever step they come in.

import type { SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta } from '../../../model/message.ts';
import { contentText } from '../../../model/readResult.ts';
import type { Origin } from '../../../model/transcript.ts';
import { jsonString } from '../../../util/json/index.ts';
import { type Fields, ownAt, stringAt } from '../../../util/unknown.ts';
import { parseJson } from '../../reading/record.ts';
import { defined, originOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { asText, fileBlock, type Item, type Result, signatureIn } from './item.ts';
import { type Expanded, messagesOf, metaOf } from './message.ts';

interface OpenText {
  readonly kind: 'text' | 'reasoning';
  /** Inside of the string literal. */
  literal: string;
  signature: string | null;
  readonly origins: Origin[];
}

interface OpenCall {
  readonly kind: 'call';
  readonly id: string | null;
  name: string | null;
  pieces: string;
  input: string | null;
  result: Result | null;
  byProvider: boolean;
  readonly origins: Origin[];
  readonly resultOrigins: Origin[];
}

type Open = OpenText | OpenCall | { readonly kind: 'item'; readonly item: Item };

const MARKS = new Set(['start', 'start-step', 'finish-step', 'finish', 'message-metadata', 'stream-start']);
const CHUNK =
  /^(start|finish|abort|error|(start|finish)-step|(text|reasoning)-(start|delta|end)|tool-input-(start|delta|end|available|error)|tool-output-(available|error|denied)|tool-approval-re(quest|sponse)|tool-call|tool-result|tool-error|source-url|source-document|file|message-metadata|stream-start|response-metadata|data-.+)$/;

/** True for a chunk of a UI message stream, or of the streams below it. */
export function isChunk(fields: Fields): boolean {
  return CHUNK.test(stringAt(fields, 'type') ?? '') && !Object.hasOwn(fields, 'role');
}

/** True for a chunk that no other stream has. */
export function isOwnChunk(fields: Fields): boolean {
  if (!isChunk(fields)) return false;
  const type = stringAt(fields, 'type') ?? '';
  if (type === 'start-step' || type === 'finish-step') return true;
  if (/^(text|reasoning)-delta$/.test(type))
    return typeof ownAt(fields, 'id') === 'string' && Object.hasOwn(fields, 'delta');
  return /^tool-(input|output)-/.test(type) && stringAt(fields, 'toolCallId') !== undefined;
}

/** What became of a chunk: a part of the message, a mark of the stream, or nothing known. */
export type Taken = 'part' | 'mark' | 'other';

/** One streamed message. Add its chunks in order; `done` after the last. */
export class StreamedMessage {
  readonly #open: Open[] = [];
  readonly #texts = new Map<string, OpenText>();
  readonly #calls = new Map<string, OpenCall>();
  #meta: MessageMeta = {};
  #done = false;

  get done(): boolean {
    return this.#done;
  }

  add(record: SourceRecord, fields: Fields): Taken {
    const type = stringAt(fields, 'type') ?? '';
    if (MARKS.has(type)) return this.#mark(type, fields);
    if (type.startsWith('text-') || type.startsWith('reasoning-')) return this.#text(record, fields, type);
    if (type === 'file') return this.#file(record, fields);
    if (type.startsWith('tool-') && !type.startsWith('tool-approval')) return this.#tool(record, fields, type);
    if (type === 'abort') this.#done = true;
    return 'other';
  }

  /** The message as far as it came: an answer for each step, with its results. */
  messages(): Expanded {
    const items = this.#open.flatMap((open): Item | readonly Item[] =>
      open.kind === 'item' ? open.item : itemOf(open),
    );
    return messagesOf('assistant', items, this.#meta);
  }

  #mark(type: string, fields: Fields): Taken {
    if (type === 'start-step' && this.#open.length > 0) this.#open.push({ kind: 'item', item: { kind: 'step' } });
    const own = metaOf({ metadata: ownAt(fields, 'messageMetadata'), ...withoutId(fields) });
    this.#meta = { ...this.#meta, ...own, ...defined({ id: stringAt(fields, 'messageId') ?? this.#meta.id }) };
    if (type === 'finish') this.#done = true;
    return 'mark';
  }

  #text(record: SourceRecord, fields: Fields, type: string): Taken {
    const kind = type.startsWith('text-') ? 'text' : 'reasoning';
    const key = `${kind} ${contentText(ownAt(fields, 'id'))}`;
    let open = this.#texts.get(key);
    if (!open || type.endsWith('-start')) {
      open = { kind, literal: '', signature: null, origins: [] };
      this.#texts.set(key, open);
      this.#open.push(open);
    }
    const delta = ['delta', 'text'].find((each) => stringAt(fields, each) !== undefined);
    if (type.endsWith('-delta') && delta !== undefined) {
      open.literal += (sliceAt(record.text, [delta]) ?? '""').slice(1, -1);
    }
    open.signature = signatureIn(record.text, fields) ?? open.signature;
    open.origins.push(originOf(record));
    return 'part';
  }

  #file(record: SourceRecord, fields: Fields): Taken {
    const item: Item = { kind: 'block', text: fileBlock({ text: record.text, fields }), origins: [originOf(record)] };
    this.#open.push({ kind: 'item', item });
    return 'part';
  }

  #tool(record: SourceRecord, fields: Fields, type: string): Taken {
    const call = this.#callOf(record, fields);
    const isResult = /^tool-(output-|result$|error$)/.test(type);
    (isResult ? call.resultOrigins : call.origins).push(originOf(record));
    call.name ??= stringAt(fields, 'toolName') === undefined ? null : sliceAt(record.text, ['toolName']);
    if (ownAt(fields, 'providerExecuted') === true) call.byProvider = true;
    const piece = stringAt(fields, 'inputTextDelta') ?? stringAt(fields, 'delta');
    if (type === 'tool-input-delta' && piece !== undefined) call.pieces += piece;
    if (Object.hasOwn(fields, 'input')) call.input = sliceAt(record.text, ['input']);
    call.result = resultOf(type, record.text, fields) ?? call.result;
    return 'part';
  }

  #callOf(record: SourceRecord, fields: Fields): OpenCall {
    const key = ['toolCallId', 'id'].find((each) => stringAt(fields, each) !== undefined);
    const id = key === undefined ? '' : (stringAt(fields, key) ?? '');
    const known = this.#calls.get(id);
    if (known) return known;
    const call: OpenCall = {
      kind: 'call',
      id: key === undefined ? null : sliceAt(record.text, [key]),
      name: null,
      pieces: '',
      input: null,
      result: null,
      byProvider: false,
      origins: [],
      resultOrigins: [],
    };
    this.#calls.set(id, call);
    this.#open.push(call);
    return call;
  }
}

function withoutId({ id: _id, ...others }: Fields): Fields {
  return others;
}

function resultOf(type: string, text: string, fields: Fields): Result | null {
  switch (type) {
    case 'tool-output-available':
    case 'tool-result':
      return { content: asText(sliceAt(text, [Object.hasOwn(fields, 'output') ? 'output' : 'result'])), status: 'ok' };
    case 'tool-output-error':
    case 'tool-input-error':
      return { content: asText(sliceAt(text, ['errorText'])), status: 'error' };
    case 'tool-error':
      return { content: asText(sliceAt(text, ['error'])), status: 'error' };
    case 'tool-output-denied':
      return { content: asText(sliceAt(text, ['reason'])), status: 'denied' };
  }
  return null;
}

function itemOf(open: OpenText | OpenCall): readonly Item[] {
  const { origins } = open;
  if (open.kind === 'call') {
    // Some senders give the input in pieces only; a stream that was cut off leaves half of one: kept as the text it is.
    const streamed = parseJson(open.pieces).error ? jsonString(open.pieces) : open.pieces;
    const call = { ...open, input: open.input ?? (open.pieces === '' ? null : streamed) };
    // A tool that the client ran may be answered in the stream after that of its call.
    return [{ kind: 'call', call, isOnlyResult: origins.length === 0, origins, resultOrigins: open.resultOrigins }];
  }
  if (open.kind === 'text') {
    return [{ kind: 'block', text: `{"type":"text","text":"${open.literal}"}`, origins }];
  }
  const signature = open.signature === null ? '' : `,"signature":${open.signature}`;
  return [{ kind: 'block', text: `{"type":"thinking","thinking":"${open.literal}"${signature}}`, origins }];
}
