import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Filler, ImportSink, Rewind, SourceRecord } from '../importers/types.ts';
import type { Problem } from '../model/problem.ts';
import { readMessage } from '../model/readMessage.ts';
import type { ImportedEvent, ImportedMessage, RecordedCompaction, Spawn, TranscriptMeta } from '../model/transcript.ts';
import { assert } from '../util/assert.ts';
import type { PreparedEvent } from './events.ts';
import { TranscriptDraft } from './importDraft.ts';
import { type ClaimingMessage, type CutRecord, PendingRecords } from './importRecords.ts';
import { extractPayloads, type Payload } from './payloads.ts';
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

interface PendingMessage {
  readonly draft: TranscriptDraft;
  readonly idx: number;
  readonly hash: Buffer;
  readonly rest: string;
  readonly payloads: readonly Payload[];
  readonly claiming: ClaimingMessage;
}

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
  readonly #drafts = new Map<string, TranscriptDraft>();
  readonly #records = new PendingRecords();
  #current: TranscriptDraft | null = null;
  #messages: PendingMessage[] = [];
  #events: { draft: TranscriptDraft; event: PreparedEvent }[] = [];
  #problems: { draft: TranscriptDraft | null; problem: Problem }[] = [];
  #fillers: Filler[] = [];
  readonly #told: Problem[] = [];
  #chars = 0;

  constructor(tables: Tables, start: WriterStart) {
    this.#tables = tables;
    this.#start = start;
  }

  /** Transcripts so far, in the order they began; `id`s can be opened once a batch was written. */
  get transcripts(): readonly WrittenTranscript[] {
    return [...this.#drafts.values()].map(({ uid, messages, skipped }) => ({ id: uid, messages, existed: skipped }));
  }

  /** The first 1,000 findings. */
  get problems(): readonly Problem[] {
    return this.#told;
  }

  /** True when enough has been collected to be written. */
  get full(): boolean {
    const items = this.#messages.length + this.#events.length;
    return this.#chars + this.#records.chars >= BATCH_CHARS || items >= BATCH_ITEMS;
  }

  begin(key: string, meta: TranscriptMeta): void {
    const known = this.#drafts.get(key);
    if (known === undefined) {
      this.#current = new TranscriptDraft(key, this.#start.uidOf(key), meta, this.#start.present.has(key));
      this.#drafts.set(key, this.#current);
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
    const facts = readMessage(message.value === undefined ? JSON.parse(message.text) : message.value);
    if (draft.skipped) return draft.addMessage(message, facts, 0);
    const { rest, payloads } = extractPayloads(message.text);
    const idx = draft.addMessage(message, facts, payloads.length);
    const claiming: ClaimingMessage = { text: new BlockedText(message.text), contentId: null };
    this.#messages.push({ draft, idx, hash: sha256(message.text), rest, payloads, claiming });
    this.#records.claim(message.origins, claiming);
    this.#chars += message.text.length;
    return idx;
  }

  event(event: ImportedEvent): void {
    this.#addEvent(event, null);
  }

  compaction(event: ImportedEvent, compaction: RecordedCompaction): void {
    this.#addEvent(event, compaction);
  }

  problem(problem: Problem): void {
    this.#current?.addProblem();
    this.#problems.push({ draft: this.#current, problem });
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

  rewind(_rewind: Rewind): void {
    assert(false, 'the store cannot go back in a transcript yet');
  }

  amend(_index: number, _message: ImportedMessage): void {
    assert(false, 'the store cannot amend a message yet');
  }

  spawn(_spawn: Spawn): void {}

  /** Writes what was collected. Throws ImportLostError if the import was taken over. */
  flush(bytesDone: number): void {
    const records = this.#records.take(false);
    this.#tables.db.transaction(() => this.#writeBatch(records, bytesDone)).immediate();
    this.#clear();
  }

  /** Writes the rest and makes the transcripts `ready`. `sha256` is that of all bytes. */
  finish(sha256: Buffer, bytesDone: number): void {
    const { imports, transcripts } = this.#tables;
    const records = this.#records.take(true);
    const run = this.#tables.db.transaction(() => {
      this.#writeBatch(records, bytesDone);
      for (const draft of this.#drafts.values()) {
        if (draft.id !== null) transcripts.setState(draft.id, 'ready', null);
      }
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

  #draft(): TranscriptDraft {
    assert(this.#current !== null, 'a reader gave something before it began a transcript');
    return this.#current;
  }

  #addEvent(event: ImportedEvent, compaction: RecordedCompaction | null): void {
    const draft = this.#draft();
    const seq = draft.addEvent(event, compaction !== null);
    if (draft.skipped) return;
    const start = this.#records.locate(event.origin, event.json);
    const json = start === null ? event.json : null;
    this.#events.push({ draft, event: { seq, event, jsonStart: start ?? 0, json, compaction } });
    if (json !== null) this.#chars += json.length;
  }

  #writeBatch(records: readonly CutRecord[], bytesDone: number): void {
    const { imports, messages, events, problems } = this.#tables;
    if (!imports.advance(this.#start.owner, bytesDone)) throw new ImportLostError('the import was taken over');
    for (const draft of this.#drafts.values()) this.#writeDraft(draft);
    for (const { draft, idx, hash: key, rest, payloads, claiming } of this.#messages) {
      claiming.contentId = messages.insert({ transcript: rowId(draft), idx, hash: key, rest, payloads });
    }
    for (const record of records) this.#tables.records.insert(record.prepare(this.#start.source));
    for (const filler of this.#fillers) this.#tables.records.insertFiller(this.#start.source, filler);
    for (const { draft, event } of this.#events) events.insert(rowId(draft), event);
    for (const { draft, problem } of this.#problems) {
      if (draft?.skipped !== true) problems.insert(this.#start.source, draft?.id ?? null, problem);
    }
  }

  #writeDraft(draft: TranscriptDraft): void {
    if (!draft.dirty || draft.skipped) return;
    const { transcripts, messages } = this.#tables;
    draft.id ??= transcripts.insert({
      uid: draft.uid,
      source: this.#start.source,
      key: draft.key,
      meta: draft.meta,
      importedAt: new Date().toISOString(),
    });
    for (const page of draft.takePages(draft.id)) messages.insertPage(page);
    transcripts.update(draft.id, draft.progress());
    draft.dirty = false;
  }

  #clear(): void {
    this.#messages = [];
    this.#events = [];
    this.#problems = [];
    this.#fillers = [];
    this.#chars = 0;
  }
}

/** By way of hexadecimal: such a Buffer comes from the pool, one made by the hash costs more than the hash. */
function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex'), 'hex');
}

function rowId(draft: TranscriptDraft): number {
  assert(draft.id !== null, 'a transcript has no row');
  return draft.id;
}
