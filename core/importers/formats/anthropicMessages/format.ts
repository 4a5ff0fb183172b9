// Messages API bodies: a request, a response, {request, response}, proxy traces {packets: […]}, and lines of these.
// Successive requests of one conversation differ by where cache_control stands and by nothing else that counts: they
// are compared without it, and each message is kept with the text of its first occurrence. An answer keeps the text in
// which the next request sent it back (with its signatures); the response's own only if none did.

import { anthropicDiagnosis } from '../../../model/cacheDiagnosis.ts';
import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import { inputTransformations } from '../../../model/inputTransformations.ts';
import type { MessageMeta } from '../../../model/message.ts';
import { toolChange } from '../../../model/toolChange.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { type FoldMessage, messagesAt, RequestFolder } from '../../reading/requestFolder.ts';
import { settingsAt } from '../../reading/requestSettings.ts';
import {
  anthropicSpeed,
  anthropicUsage,
  appliedEdits,
  defined,
  humanText,
  isoTime,
  originOf,
} from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import { TranscriptHeads } from '../../reading/transcriptHeads.ts';
import { allBut, type Detection, type Format, type FormatReader, type Sniff } from '../../types.ts';
import { answerOf, identityOf } from './compare.ts';
import { isStreamEvent, StreamedAnswer } from './streamedAnswer.ts';

const ID = 'anthropic-messages';
const LOOKS_FOR =
  'a Messages API request (messages with max_tokens, system or tool_use/tool_result blocks), a response (type message), or packets of these';
const OWN_BLOCKS = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'web_search_tool_result',
  'compaction',
]);

/** Requests and responses of the Messages API, folded into conversations. */
export const anthropicMessages: Format = {
  id: ID,
  title: 'Anthropic Messages API',
  looksFor: LOOKS_FOR,
  recovers: allBut('folder', 'times', 'sub-agents', 'branches'),
  detect,
  elements: [
    ['messages', '*'],
    ['packets', '*'],
    ['request', 'messages', '*'],
    ['request', 'body', 'messages', '*'],
  ],
  open: (sink) => new AnthropicReader(sink),
};

