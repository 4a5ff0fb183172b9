import { Buffer } from 'node:buffer';
import { hash, randomUUID } from 'node:crypto';
import type { Filler, ImportSink, Rewind, SourceRecord } from '../importers/types.ts';
import type { Problem } from '../model/problem.ts';
import { readMessage } from '../model/readMessage.ts';
import type { ImportedEvent, ImportedMessage, RecordedCompaction, Spawn, TranscriptMeta } from '../model/transcript.ts';
import { assert } from '../util/assert.ts';
import { TranscriptDraft } from './importDraft.ts';
import { type ClaimingMessage, type CutRecord, PendingRecords } from './importRecords.ts';
import { type Draft, type MessageStep, type PreparedContent, type Step, StepWriter } from './importSteps.ts';
import { extractPayloads } from './payloads.ts';
import { BlockedText } from './recordSlices.ts';
import type { Tables } from './tables.ts';

/** What an import is about: decided before the first byte is read. */
export interface WriterStart {
  readonly source: number;
  readonly owner: string;
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

/** Somebody took this import for dead and removed it. */
export class ImportLostError extends Error {}

const BATCH_CHARS = 2_000_000;
const BATCH_ITEMS = 2_000;
/** Findings kept to be told at the end; all of them are in the library. */
const TOLD_PROBLEMS = 1_000;

/**
 * Puts what a reader recognises into the library. Sink calls only collect; `flush` writes one batch as one
 * transaction, together with the import's mark. Call exactly one of `finish` and `abandon` at the end.
 */
export class ImportWriter implements ImportSink {
  readonly #tables: Tables;
  readonly #start: WriterStart;
  readonly #drafts = new Map<string, Draft>();
  readonly #records = new PendingRecords();
  #current: Draft | null = null;
  #steps: Step[] = [];
  #fillers: Filler[] = [];
  readonly #told: Problem[] = [];
  #chars = 0;

  constructor(tables: Tables, start: WriterStart) {
    this.#tables = tables;
    this.#start = start;
  }

  /** Transcripts so far, in the order they began; `id`s can be opened once a batch was written. */
  get transcripts(): readonly WrittenTranscript[] {
    return [...this.#drafts].map(([key, { length, existed }]) => {
      return { id: this.#start.uidOf(key), messages: length, existed };
    });
  }

  /** The first 1,000 findings. */
  get problems(): readonly Problem[] {
    return this.#told;
  }

  /** True when enough has been collected to be written. */
  get full(): boolean {
    return this.#chars + this.#records.chars >= BATCH_CHARS || this.#steps.length >= BATCH_ITEMS;
  }

  begin(key: string, meta: TranscriptMeta): void {
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
    if (this.#told.length < TOLD_PROBLEMS) this.#told.push(problem);
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
    const taken = resume && this.#drafts.get(resume.key);
    if (resume) assert(taken !== undefined, `a reader resumed the branch ${resume.key}, which is not there`);
    this.#leave(draft, at, leave);
    if (!resume || !taken) return;
    assert(draft.length === at, `a reader resumed at ${at} a transcript of ${draft.length} messages`);
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

  /** Writes what was collected. Throws ImportLostError if the import was taken over. */
  flush(bytesDone: number): void {
    for (const draft of this.#drafts.values()) this.#seal(draft);
    const records = this.#records.take(false);
    this.#tables.db.transaction(() => this.#writeBatch(records, bytesDone).release()).immediate();
    this.#clear();
  }

  /** Writes the rest and makes the transcripts `ready`. `sha256` is that of all bytes. */
  finish(sha256: Buffer, bytesDone: number): void {
    const { imports, transcripts } = this.#tables;
    for (const draft of this.#drafts.values()) this.#seal(draft);
    const records = this.#records.take(true);
    const run = this.#tables.db.transaction(() => {
      const steps = this.#writeBatch(records, bytesDone);
      for (const draft of this.#drafts.values()) {
        if (draft.existed) steps.drop(draft);
        else transcripts.setState(draft.row, 'ready', null);
      }
      steps.release();
      imports.completeSource(this.#start.source, sha256);
      imports.finish(this.#start.owner);
    });
    run.immediate();
    this.#clear();
    imports.release(this.#start.owner);
  }

  /** Removes everything this import wrote. */
  abandon(): void {
    this.#clear();
    try {
      this.#tables.abandonImport(this.#start.owner);
    } finally {
      // What could not be removed is an unfinished import from now on.
      this.#tables.imports.release(this.#start.owner);
    }
  }

  #draft(): Draft {
    assert(this.#current !== null, 'a reader gave something before it began a transcript');
    return this.#current;
  }

  /** A transcript that is there already is written a second time under another id: branches may come out of it. */
  #begin(key: string, meta: TranscriptMeta): Draft {
    const existed = this.#start.present.has(key);
    const draft: Draft = existed
      ? new TranscriptDraft(`${key} again ${this.#start.owner}`, randomUUID(), meta, true)
      : new TranscriptDraft(key, this.#start.uidOf(key), meta, false);
    this.#drafts.set(key, draft);
    return draft;
  }

  #leave(draft: Draft, at: number, { key, meta }: Rewind['leave']): void {
    if (draft.length <= at) return;
    assert(!this.#drafts.has(key), `a reader left two branches as ${key}`);
    this.#seal(draft);
    const branch = this.#begin(key, { ...draft.meta, ...meta });
    branch.length = draft.length;
    this.#steps.push({ kind: 'leave', draft, branch, at });
    draft.length = at;
    draft.dirty = true;
  }

  /** Readies a message's content; its records are to share text with it, in the place of `before` if that is given. */
  #prepare({ text, value, meta, origins }: ImportedMessage, before?: ClaimingMessage): PreparedContent {
    const facts = readMessage(value === undefined ? JSON.parse(text) : value);
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

  /** Nothing more can be put into the pages of what was told up to here. */
  #seal(draft: Draft): void {
    for (const page of draft.takePages()) this.#steps.push({ kind: 'page', draft, page });
  }

  /** Writes all but the deletion of contents, which comes last. */
  #writeBatch(records: readonly CutRecord[], bytesDone: number): StepWriter {
    const { imports, transcripts } = this.#tables;
    const { source, owner } = this.#start;
    if (!imports.advance(owner, bytesDone)) throw new ImportLostError('the import was taken over');
    const steps = new StepWriter(this.#tables, source);
    for (const step of this.#steps) steps.write(step);
    for (const draft of this.#drafts.values()) {
      if (draft.dirty) transcripts.update(draft.row, draft.progress());
      draft.dirty = false;
      draft.committed = draft.length;
    }
    for (const record of records) this.#tables.records.insert(record.prepare(source));
    for (const filler of this.#fillers) this.#tables.records.insertFiller(source, filler);
    return steps;
  }

  #clear(): void {
    this.#steps = [];
    this.#fillers = [];
    this.#chars = 0;
  }
}

/** By way of hexadecimal: such a Buffer comes from the pool, one made by the hash costs more than the hash. */
function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex'), 'hex');
}
