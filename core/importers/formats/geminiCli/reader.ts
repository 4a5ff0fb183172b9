import type { TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { elementSpans, sliceAt } from '../../slices.ts';
import type { FormatReader, ImportSink, SourceRecord } from '../../types.ts';
import { humanPart } from '../gemini.ts';
import { defined, Extent, isoTime, originOf, titleOf } from '../shared.ts';
import { Tally } from '../tally.ts';
import { TrackingSink } from '../trackingSink.ts';
import { answerMessages, userMessage } from './messages.ts';

type Fields = Readonly<Record<string, unknown>>;
type Entry = { readonly record: SourceRecord; readonly fields: Fields };

const ID = 'gemini-cli';
/** An entry is written again when its calls have run; so many newer ones are awaited. Real files had none between. */
const MAX_HELD = 64;
/** So many ids are remembered, to know a line that comes too late. */
const MAX_IDS = 20_000;

/** Reads entries in order; of lines with the same id the last counts, at the place of the first. */
export class GeminiCliReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #extent = new Extent();
  #held: Entry[] = [];
  // Source indices of the messages an entry became.
  readonly #indices = new Map<string, readonly number[]>();
  #title: string | undefined;
  #named = false;
  #rewinds = 0;
  #elements = 0;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    if (this.#sink.key === null) this.#sink.begin('main', { format: ID });
    if (record.path.length > 0) this.#elements++;
    const fields = isRecord(record.value) ? record.value : {};
    const patch = recordAt(fields, '$set');
    if (patch) this.#patch(record, patch);
    else if (stringAt(fields, '$rewindTo') !== undefined) this.#rewind(record, fields);
    else if (stringAt(fields, 'type') !== undefined) this.#hold({ record, fields });
    else if (stringAt(fields, 'sessionId') !== undefined || this.#isRemainder(record)) this.#session(record, fields);
    else this.#unknown(record);
  }

  #isRemainder({ path }: SourceRecord): boolean {
    return path.length === 0 && this.#elements > 0;
  }

  end(): void {
    this.#release(0);
    if (this.#sink.key !== null) this.#sink.meta({ ...defined({ title: this.#title }), ...this.#extent.meta() });
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
    if (this.#rewinds === 0) return;
    const text = `The conversation was rewound ${this.#rewinds === 1 ? 'once' : `${this.#rewinds} times`}; what was taken back is kept in its place.`;
    this.#sink.problem({ code: 'import.branches', severity: 'info', text });
  }

  #hold(entry: Entry): void {
    const id = stringAt(entry.fields, 'id');
    const at = id === undefined ? -1 : this.#held.findIndex(({ fields }) => stringAt(fields, 'id') === id);
    const earlier = this.#held[at];
    if (earlier) {
      this.#sink.ignored(earlier.record, 'a later record of the same id takes its place');
      this.#held[at] = entry;
      return;
    }
    if (id !== undefined && this.#indices.has(id)) this.#tally.add('import.late_block', originOf(entry.record));
    this.#held.push(entry);
    if (this.#held.length > MAX_HELD) this.#release(MAX_HELD);
  }

  #release(allowed: number): void {
    const leaving = this.#held.splice(0, Math.max(0, this.#held.length - allowed));
    for (const entry of leaving) this.#emit(entry);
  }

  #emit({ record, fields }: Entry): void {
    const type = stringAt(fields, 'type') ?? '';
    this.#extent.time(isoTime(ownAt(fields, 'timestamp')));
    const from = this.#sink.length;
    if (type === 'user') this.#user(record, fields);
    else if (type === 'gemini' || type === 'model') this.#answer(record, fields);
    else this.#note(record, fields, type);
    const id = stringAt(fields, 'id');
    if (id === undefined) return;
    this.#indices.set(
      id,
      Array.from({ length: this.#sink.length - from }, (_, i) => from + i),
    );
    const [oldest] = this.#indices.keys();
    if (this.#indices.size > MAX_IDS && oldest !== undefined) this.#indices.delete(oldest);
  }

  #user(record: SourceRecord, fields: Fields): void {
    this.#named ||= this.#titleFrom(ownAt(fields, 'displayContent')) || this.#titleFrom(ownAt(fields, 'content'));
    const { text, meta } = userMessage(record, fields);
    this.#sink.message({ text, value: JSON.parse(text), meta, origins: [originOf(record)] });
  }

  #titleFrom(content: unknown): boolean {
    const title = humanPart(content);
    this.#title ??= title;
    return title !== undefined;
  }

  #answer(record: SourceRecord, fields: Fields): void {
    this.#extent.model(stringAt(fields, 'model'));
    for (const { text, meta } of answerMessages(record, fields)) {
      this.#sink.message({ text, value: JSON.parse(text), meta, origins: [originOf(record)] });
    }
  }

  #note(record: SourceRecord, fields: Fields, type: string): void {
    const known = type === 'info' || type === 'error' || type === 'warning';
    if (!known) this.#tally.add('import.unknown_record', originOf(record), type);
    const said = humanPart(ownAt(fields, 'content'));
    this.#event(record, known ? type : `unknown:${type}`, said ?? `an entry of the type ${type}`);
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
    this.#release(0);
    const kept = new Set(messages.flatMap((entry) => this.#indices.get(idOf(entry) ?? '') ?? []));
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
      if (!span || !isRecord(value) || this.#indices.has(idOf(value) ?? '')) return [];
      return [{ record: { ...record, text: list.slice(span.start, span.end), value }, fields: value }];
    });
  }

  #compaction(record: SourceRecord, kept: ReadonlySet<number>): void {
    const at = this.#sink.length;
    const preserved = [...kept].sort((a, b) => a - b);
    const text = `the client replaced the history; ${preserved.length} of ${at} messages were kept`;
    this.#sink.compaction(
      { kind: 'compaction', at, visibility: 'internal', text, json: record.text, origin: originOf(record) },
      { at, ...(preserved.length > 0 ? { preserved } : {}) },
    );
  }

  #rewind(record: SourceRecord, fields: Fields): void {
    this.#release(0);
    this.#rewinds++;
    const id = stringAt(fields, '$rewindTo') ?? '';
    const [index] = this.#indices.get(id) ?? [];
    this.#event(record, 'rewind', `rewound to ${index === undefined ? `the entry ${id}` : `message #${index}`}`);
  }

  #unknown(record: SourceRecord): void {
    this.#tally.add('import.unknown_record', originOf(record), 'untyped');
    this.#event(record, 'unknown:untyped', 'an entry without a type');
  }
}

function idOf(entry: unknown): string | undefined {
  return isRecord(entry) ? stringAt(entry, 'id') : undefined;
}
