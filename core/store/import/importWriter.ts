import { Buffer } from 'node:buffer';
import { hash, randomUUID } from 'node:crypto';
import type { Filler, ImportSink, Rewind, SourceRecord } from '../../model/importSink.ts';
import type { Problem } from '../../model/problem.ts';
import { readRecorded } from '../../model/readMessage.ts';
import type {
  ImportedEvent,
  ImportedMessage,
  RecordedCompaction,
  Spawn,
  TranscriptMeta,
} from '../../model/transcript.ts';
import { assert } from '../../util/assert.ts';
import { asOneWrite } from '../database.ts';
import type { Tables } from '../tables.ts';
import { extractPayloads } from '../transcript/payloads.ts';
import { BlockedText } from '../transcript/recordSlices.ts';
import type { Lengths } from './changes.ts';
import type { FeedMark, FeedRow } from './feeds.ts';
import { TranscriptDraft } from './importDraft.ts';
import { type ClaimingMessage, type CutRecord, PendingRecords } from './importRecords.ts';
import { type Draft, type MessageStep, type PreparedContent, type Step, StepWriter } from './importSteps.ts';
import type { Replayed } from './replaySink.ts';
import { Resume } from './resume.ts';

/** What an import is about: decided before the first byte is read. */
export interface WriterStart {
  readonly source: number;
  /** This thread's mark on an import; null = what is written is whole with every batch, and stays. */
  readonly owner: string | null;
  /** Where an earlier reading of the source stopped. */
  readonly feed: FeedRow | null;
  /** Public id of the transcript with this key. */
  readonly uidOf: (key: string) => string;
  /** Keys of transcripts that the library has already: they are passed over. */
  readonly present: ReadonlySet<string>;
}

/** A transcript that an import made. */
export interface WrittenTranscript {
  readonly id: string;
  readonly messages: number;
  readonly existed: boolean;
}

/** All of a file, as it is known by from then on; `probe` null = as before. */
export interface WholeFile {
  readonly sha256: Buffer;
  readonly bytes: number;
  readonly probe: Buffer | null;
  /** The path it was read from, and its time. */
  readonly path: string;
  readonly mtimeMs: number;
}

/** Somebody took this import for dead and removed it, or continued with it. */
export class ImportLostError extends Error {}

const BATCH_CHARS = 2_000_000;
const BATCH_ITEMS = 2_000;
/** However much is taken back first, no more than this is held. */
const MOST_CHARS = 32_000_000;
/** Findings kept to be reported at the end; all of them are in the library. */
const REPORTED_PROBLEMS = 1_000;

/**
 * Puts what a reader recognises into the library. Sink calls only collect; `flush` writes one batch as one
 * transaction, together with the import's mark. Call exactly one of `finish`, `abandon` and `release` at the end.
 */
export class ImportWriter implements ImportSink {
  readonly #tables: Tables;
  readonly #start: WriterStart;
  readonly #drafts = new Map<string, Draft>();
  #records = new PendingRecords();
  #owner: string | null;
  #turn: number;
  #resume: Resume | null = null;
  readonly #pending = new Set<string>();
  #tail: { readonly lengths: ReadonlyMap<Draft, Lengths>; readonly problemsTo: number; rewritten: boolean } | null =
    null;
  #current: Draft | null = null;
  #steps: Step[] = [];
  #fillers: Filler[] = [];
  readonly #problems: Problem[] = [];
  #chars = 0;

  constructor(tables: Tables, start: WriterStart) {
    this.#tables = tables;
    this.#start = start;
    this.#owner = start.owner;
    this.#turn = start.feed?.turn ?? 0;
  }

