import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta } from '../../../model/message.ts';
import { callIdOf, callsText, messageText, resultText, summaryText, toolCallIdOf } from '../../../model/threadEntry.ts';
import type { Origin } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, stringAt } from '../../../util/unknown.ts';
import { fingerprint } from '../../fingerprint.ts';
import { defined, Extent, humanText, originOf, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { callsMeta, type Entry, entryOf, isEntry, metaOf } from './entry.ts';
import { forkSeqOf, journaled, type Place, parentOf, threadMeta, threadsIn } from './thread.ts';

const ID = 'jido';
const MAIN = 'main';

// Kinds are open; these are Jido's own that no model is given.
const NOTES = new Set([
  'signal_in',
  'signal_out',
  'instruction_start',
  'instruction_end',
  'note',
  'error',
  'checkpoint',
]);

interface Placed {
  readonly entry: Entry;
  readonly origin: Origin;
}

interface State {
  readonly extent: Extent;
  readonly seen: Map<string, string>;
  /** The sequence number of each message; NaN where it has none or is a summary. */
  readonly seqs: number[];
  /** A fingerprint of each message, to see how much a fork shares with its parent. */
  readonly prints: string[];
  isTitled: boolean;
}

// The calls of one answer, and the results read since: they become one message, and one for each result after it.
interface Group {
  readonly call: string | undefined;
  readonly calls: Placed[];
  readonly results: Placed[];
}

/** Reads entries in order: of a thread, of several in one record, or one by one from a journal. */
export class JidoReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #states = new Map<string, State>();
  #group: Group | null = null;
  #elements = 0;
  #unnamed = 0;
  // Where entries go that name no thread: after the head of one they are its own.
  #home = MAIN;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    const { value, path } = record;
    const fields = isRecord(value) ? value : {};
    if (path.length > 0) this.#elements++;
    const threads = threadsIn(fields);
    const journal = journaled(fields);
    if (path.length === 0 && this.#elements > 0) this.#document(record, fields);
    else if (isEntry(value)) this.#line(record, record.text, value, this.#home);
    else if (journal) {
      this.#line(record, sliceAt(record.text, ['entry']) ?? '{}', journal.entry, journal.thread ?? this.#home);
    } else if (threads.length > 0) this.#threads(record, fields, threads);
    else this.#unknown(record, record.text, isRecord(value) ? (stringAt(value, 'kind') ?? 'untyped') : 'untyped');
  }

  end(): void {
    this.#flush();
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  get #state(): State {
    const key = this.#sink.key ?? MAIN;
    const known = this.#states.get(key);
    if (known) return known;
    const state: State = { extent: new Extent(), seen: new Map(), seqs: [], prints: [], isTitled: false };
    this.#states.set(key, state);
    return state;
  }

  #enter(key: string): void {
    if (this.#sink.key === key) return;
    this.#flush();
    this.#sink.begin(key, { format: ID });
  }

  #line(record: SourceRecord, text: string, value: Fields, key: string): void {
    this.#enter(key);
    if (!this.#entry(entryOf(text, value), record)) this.#sink.ignored(record, 'the entry was read before');
  }

  #threads(record: SourceRecord, fields: Fields, places: readonly Place[]): void {
    let isNew = false;
    for (const place of places) isNew = this.#thread(record, place) || isNew;
    const names = Object.keys(fields).filter((name) => !places.some(({ path }) => path[0] === name));
    const isHead = places.length === 1 && places[0]?.path.length === 0;
    if (!isHead && names.length > 0) this.#event(record, 'state', titleOf(`state: ${names.join(', ')}`) ?? 'state');
    else if (!isNew) this.#event(record, 'thread', 'a thread without new entries, or the head of one');
  }

  /** True if it brought an entry that was not read before. */
  #thread(record: SourceRecord, { path, name, thread }: Place): boolean {
    const id = stringAt(thread, 'id') ?? name;
    const key = id ?? (this.#unnamed++ === 0 ? MAIN : `${MAIN} ${this.#unnamed}`);
    this.#enter(key);
    this.#home = key;
    const list = arrayAt(thread, 'entries') ? (sliceAt(record.text, [...path, 'entries']) ?? '[]') : '[]';
    let isNew = false;
    for (const [at, { start, end }] of elementSpans(list, 0).entries()) {
      const value = arrayAt(thread, 'entries')?.[at];
      const text = list.slice(start, end);
      if (isEntry(value)) isNew = this.#entry(entryOf(text, value), record) || isNew;
      else this.#unknown(record, text, 'entry');
    }
    this.#flush();
    this.#facts(record, path, thread);
    return isNew;
  }

  #facts(record: SourceRecord, path: Place['path'], thread: Fields): void {
    const own = threadMeta(record.text, path, thread);
    const parent = parentOf(thread);
    const shared = parent === undefined ? 0 : this.#sharedWith(parent);
    const branch = shared === 0 ? {} : defined({ branchOf: parent, branchAt: shared });
    const forkedAt = parent === undefined ? undefined : this.#messagesBefore(forkSeqOf(thread));
    const tie = defined({ continuesSessionId: parent, forkedAt });
    this.#sink.meta({ ...this.#state.extent.meta(), ...own, ...tie, ...branch });
    const pending = arrayAt(thread, 'pending') ?? [];
    if (pending.length === 0) return;
    const json = sliceAt(record.text, [...path, 'pending']) ?? '[]';
    this.#event(record, 'pending', 'what was being asked and not committed yet', json);
  }

  #messagesBefore(seq: number | undefined): number | undefined {
    if (seq === undefined) return undefined;
    const first = this.#state.seqs.findIndex((own) => own >= seq);
    return first < 0 ? this.#state.seqs.length : first;
  }

  /** Number of messages this thread begins with that the other of the same file, if it is there, begins with too. */
  #sharedWith(key: string): number {
    const theirs = this.#states.get(key)?.prints ?? [];
    const own = this.#state.prints;
    const differs = own.findIndex((print, at) => print !== theirs[at]);
    return differs < 0 ? own.length : differs;
  }

  // What stands around the entries of a document.
  #document(record: SourceRecord, fields: Fields): void {
    this.#flush();
    if (this.#sink.key === null) return;
    const holder = ['thread', '__thread__'].find((key) => isRecord(ownAt(fields, key)));
    const inner = holder === undefined ? fields : ownAt(fields, holder);
    if (isRecord(inner)) this.#facts(record, holder === undefined ? [] : [holder], inner);
  }

  /** False if the entry was read before: journals repeat what a thread held. */
  #entry(entry: Entry, record: SourceRecord): boolean {
    const { seen, extent } = this.#state;
    const name = entry.id ?? (entry.seq === undefined ? undefined : String(entry.seq));
    const print = fingerprint(entry.text);
    if (name !== undefined && seen.get(name) === print) return false;
    if (name !== undefined && seen.has(name)) this.#tally.add('import.uuid_reused', originOf(record));
    if (name !== undefined) seen.set(name, print);
    extent.time(entry.at);
    const placed = { entry, origin: originOf(record) };
    if (entry.kind === 'tool_call') this.#call(placed);
    else if (entry.kind === 'tool_result') this.#result(placed);
    else this.#other(placed, record);
    return true;
  }

  #call(placed: Placed): void {
    const call = callIdOf(placed.entry);
    const group = this.#group;
    const isSame = group !== null && group.call === call && (call !== undefined || group.results.length === 0);
    if (isSame) group.calls.push(placed);
    else {
      this.#flush();
      this.#group = { call, calls: [placed], results: [] };
    }
  }

  #result(placed: Placed): void {
    const call = callIdOf(placed.entry);
    const id = toolCallIdOf(placed.entry);
    const group = this.#group;
    const isOfGroup =
      group !== null &&
      ((call !== undefined && group.call === call) ||
        group.calls.some(({ entry }) => id !== undefined && toolCallIdOf(entry) === id));
    if (isOfGroup) group.results.push(placed);
    else {
      this.#flush();
      this.#message(resultText(placed.entry), metaOf(placed.entry), [placed]);
    }
  }

  #flush(): void {
    const group = this.#group;
    if (!group) return;
    this.#group = null;
    const [first] = group.calls;
    const calls = group.calls.map(({ entry }) => entry);
    if (first) this.#message(callsText(calls), callsMeta(calls), group.calls);
    for (const result of group.results) this.#message(resultText(result.entry), metaOf(result.entry), [result]);
  }

  #other(placed: Placed, record: SourceRecord): void {
    this.#flush();
    const { entry } = placed;
    if (entry.kind === 'message') this.#message(messageText(entry), metaOf(entry), [placed]);
    else if (entry.kind === 'summary') this.#summary(placed);
    else if (NOTES.has(entry.kind)) this.#event(record, entry.kind, noteOf(entry), entry.text);
    else this.#unknown(record, entry.text, entry.kind);
  }

  // The entries it covers leave, those after them stay, and the summary stands before them.
  #summary(placed: Placed): void {
    const { entry, origin } = placed;
    const at = this.#sink.length;
    const covered = numberAt(entry.payload, 'to_seq');
    const preserved =
      covered === undefined ? undefined : this.#state.seqs.flatMap((seq, i) => (seq > covered ? [i] : []));
    const range = `${String(numberAt(entry.payload, 'from_seq') ?? '')}–${String(covered ?? '')}`;
    const text = `a summary of the entries ${range}`;
    const event = {
      kind: 'compaction',
      at,
      visibility: 'internal' as const,
      text,
      ...defined({ timestamp: entry.at }),
    };
    this.#sink.compaction({ ...event, json: entry.text, origin }, { at, summaryIndex: at, ...defined({ preserved }) });
    this.#message(summaryText(entry), { ...metaOf(entry), compactSummary: true }, [placed]);
    this.#state.seqs[at] = Number.NaN;
  }

  #message(text: string, meta: MessageMeta, placed: readonly Placed[]): void {
    const value: unknown = JSON.parse(text);
    const origins = placed.map(({ origin }) => origin);
    const distinct = origins.filter(({ byteStart }, at) => origins[at - 1]?.byteStart !== byteStart);
    const index = this.#sink.message({ text, value, meta, origins: distinct });
    const state = this.#state;
    state.prints[index] = fingerprint(text);
    state.seqs[index] = placed.at(-1)?.entry.seq ?? Number.NaN;
    if (meta.compactSummary !== true) state.extent.model(meta.model);
    const isTitle = !state.isTitled && isRecord(value) && value.role === 'user';
    const title = isTitle ? humanText(ownAt(value, 'content')) : undefined;
    if (title !== undefined) state.isTitled = true;
    this.#sink.meta({ ...state.extent.meta(), ...defined({ title }) });
  }

  #unknown(record: SourceRecord, json: string, kind: string): void {
    this.#flush();
    if (this.#sink.key === null) this.#enter(MAIN);
    this.#tally.add('import.unknown_record', originOf(record), kind);
    this.#event(record, `unknown:${kind}`, `an entry of the unknown kind ${kind}`, json);
  }

  #event(record: SourceRecord, kind: string, text: string, json = record.text): void {
    const at = this.#sink.length;
    this.#sink.event({ kind, at, visibility: 'internal', text, json, origin: originOf(record) });
  }
}

function noteOf({ kind, payload }: Entry): string {
  const words = ['text', 'content', 'message', 'reason'].map((key) => stringAt(payload, key)).find(Boolean);
  return titleOf(words ?? '') ?? `an entry of kind ${kind}`;
}
