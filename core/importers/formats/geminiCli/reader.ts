import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { grouped } from '../../../util/counts.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { BranchPath } from '../../reading/branchPath.ts';
import { defined, Extent, isoTime, originOf, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { humanPart } from '../gemini.ts';
import { answerMessages, type EntryMessage, startedIn, userMessage } from './messages.ts';

type Entry = { readonly record: SourceRecord; readonly fields: Fields };

const ID = 'gemini-cli';
const MAIN = 'main';
/** An entry is written again when its calls have run; so many newer ones may stand between. Real files had none. */
const MAX_BETWEEN = 64;
/** So many ids are remembered, to know a line that comes too late. */
const MAX_IDS = 20_000;

const SPEAKERS: ReadonlySet<string> = new Set(['user', 'gemini', 'model']);
/** Where an entry holds what was said; one with none of these is not a message. */
const SAID = ['content', 'parts', 'thoughts', 'toolCalls'];

/** What an entry became: messages from `from` on, none for an event. */
interface Known {
  readonly serial: number;
  readonly type: string;
  readonly from: number;
  readonly count: number;
  readonly origins: readonly Origin[];
}

/** Reads entries in order. A line with an id seen before is the same entry, fuller: its messages are amended. */
export class GeminiCliReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #extent = new Extent();
  readonly #path = new BranchPath(MAIN);
  readonly #known = new Map<string, Known>();
  readonly #started = new Set<string>();
  #title: string | undefined;
  #named = false;
  #elements = 0;
  #serial = 0;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    if (this.#sink.key === null) this.#sink.begin(MAIN, { format: ID });
    if (record.path.length > 0) this.#elements++;
    const fields = isRecord(record.value) ? record.value : {};
    const patch = recordAt(fields, '$set');
    if (patch) this.#patch(record, patch);
    else if (stringAt(fields, '$rewindTo') !== undefined) this.#rewind(record, fields);
    else if (stringAt(fields, 'type') !== undefined) this.#entry({ record, fields });
    else if (this.#isSession(record, fields)) this.#session(record, fields);
    else this.#unknown(record);
  }

  // A line, or what stands around the messages of a document; an entry of these is none, whatever it names.
  #isSession({ path }: SourceRecord, fields: Fields): boolean {
    return path.length === 0 && (this.#elements > 0 || stringAt(fields, 'sessionId') !== undefined);
  }

  settle(): void {
    if (this.#sink.key !== null) this.#sink.meta({ ...defined({ title: this.#title }), ...this.#extent.meta() });
  }

  end(): void {
    this.settle();
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
    const { branches } = this.#path;
    if (branches === 0) return;
    const text = `The conversation was rewound ${branches === 1 ? 'once' : `${grouped(branches)} times`}; what was taken back is a separate transcript${branches === 1 ? '' : ' each'}.`;
    this.#sink.problem({ code: 'import.branches', severity: 'info', text });
  }

  #entry(entry: Entry): void {
    const id = stringAt(entry.fields, 'id');
    const known = id === undefined ? undefined : this.#known.get(id);
    if (known && this.#amend(entry, known)) return;
    if (known && known.count > 0) this.#tally.add('import.late_block', originOf(entry.record));
    this.#emit(entry);
  }

  // False if what is known has another shape, or stands too far back for messages to be added to it.
  #amend({ record, fields }: Entry, known: Known): boolean {
    const type = stringAt(fields, 'type') ?? '';
    if (known.count === 0 || known.type !== type || this.#serial - known.serial > MAX_BETWEEN) return false;
    const messages = this.#messagesOf(record, fields, type);
    const more = messages.slice(known.count);
    const isLast = known.from + known.count === this.#sink.length;
    if (messages.length < known.count || (more.length > 0 && !isLast)) return false;
    const origins = [...known.origins, originOf(record)];
    for (const [i, { text, meta }] of messages.slice(0, known.count).entries()) {
      this.#sink.amend(known.from + i, { text, value: JSON.parse(text), meta, origins });
    }
    for (const message of more) this.#message(record, message);
    this.#learn(fields, type);
    this.#remember(fields, { ...known, count: messages.length, origins });
    return true;
  }

  #emit({ record, fields }: Entry): void {
    const type = stringAt(fields, 'type') ?? '';
    const from = this.#sink.length;
    const messages = this.#messagesOf(record, fields, type);
    this.#extent.time(isoTime(ownAt(fields, 'timestamp')));
    const words = type === 'user' ? humanPart(contentOf(fields)) : undefined;
    for (const message of messages) this.#message(record, message, words);
    if (messages.length === 0) this.#note(record, fields, type);
    this.#learn(fields, type);
    const serial = ++this.#serial;
    this.#remember(fields, { serial, type, from, count: messages.length, origins: [originOf(record)] });
  }

  #messagesOf(record: SourceRecord, fields: Fields, type: string): readonly EntryMessage[] {
    if (!SAID.some((key) => Object.hasOwn(fields, key))) return [];
    if (type === 'user') return [userMessage(record, fields)];
    return type === 'gemini' || type === 'model' ? answerMessages(record, fields) : [];
  }

  #message(record: SourceRecord, { text, meta }: EntryMessage, words?: string): void {
    this.#path.append(words);
    this.#sink.message({ text, value: JSON.parse(text), meta, origins: [originOf(record)] });
  }

  #learn(fields: Fields, type: string): void {
    if (type === 'user')
      this.#named ||= this.#titleFrom(ownAt(fields, 'displayContent')) || this.#titleFrom(contentOf(fields));
    this.#extent.model(type === 'user' ? undefined : stringAt(fields, 'model'));
    for (const spawn of startedIn(fields)) {
      if (this.#started.has(spawn.callId)) continue;
      this.#started.add(spawn.callId);
      this.#sink.spawn(spawn);
    }
  }

  #remember(fields: Fields, known: Known): void {
    const id = stringAt(fields, 'id');
    if (id === undefined) return;
    this.#known.set(id, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_IDS && oldest !== undefined) this.#known.delete(oldest);
  }

  #titleFrom(content: unknown): boolean {
    const title = humanPart(content);
    this.#title ??= title;
    return title !== undefined;
  }

  #note(record: SourceRecord, fields: Fields, type: string): void {
    const known = type === 'info' || type === 'error' || type === 'warning';
    if (SPEAKERS.has(type)) this.#tally.add('import.message_without_content', originOf(record), type);
    else if (!known) this.#tally.add('import.unknown_record', originOf(record), type);
    const said = humanPart(contentOf(fields));
    this.#event(record, known || SPEAKERS.has(type) ? type : `unknown:${type}`, said ?? `an entry of the type ${type}`);
  }

  #event(record: SourceRecord, kind: string, text: string): void {
    const timestamp = isRecord(record.value) ? isoTime(ownAt(record.value, 'timestamp')) : undefined;
    this.#sink.event({
      kind,
      at: this.#sink.length,
      visibility: 'internal',
      text,
      ...defined({ timestamp }),
      json: record.text,
      origin: originOf(record),
    });
  }

  // The first line, or what stands around the messages of a document.
  #session(record: SourceRecord, fields: Fields): void {
    this.#sessionFacts(fields);
    if (this.#elements > 0) return;
    this.#event(record, 'session', `session of kind ${stringAt(fields, 'kind') ?? 'main'}`);
    for (const entry of this.#freshEntries(record, ['messages'], fields)) this.#emit(entry);
  }

  #sessionFacts(fields: Fields): void {
    const [folder] = arrayAt(fields, 'directories') ?? [];
    const summary = stringAt(fields, 'summary');
    for (const key of ['startTime', 'lastUpdated']) this.#extent.time(isoTime(ownAt(fields, key)));
    const meta: Partial<TranscriptMeta> = defined({
      sessionId: stringAt(fields, 'sessionId'),
      agentId: stringAt(fields, 'kind') === 'subagent' ? stringAt(fields, 'sessionId') : undefined,
      cwd: typeof folder === 'string' ? folder : undefined,
    });
    this.#sink.meta(meta);
    this.#title = (summary === undefined ? undefined : titleOf(summary)) ?? this.#title;
  }

  // A patch of the session's facts; one with messages says what the model is given from now on.
  #patch(record: SourceRecord, patch: Fields): void {
    this.#sessionFacts(patch);
    const messages = arrayAt(patch, 'messages');
    if (!messages) {
      this.#sink.ignored(record, 'a patch of the facts of the session, which were taken over');
      return;
    }
    const kept = new Set(messages.flatMap((entry) => this.#indicesOf(idOf(entry))));
    const fresh = this.#freshEntries(record, ['$set', 'messages'], patch);
    if (kept.size < this.#sink.length) this.#compaction(record, kept);
    else if (fresh.length === 0) this.#sink.ignored(record, 'a patch that repeats the messages read before');
    for (const entry of fresh) this.#emit(entry);
  }

  // The entries of a list inside a record that were not read before.
  #freshEntries(record: SourceRecord, path: readonly string[], holder: Fields): Entry[] {
    const list = sliceAt(record.text, path);
    if (!list?.startsWith('[')) return [];
    const spans = elementSpans(list, 0);
    return (arrayAt(holder, 'messages') ?? []).flatMap((value, at) => {
      const span = spans[at];
      if (!span || !isRecord(value) || this.#known.has(idOf(value) ?? '')) return [];
      return [{ record: { ...record, text: list.slice(span.start, span.end), value }, fields: value }];
    });
  }

  #compaction(record: SourceRecord, kept: ReadonlySet<number>): void {
    const at = this.#sink.length;
    const preserved = [...kept].sort((a, b) => a - b);
    const text = `the client replaced the history; ${grouped(preserved.length)} of ${grouped(at)} messages were kept`;
    this.#sink.compaction(
      { kind: 'compaction', at, visibility: 'internal', text, json: record.text, origin: originOf(record) },
      { at, ...(preserved.length > 0 ? { preserved } : {}) },
    );
  }

  #indicesOf(id: string | undefined): number[] {
    const { from, count } = this.#known.get(id ?? '') ?? { from: 0, count: 0 };
    return Array.from({ length: count }, (_none, i) => from + i);
  }

  // The entry named and all after it are taken back. Source: the client's chatRecordingService.
  #rewind(record: SourceRecord, fields: Fields): void {
    const id = stringAt(fields, '$rewindTo') ?? '';
    const known = this.#known.get(id);
    const name = `branch at byte ${record.byteStart}`;
    const { rewind } = (known && this.#path.goTo(this.#path.nodeAt(known.from - 1), name)) ?? {};
    if (known && rewind) {
      const title = rewind.leave.meta.title ?? this.#title;
      const meta = { ...this.#extent.meta(), ...rewind.leave.meta, ...defined({ title }) };
      this.#sink.rewind({ ...rewind, leave: { ...rewind.leave, meta } });
      for (const [key, { from }] of this.#known) if (from >= known.from) this.#known.delete(key);
    }
    this.#event(record, 'rewind', `rewound to ${known ? `message #${known.from}` : `the entry ${id}`}`);
  }

  #unknown(record: SourceRecord): void {
    this.#tally.add('import.unknown_record', originOf(record), 'untyped');
    this.#event(record, 'unknown:untyped', 'an entry without a type');
  }
}

function idOf(entry: unknown): string | undefined {
  return isRecord(entry) ? stringAt(entry, 'id') : undefined;
}

function contentOf(fields: Fields): unknown {
  return ownAt(fields, 'content') ?? ownAt(fields, 'parts');
}