function detect(sniff: Sniff): Detection {
  let score = 0;
  for (const value of sniff.values.slice(0, 10)) score = Math.max(score, scoreOf(value));
  return { score, why: score > 0 ? 'bodies of the Anthropic Messages API' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (!isRecord(value)) return 0;
  if (isResponse(value) || (value.type === 'message_start' && recordAt(value, 'message'))) return 0.95;
  const packets = arrayAt(value, 'packets');
  if (packets) return packets.some((packet) => isRecord(packet) && isMessagesPacket(packet)) ? 0.95 : 0;
  const found = bodyOf(value);
  // A long response may show no more than its first key in the head.
  if (!found && Object.keys(value).length === 1 && hasOwnBlocks(value)) return 0.6;
  if (!found) return responseOf(value) ? 0.9 : 0;
  return scoreOfBody(found.body, found.messages);
}

function scoreOfBody(body: Fields, messages: readonly unknown[]): number {
  if (stringAt(body, '_type') !== undefined) return 0;
  if (messages.some((message) => isRecord(message) && Object.hasOwn(message, 'tool_calls'))) return 0.1;
  const roles = messages.filter((message) => isRecord(message) && Object.hasOwn(message, 'content'));
  if (roles.length === 0 && messages.length > 0) return 0;
  if (ownAt(body, 'system') !== undefined || ownAt(body, 'anthropic_version') !== undefined) return 0.9;
  if (messages.some((message) => isRecord(message) && hasOwnBlocks(message))) return 0.9;
  const tools = arrayAt(body, 'tools') ?? [];
  if (tools.some((tool) => isRecord(tool) && ownAt(tool, 'input_schema') !== undefined)) return 0.9;
  if (/claude/i.test(stringAt(body, 'model') ?? '') && messages.length > 0) return 0.75;
  return ownAt(body, 'max_tokens') !== undefined && messages.length > 0 ? 0.5 : 0;
}

function hasOwnBlocks(message: Fields): boolean {
  const blocks = arrayAt(message, 'content') ?? [];
  return blocks.some(
    (block) =>
      isRecord(block) && (OWN_BLOCKS.has(stringAt(block, 'type') ?? '') || Object.hasOwn(block, 'cache_control')),
  );
}

function isResponse(fields: Fields): boolean {
  return (
    ownAt(fields, 'type') === 'message' &&
    ownAt(fields, 'role') === 'assistant' &&
    arrayAt(fields, 'content') !== undefined
  );
}

function isMessagesPacket(packet: Fields): boolean {
  return /\/v1\/messages\b/.test(stringAt(packet, 'path') ?? '') || bodyOf(packet) !== null;
}

interface Found {
  readonly path: readonly string[];
  readonly body: Fields;
}

function follow(fields: Fields, path: readonly string[]): Fields | null {
  let at: unknown = fields;
  for (const step of path) at = isRecord(at) ? ownAt(at, step) : undefined;
  return isRecord(at) ? at : null;
}

function bodyOf(fields: Fields): (Found & { readonly messages: readonly unknown[] }) | null {
  for (const path of [[], ['request', 'body'], ['request'], ['body']]) {
    const body = follow(fields, path);
    const messages = body && arrayAt(body, 'messages');
    if (body && messages) return { path, body, messages };
  }
  return null;
}

function responseOf(fields: Fields): Found | null {
  for (const path of [[], ['response', 'body'], ['response']]) {
    const body = follow(fields, path);
    if (body && isResponse(body)) return { path, body };
  }
  return null;
}

class AnthropicReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #folder: RequestFolder;
  readonly #tally = new Tally();
  readonly #heads: TranscriptHeads;
  /** Of each transcript the tools of its last request, as they are in the log. */
  readonly #tools = new Map<string | null, string>();
  #answer: StreamedAnswer | null = null;
  #transcripts = 0;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
    this.#heads = new TranscriptHeads(this.#sink);
    const rules = { format: ID, identity: identityOf, answer: answerOf };
    this.#folder = new RequestFolder(this.#sink, rules, () => String(this.#transcripts++));
  }

  record(record: SourceRecord): void {
    const { value, path } = record;
    if (path.at(-2) === 'messages') this.#single(record);
    else if (isRecord(value) && path[0] === 'packets') this.#packet(record, value);
    else if (isRecord(value) && isStreamEvent(value)) this.#streamed(record, value);
    else if (isRecord(value) && value.type === 'ping') this.#sink.ignored(record, 'a ping keeps a stream alive');
    else if (isRecord(value) && this.#isEnvelope(record)) this.#envelope(record, value);
    else if (isRecord(value) && (bodyOf(value) || responseOf(value))) this.#exchange(record, value);
    else this.#unknown(record);
  }

  settle(): void {
    this.#folder.settle();
  }

  end(): void {
    this.#endStreamed();
    this.#folder.end();
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  // Where an event stands that comes now.
  get #at(): number {
    return this.#sink.length - this.#folder.ahead(this.#sink.key);
  }

  // The remainder of a document whose messages or packets have been read one by one.
  #isEnvelope(record: SourceRecord): boolean {
    return record.path.length === 0 && this.#elements;
  }

  #elements = false;

  #single(record: SourceRecord): void {
    this.#elements = true;
    if (this.#sink.key === null) this.#begin({ format: ID });
    this.#before({ text: record.text, value: record.value }, record, this.#sink.length);
    this.#sink.message({ text: record.text, value: record.value, meta: {}, origins: [originOf(record)] });
  }

  #begin(meta: TranscriptMeta): void {
    this.#sink.begin(String(this.#transcripts++), meta);
  }

  #streamed(record: SourceRecord, fields: Fields): void {
    if (fields.type === 'message_start') this.#endStreamed();
    this.#answer ??= new StreamedAnswer();
    this.#answer.add(record, fields);
    if (this.#answer.done) this.#endStreamed();
  }

  #endStreamed(): void {
    const answer = this.#answer;
    if (!answer) return;
    this.#answer = null;
    const { meta, origins } = answer;
    this.#folder.response(answer.message(), meta, { format: ID }, origins);
    this.#heads.see(meta);
  }

  #packet(record: SourceRecord, packet: Fields): void {
    this.#elements = true;
    const path = stringAt(packet, 'path') ?? '';
    if (path.includes('count_tokens')) this.#sink.ignored(record, 'a count_tokens request continues no conversation');
    else if (!bodyOf(packet)) this.#sink.ignored(record, 'the packet holds no Messages API request');
    else this.#exchange(record, packet);
  }

  #envelope(record: SourceRecord, fields: Fields): void {
    if (this.#sink.key === null) return;
    const found = bodyOf(fields);
    if (found) this.#sink.meta(requestMeta(record.text, found));
    const session = stringAt(fields, 'session');
    if (session !== undefined) this.#nameSession(session);
    const answered = responseOf(fields);
    if (!answered) return;
    const { message, meta } = answer(record, answered);
    this.#before(message, record, this.#sink.length);
    this.#sink.message({ text: message.text, value: message.value, meta, origins: [originOf(record)] });
    this.#heads.see(meta);
  }

  // All conversations of a trace were recorded in the one session it names.
  #nameSession(sessionId: string): void {
    for (let i = 0; i < this.#transcripts; i++) this.#sink.begin(String(i), { format: ID, sessionId });
  }

  #exchange(record: SourceRecord, fields: Fields): void {
    const found = bodyOf(fields);
    const answered = responseOf(fields);
    if (found) this.#request(record, fields, found);
    if (answered) {
      const { message, meta } = answer(record, answered);
      const model = stringAt(answered.body, 'model');
      this.#folder.response(message, meta, { format: ID, ...(model === undefined ? {} : { models: [model] }) }, [
        originOf(record),
      ]);
      this.#heads.see(meta);
      this.#appliedEdits(record, answered);
    } else if (found) {
      this.#noAnswer(record, fields);
    }
  }

  #request(record: SourceRecord, fields: Fields, found: Found & { readonly messages: readonly unknown[] }): void {
    const messages = messagesAt(record.text, [...found.path, 'messages'], found.messages);
    const meta = requestMeta(record.text, found);
    const { newMessages } = this.#folder.request(messages, meta, record, (message, index) => {
      this.#before(message, record, index);
      return {};
    });
    this.#heads.see({ ...timeOf(fields), ...defined({ model: stringAt(found.body, 'model') }) });
    this.#compareTools(record, meta.toolsJson);
    if (newMessages === 0) this.#sink.ignored(record, 'the request repeats a history read before');
  }

  #compareTools(record: SourceRecord, now: string | undefined): void {
    const { key } = this.#sink;
    const before = this.#tools.get(key);
    if (now === undefined || now === before) return;
    this.#tools.set(key, now);
    if (before !== undefined && toolChange(JSON.parse(before), JSON.parse(now)) === 'reordered')
      this.#tally.add('import.tools_reordered', originOf(record));
  }

  // A compaction block is where the provider put a summary in place of all before it.
  #before(message: FoldMessage, record: SourceRecord, index: number): void {
    if (!isRecord(message.value)) return;
    const { value } = message;
    this.#heads.title(() => (value.role === 'user' ? humanText(ownAt(value, 'content')) : undefined));
    const blocks = arrayAt(message.value, 'content') ?? [];
    blocks.forEach((block, i) => {
      // One without a content is of a compaction that failed: it stands for nothing.
      if (!isRecord(block) || ownAt(block, 'type') !== 'compaction' || stringAt(block, 'content') === undefined) return;
      const json = sliceAt(message.text, ['content', i]) ?? message.text;
      const text = 'compaction: the provider summarised all before this message';
      const event = {
        kind: 'compaction',
        at: index,
        visibility: 'internal' as const,
        text,
        json,
        origin: originOf(record),
      };
      this.#sink.compaction(event, { at: index, summaryIndex: index });
    });
  }

  #appliedEdits(record: SourceRecord, { path, body }: Found): void {
    const edits = arrayAt(recordAt(body, 'context_management') ?? {}, 'applied_edits') ?? [];
    if (edits.length === 0) return;
    const json = sliceAt(record.text, [...path, 'context_management']) ?? '';
    const kinds = edits.map((edit) => (isRecord(edit) ? (stringAt(edit, 'type') ?? '?') : '?')).join(', ');
    this.#event(record, 'context_management', `the provider edited the context: ${kinds}`, json);
  }

  #noAnswer(record: SourceRecord, fields: Fields): void {
    const path = follow(fields, ['response', 'body']) ? ['response', 'body'] : ['response'];
    const json = sliceAt(record.text, path);
    if (json === null || json === 'null') return;
    this.#event(record, 'response', 'a response that holds no message', json);
  }

  #unknown(record: SourceRecord): void {
    if (record.path.length === 0 && record.error) return;
    const type = (isRecord(record.value) ? stringAt(record.value, 'type') : undefined) ?? 'untyped';
    this.#tally.add('import.unknown_record', originOf(record), type);
    if (this.#sink.key === null) this.#begin({ format: ID });
    this.#event(record, `unknown:${type}`, 'a record without a request or response', record.text);
  }

  #event(record: SourceRecord, kind: string, text: string, json: string): void {
    this.#sink.event({ kind, at: this.#at, visibility: 'internal', text, json, origin: originOf(record) });
  }
}

