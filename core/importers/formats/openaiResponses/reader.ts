import { openaiDiagnosis } from '../../../model/cacheDiagnosis.ts';
import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta } from '../../../model/message.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { type FoldMessage, RequestFolder } from '../../reading/requestFolder.ts';
import { settingsAt } from '../../reading/requestSettings.ts';
import {
  isInjected,
  isKnownItem,
  itemKind,
  joinAnswer,
  messageOf,
  outputOf,
  type ResponseItem,
  responsesUsage,
  saysFailure,
  titleOfItem,
} from '../../reading/responsesItems.ts';
import { defined, isoTime, originOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import { TranscriptHeads } from '../../reading/transcriptHeads.ts';
import type { FormatReader } from '../../types.ts';
import { itemsAt, messagesOf, rules, sameAnswer } from './fold.ts';
import { bodyOf, type Found, isItem, responseOf } from './shapes.ts';

const FORMAT = 'openai-responses';
/** Histories kept for requests that name a response instead of repeating it. */
const MAX_HISTORIES = 64;

/** Reads items one by one, or the requests and responses that hold them. */
export class OpenaiResponsesReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #folder: RequestFolder;
  readonly #tally = new Tally();
  readonly #heads: TranscriptHeads;
  // What the model had before it, answer included, by the id of the response.
  readonly #histories = new Map<string, readonly FoldMessage[]>();
  #asked: readonly FoldMessage[] = [];
  #transcripts = 0;
  #elements = false;
  #continued = false;
  readonly #restarts: Origin[] = [];
  // Items of the answer being read, where the items of a document are records.
  #open: { readonly items: ResponseItem[]; readonly origins: Origin[] } = { items: [], origins: [] };

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
    this.#heads = new TranscriptHeads(this.#sink);
    this.#folder = new RequestFolder(this.#sink, rules, () => String(this.#transcripts++));
  }

  record(record: SourceRecord): void {
    const { value, path } = record;
    if (path.length === 0 && this.#elements) {
      if (isRecord(value)) this.#envelope(record, value);
      return;
    }
    if (path.length > 0) this.#elements = true;
    if (!isRecord(value)) this.#unknown(record, 'untyped');
    else if (path[0] === 'packets') this.#packet(record, value);
    else if (isPiece(value)) this.#sink.ignored(record, 'a piece of a stream, whose last event repeats it as a whole');
    else if (bodyOf(value) || responseOf(value)) this.#exchange(record, value);
    else if (isItem(value)) this.#item(record, value);
    else this.#unknown(record, stringAt(value, 'type') ?? 'untyped');
  }

  settle(): void {
    this.#folder.settle();
  }

  end(): void {
    this.#flush({});
    this.#folder.end();
    if (this.#continued) for (const origin of this.#restarts) this.#tally.add('import.history_rewritten', origin);
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  // Where an event stands that comes now.
  get #at(): number {
    return this.#sink.length - this.#folder.ahead(this.#sink.key);
  }

  #item(record: SourceRecord, value: Fields): void {
    const item = { text: record.text, value };
    const kind = itemKind(value);
    if (this.#sink.key === null) this.#begin({ format: FORMAT });
    if (kind !== 'answer' || !sameAnswer(this.#open.items.at(-1), item)) this.#flush({});
    if (kind === 'answer') {
      this.#open.items.push(item);
      this.#open.origins.push(originOf(record));
    } else {
      this.#emit(kind === 'output' ? outputOf(item) : messageOf(item), {}, [originOf(record)]);
    }
  }

  #flush(meta: MessageMeta): void {
    const { items, origins } = this.#open;
    if (items.length === 0) return;
    this.#open = { items: [], origins: [] };
    this.#emit(joinAnswer(items), meta, origins);
  }

  #emit(message: FoldMessage, meta: MessageMeta, origins: readonly Origin[]): void {
    const own = this.#before(message, this.#sink.length, origins);
    this.#sink.message({ text: message.text, value: message.value, meta: { ...meta, ...own }, origins });
  }

  #begin(meta: TranscriptMeta): void {
    this.#sink.begin(String(this.#transcripts++), meta);
  }

  #packet(record: SourceRecord, packet: Fields): void {
    if (!bodyOf(packet)) this.#sink.ignored(record, 'the packet holds no Responses API request');
    else this.#exchange(record, packet);
  }

  // What stands around the items of a document, or around the packets of a trace.
  #envelope(record: SourceRecord, fields: Fields): void {
    const session = stringAt(fields, 'session');
    if (session !== undefined) this.#nameSession(session);
    const found = bodyOf(fields) ?? emptied(fields);
    const answered = responseOf(fields);
    const whole = answered?.path.length === 0 ? answered : null;
    if (found || whole) {
      if (this.#sink.key === null) this.#begin({ format: FORMAT });
      this.#sink.meta(bodyMeta(record.text, whole ?? found ?? { path: [], body: {} }));
    }
    if (found && stringAt(found.body, 'previous_response_id') !== undefined && !whole) this.#missing(record);
    const meta = whole ? answerMeta(fields, whole.body) : {};
    this.#flush(meta);
    if (whole) this.#heads.see(meta);
    if (answered && !whole) this.#response(record, fields, answered, false);
  }

  // All conversations of a trace were recorded in the one session it names.
  #nameSession(sessionId: string): void {
    for (let i = 0; i < this.#transcripts; i++) this.#sink.begin(String(i), { format: FORMAT, sessionId });
  }

  #exchange(record: SourceRecord, fields: Fields): void {
    this.#flush({});
    const found = bodyOf(fields);
    const answered = responseOf(fields);
    this.#asked = [];
    if (found && found.body !== answered?.body) this.#request(record, fields, found);
    if (answered) this.#response(record, fields, answered, found !== null);
  }

  #request(record: SourceRecord, fields: Fields, found: Found): void {
    const previous = stringAt(found.body, 'previous_response_id');
    const history = previous === undefined ? [] : this.#histories.get(previous);
    if (!history) this.#missing(record);
    const messages = [...(history ?? []), ...inputOf(record.text, found)];
    this.#asked = messages;
    if (messages.length === 0) {
      this.#sink.ignored(record, 'a request without input');
      return;
    }
    const { newMessages, continued } = this.#folder.request(
      messages,
      bodyMeta(record.text, found),
      record,
      (message, index) => this.#before(message, index, [originOf(record)]),
    );
    if (continued) this.#continued = true;
    else if (this.#folder.begun > 1) this.#restarts.push(originOf(record));
    if (newMessages === 0) this.#sink.ignored(record, 'the request repeats a history read before');
    this.#heads.see(defined({ timestamp: timeOf(fields), model: stringAt(found.body, 'model') }));
  }

  #response(record: SourceRecord, fields: Fields, { path, body }: Found, asked: boolean): void {
    const items = itemsAt(record.text, [...path, 'output'], arrayAt(body, 'output') ?? []);
    const id = stringAt(body, 'id');
    if (items.length === 0) {
      if (id !== undefined) this.#remember(id, this.#asked);
      // A request without input and its empty answer only open a connection.
      if (!asked || this.#asked.length > 0) this.#noAnswer(record, path, body);
      return;
    }
    const message = joinAnswer(items);
    if (id !== undefined) this.#remember(id, [...this.#asked, message]);
    const meta = answerMeta(fields, body);
    this.#folder.response(message, meta, { format: FORMAT }, [originOf(record)]);
    this.#heads.see(meta);
  }

  #remember(id: string, history: readonly FoldMessage[]): void {
    this.#histories.set(id, history);
    const [oldest] = this.#histories.keys();
    if (this.#histories.size > MAX_HISTORIES && oldest !== undefined) this.#histories.delete(oldest);
  }

  #noAnswer(record: SourceRecord, path: readonly string[], body: Fields): void {
    if (this.#sink.key === null) this.#begin({ format: FORMAT });
    const status = stringAt(body, 'status') ?? 'no status';
    this.#event(record, 'response', `a response without output (${status})`, sliceAt(record.text, path) ?? record.text);
  }

  #missing(record: SourceRecord): void {
    this.#tally.add('import.history_missing', originOf(record));
  }

  /** What is to be said of a message before it is handed over: its title, a compaction, whether a client wrote it. */
  #before(message: FoldMessage, index: number, origins: readonly Origin[]): MessageMeta {
    const fields = isRecord(message.value) ? message.value : {};
    this.#heads.title(() => titleOfItem(fields));
    const [origin] = origins;
    for (const [i, block] of (arrayAt(fields, 'content') ?? []).entries()) {
      if (!origin || !isRecord(block) || block.type !== 'compaction' || fields.role !== 'assistant') continue;
      const json = sliceAt(message.text, ['content', i]) ?? message.text;
      const text = 'compaction: the provider summarised all before this message';
      const event = { kind: 'compaction', at: index, visibility: 'internal' as const, text, json, origin };
      this.#sink.compaction(event, { at: index, summaryIndex: index });
    }
    if (fields.role === 'tool') return failureOf(fields);
    return fields.role === 'user' && isInjected(fields) ? { injected: true } : {};
  }

  #unknown(record: SourceRecord, type: string): void {
    const known = isRecord(record.value) && isKnownItem(record.value);
    if (!known) this.#tally.add('import.unknown_record', originOf(record), type);
    if (this.#sink.key === null) this.#begin({ format: FORMAT });
    const text = known ? type.replaceAll('_', ' ') : 'a record without a request, response or item';
    this.#event(record, known ? type : `unknown:${type}`, text, record.text);
  }

  #event(record: SourceRecord, kind: string, text: string, json: string): void {
    this.#sink.event({ kind, at: this.#at, visibility: 'internal', text, json, origin: originOf(record) });
  }
}

