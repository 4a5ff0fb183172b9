import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Problem } from '../model/problem.ts';
import { asOneWrite, type Connection } from './database.ts';
import { Changes } from './import/changes.ts';
import { type FeedRow, Feeds } from './import/feeds.ts';
import { TranscriptDraft } from './import/importDraft.ts';
import type { Draft } from './import/importSteps.ts';
import { type FileIdentity, Imports, isAlive, type SourceRow } from './import/imports.ts';
import { ImportWriter, type WrittenTranscript } from './import/importWriter.ts';
import { Mappings } from './import/mappings.ts';
import { Choices } from './library/choices.ts';
import { ContextPolicies } from './library/contextPolicies.ts';
import { Follows } from './library/follows.ts';
import { LibraryChanges } from './library/libraryChanges.ts';
import { Marks } from './library/marks.ts';
import { Overheads } from './library/overheads.ts';
import { Removal } from './library/removal.ts';
import { Scrubbing } from './library/scrubbing.ts';
import { Settings } from './library/settings.ts';
import { Storage } from './library/storage.ts';
import { Summaries } from './library/summaries.ts';
import { Surveys } from './library/surveys.ts';
import { Sweeps } from './library/sweeps.ts';
import { Tags } from './library/tags.ts';
import { Watchpoints } from './library/watchpoints.ts';
import { SearchIndex } from './search/searchIndex.ts';
import { SearchQueries } from './search/searchQueries.ts';
import { Assets } from './transcript/assets.ts';
import { Derived } from './transcript/derived.ts';
import { Events } from './transcript/events.ts';
import { Messages } from './transcript/messages.ts';
import { Problems } from './transcript/problems.ts';
import { Records } from './transcript/records.ts';
import { Relations } from './transcript/relations.ts';
import { Spawns } from './transcript/spawns.ts';
import { StaleFacts } from './transcript/staleFacts.ts';
import { Tokens } from './transcript/tokens.ts';
import { Transcripts } from './transcript/transcripts.ts';

/** How an import begins: the content is there already, somebody else imports it just now, or here is its writer. */
export type ImportStart =
  | {
      readonly kind: 'existing';
      readonly transcripts: readonly WrittenTranscript[];
      /** The source with this very content; null: it has more than the file. */
      readonly source: number | null;
    }
  | { readonly kind: 'busy' }
  /**
   * The file begins with what the library has: read up to the mark again (ImportWriter.resume), then on. `unfinished` =
   * of an import that was interrupted.
   */
  | {
      readonly kind: 'resume';
      readonly writer: ImportWriter;
      readonly mark: FeedRow;
      readonly source: number;
      readonly unfinished: boolean;
    }
  /** The path had another content when it was imported: this source. */
  | { readonly kind: 'known'; readonly source: number }
  | { readonly kind: 'writer'; readonly writer: ImportWriter };

/** All subjects over one connection, and what takes several of them. */
export class Tables {
  readonly db: Connection;
  readonly assets: Assets;
  readonly messages: Messages;
  readonly records: Records;
  readonly staleFacts: StaleFacts;
  readonly events: Events;
  readonly spawns: Spawns;
  readonly relations: Relations;
  readonly changes: Changes;
  readonly problems: Problems;
  readonly tokens: Tokens;
  readonly searchIndex: SearchIndex;
  readonly searchQueries: SearchQueries;
  readonly settings: Settings;
  readonly transcripts: Transcripts;
  readonly imports: Imports;
  readonly feeds: Feeds;
  readonly follows: Follows;
  readonly mappings: Mappings;
  readonly removal: Removal;
  readonly derived: Derived;
  readonly tags: Tags;
  readonly marks: Marks;
  readonly watchpoints: Watchpoints;
  readonly summaries: Summaries;
  readonly libraryChanges: LibraryChanges;
  readonly contextPolicies: ContextPolicies;
  readonly overheads: Overheads;
  readonly choices: Choices;
  readonly storage: Storage;
  readonly surveys: Surveys;
  readonly sweeps: Sweeps;
  readonly scrubbing: Scrubbing;

  constructor(db: Connection) {
    this.db = db;
    this.assets = new Assets(db);
    this.messages = new Messages(db, this.assets);
    this.records = new Records(db, this.assets, this.messages);
    this.staleFacts = new StaleFacts(db, this.messages);
    this.events = new Events(db, this.records);
    this.problems = new Problems(db);
    this.tokens = new Tokens(db);
    this.spawns = new Spawns(db);
    this.relations = new Relations(db, this.spawns);
    this.changes = new Changes(db, this.tokens);
    this.searchIndex = new SearchIndex(db);
    this.searchQueries = new SearchQueries(db);
    this.settings = new Settings(db);
    this.transcripts = new Transcripts(db);
    this.imports = new Imports(db);
    this.feeds = new Feeds(db);
    this.follows = new Follows(db);
    this.mappings = new Mappings(db);
    this.removal = new Removal(db, this.assets);
    this.derived = new Derived(db, this.messages);
    this.tags = new Tags(db);
    this.marks = new Marks(db);
    this.watchpoints = new Watchpoints(db);
    this.summaries = new Summaries(db);
    this.libraryChanges = new LibraryChanges(db);
    this.contextPolicies = new ContextPolicies(db);
    this.overheads = new Overheads(db);
    this.choices = new Choices(db);
    this.storage = new Storage(db);
    this.surveys = new Surveys(db);
    this.sweeps = new Sweeps(db);
    this.scrubbing = new Scrubbing(db);
  }

