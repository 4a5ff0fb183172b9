// The first part of a reading that continues: what the file holds up to the mark is in the library already. Nothing is
// written; only what the rest of the reading needs is kept, lengths of transcripts and records near the mark.

import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Filler, ImportSink, Rewind, SourceRecord } from '../../model/importSink.ts';
import type { Problem } from '../../model/problem.ts';
import type {
  ImportedEvent,
  ImportedMessage,
  RecordedCompaction,
  Spawn,
  TranscriptMeta,
} from '../../model/transcript.ts';
import { BlockedText } from '../transcript/recordSlices.ts';
import { PendingRecords } from './importRecords.ts';

/** What a reading knows at the mark. */
export interface Replayed {
  /** Messages by transcript key. */
  readonly lengths: ReadonlyMap<string, number>;
  /** Key of the transcript that was being reported. */
  readonly current: string | null;
  /** Records not yet written. */
  readonly records: PendingRecords;
  readonly fillers: readonly Filler[];
}

/** Takes what is reported up to the mark. */
export class ReplaySink implements ImportSink, Replayed {
  readonly lengths = new Map<string, number>();
  readonly records = new PendingRecords();
  readonly fillers: Filler[] = [];
  /** Called with every message. */
  onMessage: (key: string, index: number, text: string) => void = () => {};
  readonly #recordsFrom: number;
  readonly #contentId: (hash: Buffer) => number | null;
  #current: string | null = null;

  /** Records and fillers before `recordsFrom` are in the library; `contentId` finds a message's content by its hash. */
  constructor(recordsFrom: number, contentId: (hash: Buffer) => number | null) {
    this.#recordsFrom = recordsFrom;
    this.#contentId = contentId;
  }

  get current(): string | null {
    return this.#current;
  }

  begin(key: string, _meta: TranscriptMeta): void {
    this.#current = key;
    if (!this.lengths.has(key)) this.lengths.set(key, 0);
  }

  meta(_meta: Partial<TranscriptMeta>): void {}

  message(message: ImportedMessage): number {
    const key = this.#key();
    const index = this.lengths.get(key) ?? 0;
    this.lengths.set(key, index + 1);
    this.#claim(message);
    this.onMessage(key, index, message.text);
    return index;
  }

  event(event: ImportedEvent): void {
    this.records.locate(event.origin, event.json);
  }

  compaction(event: ImportedEvent, _compaction: RecordedCompaction): void {
    this.event(event);
  }

  problem(_problem: Problem): void {}

  record(record: SourceRecord): void {
    if (record.byteEnd > this.#recordsFrom) this.records.add(record);
  }

  filler({ byteStart, bytes }: Filler): void {
    if (byteStart + bytes.length > this.#recordsFrom) this.fillers.push({ byteStart, bytes: bytes.slice() });
  }

  ignored(record: SourceRecord, reason: string): void {
    this.records.ignore(record, reason);
  }

  rewind({ at, leave, resume }: Rewind): void {
    const key = this.#key();
    const length = this.lengths.get(key) ?? 0;
    if (length > at) this.lengths.set(leave.key, length);
    if (resume && resume.to === this.lengths.get(resume.key)) this.lengths.delete(resume.key);
    this.lengths.set(key, resume?.to ?? at);
  }

  amend(_index: number, message: ImportedMessage): void {
    this.#claim(message);
  }

  spawn(_spawn: Spawn): void {}

  // A record still to be written shares text with messages that were written already.
  #claim({ text, origins }: ImportedMessage): void {
    if (!origins.some(({ byteEnd }) => byteEnd > this.#recordsFrom)) return;
    const contentId = this.#contentId(Buffer.from(hash('sha256', text, 'hex'), 'hex'));
    if (contentId !== null) this.records.claim(origins, { text: new BlockedText(text), contentId });
  }

  #key(): string {
    if (this.#current === null) throw new Error('a reader gave something before it began a transcript');
    return this.#current;
  }
}

/** Passes everything on to whoever is listening just now. */
export class SwitchSink implements ImportSink {
  target: ImportSink;

  constructor(target: ImportSink) {
    this.target = target;
  }

  begin(key: string, meta: TranscriptMeta): void {
    this.target.begin(key, meta);
  }

  meta(meta: Partial<TranscriptMeta>): void {
    this.target.meta(meta);
  }

  message(message: ImportedMessage): number {
    return this.target.message(message);
  }

  event(event: ImportedEvent): void {
    this.target.event(event);
  }

  compaction(event: ImportedEvent, compaction: RecordedCompaction): void {
    this.target.compaction(event, compaction);
  }

  problem(problem: Problem): void {
    this.target.problem(problem);
  }

  record(record: SourceRecord): void {
    this.target.record?.(record);
  }

  filler(filler: Filler): void {
    this.target.filler?.(filler);
  }

  ignored(record: SourceRecord, reason: string): void {
    this.target.ignored(record, reason);
  }

  rewind(rewind: Rewind): void {
    this.target.rewind(rewind);
  }

  amend(index: number, message: ImportedMessage): void {
    this.target.amend(index, message);
  }

  spawn(spawn: Spawn): void {
    this.target.spawn(spawn);
  }
}
