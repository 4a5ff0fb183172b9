import { join } from 'node:path';
import type { Problem } from '../../model/problem.ts';
import type { Spawn } from '../../model/transcript.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Connection, type OpenDatabase, openDatabase, unopenable } from '../database.ts';
import { SCHEMA_VERSION } from '../migrations/index.ts';
import type { SearchCoverage } from '../search/searchIndex.ts';
import { Tables } from '../tables.ts';
import { makeFork, type NewFork, type NoFork } from '../transcript/forks.ts';
import { StoredTranscript } from '../transcript/storedTranscript.ts';
import type {
  AssetInfo,
  OpenOptions,
  StoredCompaction,
  StoredEvent,
  StoredRecord,
  StoredSource,
  StoredTotals,
  TranscriptRow,
  UnfinishedImport,
} from '../types.ts';
import { LIBRARY_FILE } from './privateFiles.ts';
import { storeProblem } from './storeProblem.ts';

/** The library: one SQLite file `library.sqlite` in a folder. Any number of connections, in threads and processes. */
export class Library {
  readonly dir: string;
  readonly schemaVersion = SCHEMA_VERSION;
  /** For the jobs of core/engine, which write. */
  readonly tables: Tables;
  /** Why nothing can be written to it (a read-only disk, no right, no room); null = it can be. */
  readonly unwritable: Problem | null;
  readonly #db: Connection;
  readonly #close: () => void;

  constructor(dir: string, { db, unwritable, close }: OpenDatabase) {
    this.dir = dir;
    this.#db = db;
    this.#close = close;
    this.unwritable = unwritable;
    this.tables = new Tables(db);
    // Only now: the subjects make tables of their own in memory.
    if (unwritable !== null) db.pragma('query_only = ON');
  }

  /**
   * Opens or creates the library in `dir`; for reading where nothing can be written, see {@link unwritable}. Errors:
   * `store.newer_version`, `store.not_a_library` (left untouched), `store.older_version` and `store.missing` (read-only),
   * `store.corrupt`, `store.busy`, `store.disk_full`, `store.forbidden`, `store.unopenable`.
   */
  static open(dir: string, options: OpenOptions = {}): Result<Library, Problem> {
    const opened = openDatabase(dir, options);
    if (!opened.ok) return opened;
    try {
      return ok(new Library(dir, opened.value));
    } catch (error) {
      // A table is not there, or its definition cannot be read.
      opened.value.close();
      return err(unopenable(join(dir, LIBRARY_FILE), error));
    }
  }