  /** Reads several things as of one moment. */
  snapshot<T>(read: () => T): T {
    return this.db.transaction(read).deferred();
  }

  /** Whether sources with this probe are known: then beginImport needs the SHA-256 of all bytes. */
  isProbeKnown(probe: Buffer): boolean {
    return this.imports.sourcesByProbe(probe).length > 0;
  }

  /** Counts the errors of a transcript that an older version imported; false if there is none. */
  countErrors(): boolean {
    const id = this.transcripts.uncounted();
    if (id !== null) this.transcripts.setErrors(id, this.changes.stats(id).pages.errors);
    return id !== null;
  }

  /** Begins the import of a file, removing what a dead import of the same content left. */
  beginImport(file: FileIdentity): ImportStart {
    return asOneWrite(this.db, () => this.#begin(file));
  }

  /** Removes what an import of this source wrote and did not finish, and its mark. */
  removePartial(source: number): void {
    asOneWrite(this.db, () => {
      const mark = this.imports.ofSource(source);
      if (mark !== null) this.imports.finish(mark.owner);
      for (const { id, state } of this.transcripts.ofSource(source)) {
        if (state !== 'ready') this.removal.mark({ id, source });
      }
      this.removal.markHidden(source);
      this.removal.finish(source);
      this.removal.dropSource(source);
    });
  }

  /** Removes what an import wrote, unless somebody else has taken it over by now. */
  abandonImport(owner: string): void {
    asOneWrite(this.db, () => {
      const mark = this.imports.ofOwner(owner);
      if (mark !== null) this.removePartial(mark.source);
    });
  }

  /** Keeps what an import wrote and did not finish, as `failed`. */
  failPartial(importId: number, problem: Problem): void {
    asOneWrite(this.db, () => {
      const mark = this.imports.get(importId);
      if (mark === null) return;
      for (const { id, state } of this.transcripts.ofSource(mark.source)) {
        if (state === 'importing') this.transcripts.setState(id, 'failed', JSON.stringify(problem));
      }
      this.imports.finish(mark.owner);
      this.removal.markHidden(mark.source);
      this.removal.dropSource(mark.source);
    });
  }

  /** Begins the import of a content that is to be a separate source, whatever its path was before. */
  beginAgain(file: FileIdentity): Extract<ImportStart, { kind: 'writer' }> {
    return asOneWrite(this.db, () => this.#fresh(file));
  }

  /**
   * Empties the transcripts of a source and lets `read` fill them again, under the same ids: one transaction, nobody sees
   * them empty. Throws what `read` throws, and then everything is as it was.
   */
  renew<T>(source: number, read: (writer: ImportWriter) => T): T {
    return asOneWrite(this.db, () => {
      const row = this.imports.source(source);
      if (row === null) throw new Error(`there is no source ${source}`);
      const contents = this.#empty(source);
      const start = { source, owner: null, uidOf: uidsFrom(row.uidBase), present: new Set<string>(), feed: null };
      const writer = new ImportWriter(this, start);
      writer.renew(this.#emptied(source));
      const result = read(writer);
      // With more of a file at hand, the reader may emit other content than before.
      for (const { id, key } of this.transcripts.ofSource(source)) if (!writer.wasWritten(key)) this.changes.drop(id);
      let payloads = 0;
      for (const id of contents) if (!this.messages.isUsed(id)) payloads += this.messages.deleteContent(id);
      if (payloads > 0) this.assets.sweep();
      return result;
    });
  }

  /** The transcripts of a source, as an import gives them. */
  transcriptsOf(source: number): readonly WrittenTranscript[] {
    return this.transcripts.ofSource(source).map(({ uid, messages }) => ({ id: uid, messages, existed: true }));
  }

  #empty(source: number): Set<number> {
    const none = { messages: 0, events: 0, compactions: 0, spawns: 0 };
    const contents = new Set<number>();
    this.records.truncate(source, 0);
    this.problems.truncate(source, 0);
    this.feeds.forget(source);
    for (const { id } of this.transcripts.ofSource(source)) {
      for (const content of this.changes.truncate(id, none)) contents.add(content);
      this.changes.raiseRevision(id);
    }
    return contents;
  }

  #emptied(source: number): [string, Draft][] {
    return this.transcripts.ofSource(source).flatMap(({ id, key, uid }): [string, Draft][] => {
      const row = this.transcripts.get(uid);
      if (row === null) return [];
      const draft: Draft = new TranscriptDraft(key, uid, row.meta, false);
      draft.resume(id, 0, 0, this.changes.stats(id));
      draft.dirty = true;
      return [[key, draft]];
    });
  }

  #begin(file: FileIdentity): ImportStart {
    for (const candidate of this.imports.sourcesByProbe(file.probe)) {
      const start = this.#tryCandidate(candidate, file);
      if (start !== null) return start;
    }
    return this.#tryPath(file) ?? this.#tryBeginning(file) ?? this.#fresh(file);
  }