/** A response as a message: role and content exactly as it has them, the rest beside it. */
function answer(record: SourceRecord, { path, body }: Found): { message: FoldMessage; meta: MessageMeta } {
  const content = sliceAt(record.text, [...path, 'content']) ?? '[]';
  const outer = isRecord(record.value) ? record.value : {};
  const meta = defined({
    ...timeOf(outer),
    model: stringAt(body, 'model'),
    usage: anthropicUsage(ownAt(body, 'usage')),
    appliedEdits: appliedEdits(ownAt(body, 'context_management')),
    stopReason: stringAt(body, 'stop_reason'),
    id: stringAt(body, 'id'),
    cacheDiagnosis: anthropicDiagnosis(body),
    inputTransformations: inputTransformations(body),
    speed: anthropicSpeed(ownAt(body, 'usage')),
  });
  const value = { role: 'assistant', content: ownAt(body, 'content') };
  return { message: { text: `{"role":"assistant","content":${content}}`, value }, meta };
}

function timeOf(fields: Fields): { timestamp?: string } {
  return defined({ timestamp: isoTime(ownAt(fields, 'timestamp')) });
}

function requestMeta(text: string, { path, body }: Found): TranscriptMeta {
  const model = stringAt(body, 'model');
  return {
    format: ID,
    ...defined({
      models: model === undefined ? undefined : [model],
      systemJson: ownAt(body, 'system') === undefined ? undefined : (sliceAt(text, [...path, 'system']) ?? undefined),
      toolsJson: arrayAt(body, 'tools') ? (sliceAt(text, [...path, 'tools']) ?? undefined) : undefined,
      settingsJson: settingsAt(ID, text, path, body),
    }),
  };
}