  /** Gives back the memory of pages that were read. */
  trim(): void {
    if (this.#db.open) this.#db.pragma('shrink_memory');
  }

  /** Whether SQLite finds the file whole. Reads all of it: for errors that have no other explanation. */
  isWhole(): boolean {
    try {
      // Closed meanwhile: nothing is to be said of it.
      if (!this.#db.open) return true;
      return this.#db.pragma('quick_check(1)', { simple: true }) === 'ok';
    } catch (error) {
      if (storeProblem(error) === null) throw error;
      return false;
    }
  }

  /** Whether all that is stored of a transcript's messages can be read. For errors that have no other explanation. */
  isTranscriptWhole(id: string): boolean {
    const ids = this.#db.open ? this.tables.transcripts.ids(id) : null;
    return ids === null || this.tables.messages.areWhole(ids.id);
  }

  /** Closes the connection; sources opened over it can no longer be read. */
  close(): void {
    this.#close();
  }

  /**
   * A number that is another one when another connection has written to the library: a thread of this process, or another
   * process. Cheap enough to be asked every second.
   */
  writtenElsewhere(): number {
    return Number(this.#db.pragma('data_version', { simple: true }));
  }

  /** All transcripts, newest import first; without `meta.systemJson` and `meta.toolsJson`, which `get` has. */
  list(): readonly TranscriptRow[] {
    return this.tables.transcripts.list();
  }

  /** One transcript; null if the library has none with this id. */
  get(id: string): TranscriptRow | null {
    return this.tables.transcripts.get(id);
  }

  /**
   * Opens a transcript for reading; null if there is none with this id. Facts that an older version of the program
   * stored are read again first, which takes seconds for a large one: {@link upkeepStep} does it beforehand.
   */
  source(id: string): StoredSource | null {
    const ids = this.tables.transcripts.ids(id);
    if (ids !== null && this.unwritable === null) this.tables.staleFacts.refresh(ids.id);
    return StoredTranscript.open(this.tables, id);
  }

  /**
   * Removes a transcript; false if there was none. What only it used is deleted by {@link upkeepStep} when `graceMs`
   * milliseconds have passed; until then {@link restore} brings it back, with its tags and notes.
   */
  remove(id: string, graceMs = 0): boolean {
    const ids = this.tables.transcripts.ids(id);
    if (ids !== null) this.tables.removal.mark(ids, graceMs === 0 ? 0 : Date.now() + graceMs);
    return ids !== null;
  }

  /** Brings a removed transcript back; false if it is being deleted, or is in the library again. */
  restore(id: string): boolean {
    return this.tables.removal.restore(id);
  }

  /**
   * Makes a what-if: the messages before a place in a transcript, and typed ones after them. Gives its id. The parent is
   * only read.
   */
  fork(fork: NewFork): Result<string, NoFork> {
    return makeFork(this.tables, fork);
  }

  /** Whether {@link upkeepStep} has anything to do. */
  needsUpkeep(): boolean {
    const { removal, staleFacts, derived, transcripts } = this.tables;
    return removal.any() || staleFacts.any() || transcripts.uncounted() !== null || derived.any();
  }

  /** Does a slice of deferred work, as one short transaction; false if nothing is left to be done. */
  upkeepStep(): boolean {
    const { removal, staleFacts, derived } = this.tables;
    return removal.step() || staleFacts.step() || this.tables.countErrors() || derived.step();
  }

  /** Whether {@link indexStep} has anything to do. */
  needsIndexing(): boolean {
    return this.tables.searchIndex.any();
  }

  /** Makes a slice of the library's text searchable, as one short transaction; false if all of it is. */
  indexStep(): boolean {
    return this.tables.searchIndex.step();
  }

  /** How much of the library's text can be searched. */
  searchCoverage(): SearchCoverage {
    return this.tables.searchIndex.coverage();
  }

  /** What its import found, and what it found about the file as a whole. Empty if there is no such transcript. */
  problems(id: string): readonly Problem[] {
    const ids = this.tables.transcripts.ids(id);
    return ids === null ? [] : this.tables.problems.of(ids.id, ids.source);
  }

  /** The record of a transcript's file that begins at a byte, as problems and origins name it; null if none does. */
  recordAt(id: string, byteStart: number): StoredRecord | null {
    const ids = this.tables.transcripts.ids(id);
    return ids === null ? null : this.tables.records.at(ids.source, byteStart);
  }

  /** The bytes of the file a transcript came from, put together from its records; null if there is no transcript. */
  fileBytes(id: string): Uint8Array | null {
    const ids = this.tables.transcripts.ids(id);
    const row = this.tables.transcripts.get(id);
    return ids === null || row === null ? null : this.tables.records.fileBytes(ids.source, row.bytes);
  }

  /** Events [from, to) in order. Empty if there is no such transcript. */
  events(id: string, from: number, to: number): readonly StoredEvent[] {
    const ids = this.tables.transcripts.ids(id);
    return ids === null ? [] : this.tables.events.range(ids.id, ids.source, from, to);
  }

  /** Events of these kinds in order, `limit` of them behind the first `offset`. Empty if there is no such transcript. */
  eventsOfKinds(id: string, kinds: readonly string[], offset = 0, limit = -1): readonly StoredEvent[] {
    const ids = this.tables.transcripts.ids(id);
    return ids === null ? [] : this.tables.events.ofKinds(ids.id, ids.source, kinds, offset, limit);
  }

  /** How many events a transcript has of each kind, by name. Empty if there is no such transcript. */
  eventKinds(id: string): readonly { readonly kind: string; readonly count: number }[] {
    const ids = this.tables.transcripts.ids(id);
    return ids === null ? [] : this.tables.events.kinds(ids.id);
  }

  /** Recorded compactions in order. Empty if there is no such transcript. */
  compactions(id: string): readonly StoredCompaction[] {
    const ids = this.tables.transcripts.ids(id);
    return ids === null ? [] : this.tables.events.compactions(ids.id);
  }

  /** Tool calls that started other transcripts. Empty if there is no such transcript. */
  spawns(id: string): readonly Spawn[] {
    const ids = this.tables.transcripts.ids(id);
    return ids === null ? [] : this.tables.spawns.of(ids.id);
  }

  /** A binary payload by its hexadecimal SHA-256; null if there is none. */
  asset(assetId: string): { readonly info: AssetInfo; readonly data: Uint8Array } | null {
    return this.tables.assets.get(assetId);
  }

  /** Raw totals by transcript id; transcripts not counted under this tokenizer are absent. */
  tokenTotals(tokenizer: string): ReadonlyMap<string, StoredTotals> {
    return this.tables.tokens.totals(tokenizer);
  }

  settings(): Readonly<Record<string, unknown>> {
    return this.tables.settings.all();
  }

  /** Sets a value (JSON); undefined removes it. */
  setSetting(key: string, value: unknown): void {
    this.tables.settings.set(key, value);
  }

  /**
   * Imports that began and whose process or thread is gone. One that runs in another thread of this process looks like
   * it: ask only while none does. Importing the path again finishes them; `failUnfinished` ends them.
   */
  unfinished(): readonly UnfinishedImport[] {
    return this.tables.imports.unfinished();
  }

  /** Ends an unfinished import: what it brought can still be read, in state `failed` with this reason. */
  failUnfinished(importId: number, problem: Problem): void {
    this.tables.failPartial(importId, problem);
  }
}
