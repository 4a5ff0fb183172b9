import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Problem } from '../model/problem.ts';
import { Assets } from './assets.ts';
import { Changes } from './changes.ts';
import type { Connection } from './database.ts';
import { Events } from './events.ts';
import { type FileIdentity, Imports, isAlive, type SourceRow } from './imports.ts';
import { ImportWriter, type WrittenTranscript } from './importWriter.ts';
import { Messages } from './messages.ts';
import { Problems } from './problems.ts';
import { Records } from './records.ts';
import { Removal } from './removal.ts';
import { SearchIndex } from './searchIndex.ts';
import { SearchQueries } from './searchQueries.ts';
import { Settings } from './settings.ts';
import { Spawns } from './spawns.ts';
import { StaleFacts } from './staleFacts.ts';
import { Tokens } from './tokens.ts';
import { Transcripts } from './transcripts.ts';

/** How an import begins: the content is there already, somebody else imports it just now, or here is its writer. */
export type ImportStart =
  | { readonly kind: 'existing'; readonly transcripts: readonly WrittenTranscript[] }
  | { readonly kind: 'busy' }
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
  readonly changes: Changes;
  readonly problems: Problems;
  readonly tokens: Tokens;
  readonly searchIndex: SearchIndex;
  readonly searchQueries: SearchQueries;
  readonly settings: Settings;
  readonly transcripts: Transcripts;
  readonly imports: Imports;
  readonly removal: Removal;

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
    this.changes = new Changes(db, this.tokens);
    this.searchIndex = new SearchIndex(db);
    this.searchQueries = new SearchQueries(db);
    this.settings = new Settings(db);
    this.transcripts = new Transcripts(db);
    this.imports = new Imports(db);
    this.removal = new Removal(db, this.assets);
  }

  /** Reads several things as of one moment. */
  snapshot<T>(read: () => T): T {
    return this.db.transaction(read).deferred();
  }

  /** Whether sources with this probe are known: then beginImport needs the SHA-256 of all bytes. */
  isProbeKnown(probe: Buffer): boolean {
    return this.imports.sourcesByProbe(probe).length > 0;
  }

  /** Begins the import of a file, removing what a dead import of the same content left. */
  beginImport(file: FileIdentity): ImportStart {
    return this.db.transaction(() => this.#begin(file)).immediate();
  }

  /** Removes what an import of this source wrote and did not finish, and its mark. */
  removePartial(source: number): void {
    const run = this.db.transaction(() => {
      const mark = this.imports.ofSource(source);
      if (mark !== null) this.imports.finish(mark.owner);
      for (const { id, state } of this.transcripts.ofSource(source)) {
        if (state !== 'ready') this.removal.mark({ id, source });
      }
      this.removal.markHidden(source);
      this.removal.finish(source);
      this.removal.dropSource(source);
    });
    run.immediate();
  }

  /** Removes what an import wrote, unless somebody else has taken it over by now. */
  abandonImport(owner: string): void {
    const run = this.db.transaction(() => {
      const mark = this.imports.ofOwner(owner);
      if (mark !== null) this.removePartial(mark.source);
    });
    run.immediate();
  }

  /** Keeps what an import wrote and did not finish, as `failed`. */
  failPartial(importId: number, problem: Problem): void {
    const run = this.db.transaction(() => {
      const mark = this.imports.get(importId);
      if (mark === null) return;
      for (const { id, state } of this.transcripts.ofSource(mark.source)) {
        if (state === 'importing') this.transcripts.setState(id, 'failed', JSON.stringify(problem));
      }
      this.imports.finish(mark.owner);
      this.removal.markHidden(mark.source);
      this.removal.dropSource(mark.source);
    });
    run.immediate();
  }

  #begin(file: FileIdentity): ImportStart {
    const candidates = this.imports.sourcesByProbe(file.probe);
    for (const candidate of candidates) {
      const start = this.#tryCandidate(candidate, file);
      if (start !== null) return start;
    }
    // If another content has the same probe, it has taken the ids made of it.
    const taken = this.imports.sourcesByProbe(file.probe).length > 0;
    const uidBase = (taken ? file.sha256 : null) ?? file.probe;
    return this.#writer(this.imports.insertSource(file, uidBase), file, uidBase, new Set());
  }

  /** Null: not the same content, or nothing of it was worth keeping. */
  #tryCandidate(candidate: SourceRow, file: FileIdentity): ImportStart | null {
    const mark = this.imports.ofSource(candidate.id);
    if (mark !== null && isAlive(mark.owner)) return { kind: 'busy' };
    if (candidate.sha256 === null) {
      this.removePartial(candidate.id);
      return null;
    }
    if (file.sha256 === null || !candidate.sha256.equals(file.sha256)) return null;
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
    return {
      kind: 'existing',
      transcripts: present.map(({ uid, messages }) => ({ id: uid, messages, existed: true })),
    };
  }

  #writer(source: number, file: FileIdentity, uidBase: Buffer, present: ReadonlySet<string>): ImportStart {
    const owner = this.imports.start(source, file.path);
    this.imports.addFile(source, file);
    const uidOf = (key: string) => createHash('sha256').update(uidBase).update(key).digest('hex').slice(0, 24);
    return { kind: 'writer', writer: new ImportWriter(this, { source, owner, uidOf, present }) };
  }
}