  #fresh(file: FileIdentity): Extract<ImportStart, { kind: 'writer' }> {
    // If another content was known by the same, it has taken the ids made of it.
    let uidBase = file.probe;
    if (this.imports.byUidBase(uidBase) !== null && file.sha256 !== null) uidBase = file.sha256;
    for (let again = 1; this.imports.byUidBase(uidBase) !== null; again++) {
      uidBase = createHash('sha256').update(file.probe).update(` again ${again}`).digest();
    }
    return this.#writer(this.imports.insertSource(file, uidBase), file, uidBase, new Set());
  }

  /** Null: not the same content, or nothing of it was worth keeping. */
  #tryCandidate(candidate: SourceRow, file: FileIdentity): ImportStart | null {
    const mark = this.imports.ofSource(candidate.id);
    if (mark !== null && isAlive(mark.owner)) return { kind: 'busy' };
    if (candidate.sha256 === null) return this.#tryUnfinished(candidate, file);
    if (file.sha256 === null || !candidate.sha256.equals(file.sha256)) return null;
    const feed = this.feeds.of(candidate.id);
    if (feed !== null && feed.tail === null && mark === null) return this.#resume(candidate, feed);
    const partial = this.transcripts.ofSource(candidate.id).some(({ state }) => state !== 'ready');
    if (mark !== null || partial) this.removePartial(candidate.id);
    const incomplete = candidate.incomplete === 1 || mark !== null || partial;
    const present = this.transcripts.ofSource(candidate.id);
    // Removing the partial may have removed the source itself.
    if (incomplete && present.length === 0) return null;
    if (incomplete) {
      return this.#writer(candidate.id, file, candidate.uidBase, new Set(present.map(({ key }) => key)));
    }
    this.imports.addFile(candidate.id, file);
    return { kind: 'existing', transcripts: this.transcriptsOf(candidate.id), source: candidate.id };
  }

  /** What an interrupted import left of a content: gone on with if it is known how far it was. */
  #tryUnfinished(source: SourceRow, file: FileIdentity): ImportStart | null {
    const feed = this.feeds.of(source.id);
    if (feed?.lines === true && feed.tail === null && feed.bytesDone <= file.bytes) {
      const owner = this.imports.adopt(source.id, file.path);
      this.imports.addFile(source.id, file);
      return { ...this.#resume(source, feed, owner), unfinished: true };
    }
    this.removePartial(source.id);
    return null;
  }

  /** The path was imported with another content. */
  #tryPath(file: FileIdentity): ImportStart | null {
    const state = this.imports.fileStateBy(file.path, file.mapping ?? null);
    const source = state === null ? null : this.imports.source(state.source);
    if (source === null) return null;
    const mark = this.imports.ofSource(source.id);
    if (mark !== null && isAlive(mark.owner)) return { kind: 'busy' };
    if (this.transcripts.ofSource(source.id).length === 0) return null;
    if (source.sha256 === null) return this.#tryUnfinished(source, file);
    const feed = this.feeds.of(source.id);
    if (feed?.lines === true && feed.bytesDone <= file.bytes) return this.#resume(source, feed);
    return { kind: 'known', source: source.id };
  }

  /** The content is the beginning of one that has grown since it was imported. */
  #tryBeginning(file: FileIdentity): ImportStart | null {
    const source = file.sha256?.equals(file.probe) ? this.imports.byUidBase(file.probe) : null;
    const feed = source === null ? null : this.feeds.of(source);
    if (source === null || feed === null || !feed.lines || feed.bytesDone < file.bytes) return null;
    return { kind: 'existing', transcripts: this.transcriptsOf(source), source: null };
  }

  #resume(source: SourceRow, mark: FeedRow, owner: string | null = null): Extract<ImportStart, { kind: 'resume' }> {
    const start = { source: source.id, owner, uidOf: uidsFrom(source.uidBase), present: new Set<string>(), feed: mark };
    return { kind: 'resume', writer: new ImportWriter(this, start), mark, source: source.id, unfinished: false };
  }

  #writer(
    source: number,
    file: FileIdentity,
    uidBase: Buffer,
    present: ReadonlySet<string>,
  ): Extract<ImportStart, { kind: 'writer' }> {
    const owner = this.imports.start(source, file.path);
    this.imports.addFile(source, file);
    const start = { source, owner, uidOf: uidsFrom(uidBase), present, feed: this.feeds.of(source) };
    return { kind: 'writer', writer: new ImportWriter(this, start) };
  }
}

/** Public ids of the transcripts of a source, by their keys. */
function uidsFrom(uidBase: Buffer): (key: string) => string {
  return (key) => createHash('sha256').update(uidBase).update(key).digest('hex').slice(0, 24);
}
