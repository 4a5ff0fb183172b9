import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta } from '../../../model/message.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { replaceAt } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import { fingerprint } from '../../fingerprint.ts';
import { HistoryFolder } from '../../reading/historyFolder.ts';
import { defined, Extent, humanText, originOf, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { type Expanded, expand, type SdkMessage } from './message.ts';
import { isMessage, listIn, wrapped } from './shapes.ts';
import { isChunk, StreamedMessage } from './stream.ts';

const ID = 'ai-sdk';
/** Messages that stand one by one, and streams; transcripts of lists have numbers. */
const MAIN = 'main';

interface Note {
  readonly record: SourceRecord;
  readonly type: string;
}

interface Facts {
  readonly extent: Extent;
  isTitled: boolean;
}

/** Reads messages one by one, lists that repeat their history, and streamed messages. */
export class AiSdkReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #folder: HistoryFolder<SdkMessage>;
  readonly #facts = new Map<string, Facts>();
  readonly #seen = new Map<string, string>();
  #record: SourceRecord | null = null;
  #elements = 0;
  #stream: StreamedMessage | null = null;
  // Chunks that are not part of the message their stream carries.
  #notes: Note[] = [];

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
    this.#folder = new HistoryFolder<SdkMessage>({
      identity: ({ text }) => text,
      begin: (key) => this.#enter(key),
      emit: (message) => this.#emit(message),
    });
  }

  record(record: SourceRecord): void {
    const { value, path } = record;
    const fields = isRecord(value) ? value : {};
    if (path.length > 0) this.#elements++;
    if (isRecord(value) && isChunk(value)) {
      this.#chunk(record, value);
      return;
    }
    this.#endStream();
    this.#record = record;
    const message = wrapped(fields);
    const list = Array.isArray(value) && value.some(isMessage) ? { path: [], values: value } : listIn(fields);
    if (path.length === 0 && this.#elements > 0) this.#document(record, fields);
    else if (isMessage(value)) this.#single(record, record.text, value);
    else if (message) this.#single(record, sliceAt(record.text, ['message']) ?? '{}', message);
    else if (list) this.#list(record, list.path, list.values, fields);
    else this.#unknown(record);
  }

  end(): void {
    this.#endStream();
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #enter(key: string): void {
    if (this.#sink.key !== key) this.#sink.begin(key, { format: ID });
  }

  #single(record: SourceRecord, text: string, fields: Fields): void {
    this.#enter(MAIN);
    const id = stringAt(fields, 'id');
    const before = id === undefined ? undefined : this.#seen.get(id);
    const print = id === undefined ? '' : fingerprint(text);
    if (before === print) {
      this.#sink.ignored(record, 'the message was read before');
      return;
    }
    if (before !== undefined) this.#tally.add('import.uuid_reused', originOf(record));
    if (id !== undefined) this.#seen.set(id, print);
    const { messages, notes } = expand({ text, fields });
    for (const message of messages) this.#emit(message);
    for (const { type, text: json } of notes) this.#event(record, type, `a part of type ${type}`, json);
    if (messages.length === 0 && notes.length === 0) this.#event(record, 'message', 'a message without content');
  }

  #emit(message: SdkMessage): void {
    const origins: readonly Origin[] = message.origins ?? (this.#record ? [originOf(this.#record)] : []);
    this.#sink.message({ text: message.text, value: message.value, meta: message.meta, origins });
    this.#see(message.value, message.meta);
  }

  #see(value: unknown, meta: MessageMeta): void {
    const key = this.#sink.key ?? MAIN;
    const facts = this.#facts.get(key) ?? { extent: new Extent(), isTitled: false };
    this.#facts.set(key, facts);
    facts.extent.time(meta.timestamp);
    facts.extent.model(meta.model);
    const isTitle = !facts.isTitled && isRecord(value) && value.role === 'user';
    const title = isTitle ? humanText(ownAt(value, 'content')) : undefined;
    if (title !== undefined) facts.isTitled = true;
    this.#sink.meta({ ...facts.extent.meta(), ...defined({ title }) });
  }

  #list(record: SourceRecord, path: readonly (string | number)[], values: readonly unknown[], body: Fields): void {
    const text = sliceAt(record.text, path) ?? '[]';
    const expanded = elementSpans(text, 0).map(({ start, end }, at): Expanded => {
      const value = values[at];
      const own = text.slice(start, end);
      if (isMessage(value)) return expand({ text: own, fields: value });
      return { messages: [], notes: [{ type: 'unknown:message', text: own }] };
    });
    const { key, added } = this.#folder.add(expanded.flatMap(({ messages }) => messages));
    if (added > 0 || this.#sink.key === null) this.#enter(added > 0 ? key : MAIN);
    if (added === 0) {
      this.#sink.ignored(record, 'the history was read before');
      return;
    }
    this.#sink.meta(metaOfBody(record.text, body));
    for (const { type, text: json } of expanded.flatMap(({ notes }) => notes)) {
      this.#event(record, type, `a part of type ${type}`, json);
    }
    const names = Object.keys(body).filter((name) => name !== path[0]);
    if (names.length > 0) this.#event(record, 'request', around(names), replaceAt(record.text, path, '[]'));
  }

  // What stands around the messages of a document.
  #document(record: SourceRecord, fields: Fields): void {
    if (this.#sink.key === null) return;
    this.#sink.meta(metaOfBody(record.text, fields));
    const names = Object.keys(fields).filter((name) => name !== 'messages');
    if (names.length > 0) this.#event(record, 'request', around(names));
  }

  #chunk(record: SourceRecord, fields: Fields): void {
    this.#enter(MAIN);
    if (stringAt(fields, 'type') === 'start') this.#endStream();
    this.#stream ??= new StreamedMessage();
    const taken = this.#stream.add(record, fields);
    if (taken === 'mark') this.#sink.ignored(record, 'a mark of the stream');
    else if (taken === 'other') this.#notes.push({ record, type: stringAt(fields, 'type') ?? 'chunk' });
    if (this.#stream.done) this.#endStream();
  }

  #endStream(): void {
    if (!this.#stream) return;
    for (const message of this.#stream.messages().messages) this.#emit(message);
    this.#stream = null;
    for (const { record, type } of this.#notes) this.#event(record, type, `a chunk of type ${type}`);
    this.#notes = [];
  }

  #unknown(record: SourceRecord): void {
    const type = (isRecord(record.value) ? stringAt(record.value, 'type') : undefined) ?? 'untyped';
    this.#tally.add('import.unknown_record', originOf(record), type);
    this.#enter(this.#sink.key ?? MAIN);
    this.#event(record, `unknown:${type}`, 'a record without messages');
  }

  #event(record: SourceRecord, kind: string, text: string, json = record.text): void {
    const at = this.#sink.length;
    this.#sink.event({ kind, at, visibility: 'internal', text, json, origin: originOf(record) });
  }
}

function around(names: readonly string[]): string {
  return titleOf(`around the messages: ${names.join(', ')}`) ?? 'around the messages';
}

function metaOfBody(text: string, body: Fields): Partial<TranscriptMeta> {
  const toolsJson = arrayAt(body, 'tools') ? (sliceAt(text, ['tools']) ?? undefined) : undefined;
  const system = stringAt(body, 'system') === undefined ? undefined : (sliceAt(text, ['system']) ?? undefined);
  const sessionId = ['chatId', 'id', 'sessionId'].map((key) => stringAt(body, key)).find((id) => id !== undefined);
  return defined({ toolsJson, systemJson: system, sessionId, title: stringAt(body, 'title') });
}