// A request whose items have been read one by one may have no other mark left than their empty list.
function emptied(fields: Fields): Found | null {
  return arrayAt(fields, 'input') ? { path: [], body: fields } : null;
}

// A stream gives its answer piece by piece, and once more as a whole when it ends.
function isPiece(fields: Fields): boolean {
  const type = stringAt(fields, 'type') ?? '';
  return type.startsWith('response.') && !/^response\.(create|completed|incomplete|failed|done)$/.test(type);
}

function inputOf(text: string, { path, body }: Found): FoldMessage[] {
  const input = ownAt(body, 'input');
  if (Array.isArray(input)) return messagesOf(itemsAt(text, [...path, 'input'], input));
  if (typeof input !== 'string') return [];
  const content = sliceAt(text, [...path, 'input']) ?? '""';
  return [{ text: `{"role":"user","content":${content}}`, value: { role: 'user', content: input } }];
}

function bodyMeta(text: string, { path, body }: Found): TranscriptMeta {
  const model = stringAt(body, 'model');
  const system = stringAt(body, 'instructions') ?? '';
  return {
    format: FORMAT,
    ...defined({
      models: model === undefined ? undefined : [model],
      systemJson: system === '' ? undefined : (sliceAt(text, [...path, 'instructions']) ?? undefined),
      toolsJson: arrayAt(body, 'tools') ? (sliceAt(text, [...path, 'tools']) ?? undefined) : undefined,
      settingsJson: settingsAt(FORMAT, text, path, body),
    }),
  };
}

function timeOf(fields: Fields): string | undefined {
  return isoTime(ownAt(fields, 'timestamp'));
}

function answerMeta(fields: Fields, body: Fields): MessageMeta {
  return defined({
    timestamp: timeOf(fields) ?? isoTime(ownAt(body, 'created_at')),
    model: stringAt(body, 'model'),
    usage: responsesUsage(ownAt(body, 'usage')),
    stopReason: stringAt(recordAt(body, 'incomplete_details') ?? {}, 'reason') ?? stringAt(body, 'status'),
    id: stringAt(body, 'id'),
    cacheDiagnosis: openaiDiagnosis(body),
  });
}

// Codex says in the head of an output, and nowhere else, that a command failed.
function failureOf(output: Fields): MessageMeta {
  const callId = stringAt(output, 'tool_call_id');
  return callId !== undefined && saysFailure(output.content) ? { failedCallIds: [callId] } : {};
}
