import type { ImportSink, Rewind, SourceRecord } from '../../model/importSink.ts';
import type { Problem } from '../../model/problem.ts';
import type {
  ImportedEvent,
  ImportedMessage,
  RecordedCompaction,
  Spawn,
  TranscriptMeta,
} from '../../model/transcript.ts';

/** Passes everything on and knows which transcript is being written and how many messages it has. */
export class TrackingSink implements ImportSink {
  readonly #sink: ImportSink;
  readonly #lengths = new Map<string, number>();
  #key: string | null = null;

  constructor(sink: ImportSink) {
    this.#sink = sink;
  }

  /** Key of the transcript being written; null before the first. */
  get key(): string | null {
    return this.#key;
  }

  /** Number of its messages so far: where an event stands that comes now. */
  get length(): number {
    return this.#lengths.get(this.#key ?? '') ?? 0;
  }

  begin(key: string, meta: TranscriptMeta): void {
    this.#key = key;
    this.#sink.begin(key, meta);
  }

  meta(meta: Partial<TranscriptMeta>): void {
    this.#sink.meta(meta);
  }

  message(message: ImportedMessage): number {
    const index = this.#sink.message(message);
    this.#lengths.set(this.#key ?? '', index + 1);
    return index;
  }

  event(event: ImportedEvent): void {
    this.#sink.event(event);
  }

  compaction(event: ImportedEvent, compaction: RecordedCompaction): void {
    this.#sink.compaction(event, compaction);
  }

  problem(problem: Problem): void {
    this.#sink.problem(problem);
  }

  ignored(record: SourceRecord, reason: string): void {
    this.#sink.ignored(record, reason);
  }

  rewind(rewind: Rewind): void {
    const { at, leave, resume } = rewind;
    if (this.length > at) this.#lengths.set(leave.key, this.length);
    if (resume && resume.to === this.#lengths.get(resume.key)) this.#lengths.delete(resume.key);
    this.#lengths.set(this.#key ?? '', resume?.to ?? at);
    this.#sink.rewind(rewind);
  }

  amend(index: number, message: ImportedMessage): void {
    this.#sink.amend(index, message);
  }

  spawn(spawn: Spawn): void {
    this.#sink.spawn(spawn);
  }
}