  /**
   * Continues after what was reported up to the mark of `start.feed`. False if that is not what the library has: then nothing
   * may be written.
   */
  resume(replayed: Replayed): boolean {
    const { source, feed } = this.#start;
    assert(feed !== null, 'there is no mark to resume from');
    const resume = new Resume(this.#tables, source, feed);
    if (!resume.find(replayed)) return false;
    for (const [key, draft] of resume.drafts) this.#drafts.set(key, draft);
    this.#current = replayed.current === null ? null : (this.#drafts.get(replayed.current) ?? null);
    this.#records = replayed.records;
    this.#fillers = [...replayed.fillers];
    this.#resume = resume;
    return true;
  }

  /** Takes up transcripts whose rows were emptied, so that they keep their ids. */
  renew(drafts: Iterable<readonly [key: string, draft: Draft]>): void {
    for (const [key, draft] of drafts) {
      this.#drafts.set(key, draft);
      this.#pending.add(key);
    }
  }

  /** False for a transcript that was taken up by `renew` and of which nothing was reported. */
  wasWritten(key: string): boolean {
    return !this.#pending.has(key);
  }

  /** The content with this SHA-256, if the library has it. */
  contentId(hash: Buffer): number | null {
    return this.#tables.messages.findContent(hash);
  }

  /** Transcripts so far, in the order they began; `id`s can be opened once a batch was written. */
  get transcripts(): readonly WrittenTranscript[] {
    const shown = [...this.#drafts].filter(([key, draft]) => !draft.isRemoved && this.wasWritten(key));
    return shown.map(([key, { length, existed }]) => ({ id: this.#start.uidOf(key), messages: length, existed }));
  }

  /** The first 1,000 findings. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** True when enough has been collected to be written. */
  get full(): boolean {
    const chars = this.#chars + this.#records.chars;
    if (chars < BATCH_CHARS && this.#steps.length < BATCH_ITEMS) return false;
    return chars >= MOST_CHARS || !this.#isBelowFloor();
  }

  begin(key: string, meta: TranscriptMeta): void {
    this.#pending.delete(key);
    const known = this.#drafts.get(key);
    if (known === undefined) {
      this.#current = this.#begin(key, meta);
      this.#steps.push({ kind: 'begin', draft: this.#current });
    } else {
      known.addMeta(meta);
      this.#current = known;
    }
  }

  meta(meta: Partial<TranscriptMeta>): void {
    this.#draft().addMeta(meta);
  }

  message(message: ImportedMessage): number {
    const draft = this.#draft();
    const step: MessageStep = { kind: 'message', draft, idx: draft.length, content: this.#prepare(message) };
    this.#steps.push(step);
    return draft.addMessage(step);
  }

  event(event: ImportedEvent): void {
    this.#addEvent(event, null);
  }

  compaction(event: ImportedEvent, compaction: RecordedCompaction): void {
    this.#addEvent(event, compaction);
  }

  problem(problem: Problem): void {
    this.#current?.addProblem();
    this.#steps.push({ kind: 'problem', draft: this.#current, problem });
    if (this.#problems.length < REPORTED_PROBLEMS) this.#problems.push(problem);
  }

  record(record: SourceRecord): void {
    this.#records.add(record);
  }

  filler({ byteStart, bytes }: Filler): void {
    this.#fillers.push({ byteStart, bytes: bytes.slice() });
    this.#chars += bytes.length;
  }

  ignored(record: SourceRecord, reason: string): void {
    this.#records.ignore(record, reason);
  }

  rewind({ at, leave, resume }: Rewind): void {
    const draft = this.#draft();
    if (this.#tail !== null) this.#tail.rewritten = true;
    const taken = resume && this.#drafts.get(resume.key);
    if (resume) assert(taken !== undefined, `a reader resumed the branch ${resume.key}, which is not there`);
    this.#leave(draft, at, leave);
    if (!resume || !taken) return;
    assert(draft.length === at, `a reader resumed at ${at} a transcript of ${draft.length} messages`);
    this.#seal(draft);
    this.#seal(taken);
    const whole = resume.to >= taken.length;
    const to = whole ? taken.length : resume.to;
    this.#steps.push({ kind: 'resume', draft, branch: taken, at, to, whole });
    draft.length = Math.max(at, to);
    draft.dirty = true;
    if (!whole) return;
    draft.problems += taken.problems;
    this.#drafts.delete(resume.key);
  }

  amend(index: number, message: ImportedMessage): void {
    const draft = this.#draft();
    if (this.#tail !== null) this.#tail.rewritten = true;
    assert(index < draft.length, `a reader amended message ${index} of ${draft.length}`);
    const pending = draft.unpaged(index);
    const content = this.#prepare(message, pending?.content.claiming);
    if (pending !== null) pending.content = content;
    else this.#steps.push({ kind: 'amend', draft, idx: index, content });
    draft.dirty = true;
  }

  spawn(spawn: Spawn): void {
    this.#steps.push({ kind: 'spawn', draft: this.#draft(), spawn });
  }

  /**
   * Writes what was collected, and the mark of the reading. `whole`: the file has no more for now, so that its
   * transcripts are `ready`. Throws ImportLostError if the import was taken over.
   */
  flush(bytesDone: number, mark: FeedMark | null = null, whole: WholeFile | null = null): void {
    for (const draft of this.#drafts.values()) this.#seal(draft);
    const records = this.#records.take(false);
    asOneWrite(this.#tables.db, () => {
      this.#writeBatch(records, bytesDone, mark).release();
      this.#resume?.release();
      if (whole !== null) this.#complete(whole);
    });
    this.#written(mark, whole !== null);
  }

  /** What is reported from now on belongs to the end of the file. Call when all before was written. */
  beginTail(): void {
    assert(this.#steps.length === 0, 'the tail begins after a batch');
    const lengths = new Map([...this.#drafts.values()].map((draft) => [draft, lengthsOf(draft)]));
    this.#tail = { lengths, problemsTo: this.#tables.feeds.lastProblem(this.#start.source), rewritten: false };
  }

  /** Writes the rest and makes the transcripts `ready`. */
  finish(whole: WholeFile): void {
    for (const draft of this.#drafts.values()) this.#seal(draft);
    const records = this.#records.take(true);
    asOneWrite(this.#tables.db, () => {
      const steps = this.#writeBatch(records, whole.bytes, null);
      for (const draft of this.#drafts.values()) if (draft.existed && this.#owner !== null) steps.drop(draft);
      steps.release();
      this.#resume?.release();
      this.#complete(whole);
      this.#endTail();
    });
    this.#written(null, true);
  }

  /** Removes everything this import wrote; of one that continues with what was whole before, nothing. */
  abandon(): void {
    this.#clear();
    if (this.#owner === null) return;
    try {
      this.#tables.abandonImport(this.#owner);
    } finally {
      // What could not be removed is an unfinished import from now on.
      this.release();
    }
  }

  /** Lets go of the import as it is: somebody may continue with it. */
  release(): void {
    this.#clear();
    if (this.#owner !== null) this.#tables.imports.release(this.#owner);
    this.#owner = null;
  }

  #complete({ sha256, bytes, probe, path, mtimeMs }: WholeFile): void {
    const { imports } = this.#tables;
    const { source } = this.#start;
    this.#setReady();
    imports.completeSource(source, sha256, this.#owner !== null);
    imports.renewSource(source, bytes, probe);
    imports.addFile(source, { path, mtimeMs });
    if (this.#owner !== null) imports.finish(this.#owner);
  }

  #setReady(): void {
    for (const draft of this.#drafts.values()) {
      if (!draft.existed) this.#tables.transcripts.setState(draft.row, 'ready', null);
    }
  }

  #endTail(): void {
    const tail = this.#tail;
    if (tail === null) return;
    const none = { messages: 0, events: 0, compactions: 0, spawns: 0 };
    const changed = [...this.#drafts].flatMap(([key, draft]): [string, Lengths][] => {
      const before = tail.lengths.get(draft) ?? none;
      return isSame(before, lengthsOf(draft)) ? [] : [[key, before]];
    });
    const { problemsTo, rewritten } = tail;
    const wasWritten = { lengths: Object.fromEntries(changed), problemsTo, rewritten };
    if (!this.#tables.feeds.end(this.#start.source, this.#turn, wasWritten)) throw lost();
  }

  #written(mark: FeedMark | null, whole: boolean): void {
    this.#clear();
    if (mark !== null) this.#turn++;
    this.#resume = null;
    if (!whole) return;
    this.release();
  }

  #isBelowFloor(): boolean {
    const floors = this.#resume?.floors;
    return floors !== undefined && [...floors].some(([draft, floor]) => draft.length < floor);
  }

  #draft(): Draft {
    assert(this.#current !== null, 'a reader gave something before it began a transcript');
    return this.#current;
  }

  /** A transcript that is there already is written a second time under another id: branches may come out of it. */
  #begin(key: string, meta: TranscriptMeta): Draft {
    const existed = this.#start.present.has(key);
    const draft: Draft = existed
      ? new TranscriptDraft(`${key} again ${this.#start.owner ?? randomUUID()}`, randomUUID(), meta, true)
      : new TranscriptDraft(key, this.#start.uidOf(key), meta, false);
    this.#drafts.set(key, draft);
    return draft;
  }

  #leave(draft: Draft, at: number, { key, meta }: Rewind['leave']): void {
    if (draft.length <= at) return;
    const before = this.#drafts.get(key);
    if (this.#pending.delete(key) && before !== undefined) this.#steps.push({ kind: 'drop', draft: before });
    else assert(before === undefined, `a reader left two branches as ${key}`);
    this.#seal(draft);
    const branch = this.#begin(key, { ...draft.meta, ...meta });
    branch.length = draft.length;
    this.#steps.push({ kind: 'leave', draft, branch, at });
    draft.length = at;
    draft.dirty = true;
  }

  /** Readies a message's content; its records are to share text with it, in the place of `before` if that is given. */
  #prepare({ text, value, meta, origins }: ImportedMessage, before?: ClaimingMessage): PreparedContent {
    const facts = readRecorded(value === undefined ? JSON.parse(text) : value, meta);
    const { rest, payloads } = extractPayloads(text);
    const claiming = before ?? { text: new BlockedText(text), contentId: null };
    claiming.text = new BlockedText(text);
    this.#records.claim(origins, claiming);
    this.#chars += text.length;
    return { facts, meta, origins, hash: sha256(text), rest, payloads, claiming };
  }

  #addEvent(event: ImportedEvent, compaction: RecordedCompaction | null): void {
    const draft = this.#draft();
    draft.dirty = true;
    const start = this.#records.locate(event.origin, event.json);
    const json = start === null ? event.json : null;
    this.#steps.push({ kind: 'event', draft, event: { event, jsonStart: start ?? 0, json, compaction } });
    if (json !== null) this.#chars += json.length;
  }

  /** Nothing more can be put into the pages of what was reported up to here. */
  #seal(draft: Draft): void {
    for (const page of draft.takePages()) this.#steps.push({ kind: 'page', draft, page });
  }

  /** Writes all but the deletion of contents, which comes last. */
  #writeBatch(records: readonly CutRecord[], bytesDone: number, mark: FeedMark | null): StepWriter {
    const { source } = this.#start;
    this.#advance(bytesDone, mark);
    this.#resume?.takeBack();
    const steps = new StepWriter(this.#tables, source);
    for (const step of this.#steps) steps.write(step);
    for (const draft of this.#drafts.values()) {
      if (draft.dirty) this.#update(draft);
      draft.dirty = false;
      draft.committed = draft.length;
    }
    // What continues is whole with every batch.
    if (this.#owner === null) this.#setReady();
    for (const record of records) this.#tables.records.insert(record.prepare(source));
    for (const filler of this.#fillers) this.#tables.records.insertFiller(source, filler);
    return steps;
  }

  #update(draft: Draft): void {
    const { transcripts, watchpoints } = this.#tables;
    const progress = draft.progress();
    transcripts.update(draft.row, progress);
    // What a report watches, whoever opens it watches too; what is there already stays.
    if (draft.isRemoved) return;
    const now = new Date().toISOString();
    for (const stated of progress.meta.bundle?.watchpoints ?? []) {
      watchpoints.add(draft.uid, { ...stated, id: randomUUID() }, now);
    }
  }

  #advance(bytesDone: number, mark: FeedMark | null): void {
    const { imports, feeds } = this.#tables;
    if (this.#owner !== null && !imports.advance(this.#owner, bytesDone)) throw lost();
    if (mark === null) return;
    const recordsFrom = Math.min(this.#records.from ?? mark.bytesDone, mark.bytesDone - mark.heldBytes);
    if (!feeds.advance(this.#start.source, this.#turn, recordsFrom, mark)) throw lost();
  }

  #clear(): void {
    this.#steps = [];
    this.#fillers = [];
    this.#chars = 0;
  }
}

function lost(): ImportLostError {
  return new ImportLostError('the import was taken over');
}

function lengthsOf({ length, written }: Draft): Lengths {
  const { events, nextCompaction, nextSpawn } = written;
  return { messages: length, events, compactions: nextCompaction, spawns: nextSpawn };
}

function isSame(a: Lengths, b: Lengths): boolean {
  return a.messages === b.messages && a.events === b.events && a.compactions === b.compactions && a.spawns === b.spawns;
}

/** By way of hexadecimal: such a Buffer comes from the pool, one made by the hash costs more than the hash. */
function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex'), 'hex');
}
