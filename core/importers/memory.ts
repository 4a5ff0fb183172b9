// Imports into memory: for tests, and for the CLI where no library is wanted.

import type { ImportSink, Rewind } from '../model/importSink.ts';
import { projectionEvents } from '../model/lineage.ts';
import type { MessageFacts } from '../model/message.ts';
import type { Problem } from '../model/problem.ts';
import { readRecorded } from '../model/readMessage.ts';
import type { SummaryArtifact } from '../model/summary.ts';
import type {
  BundleOrigin,
  ImportedEvent,
  ImportedMessage,
  PlacedCompaction,
  ProjectionEvent,
  RecordedCompaction,
  Spawn,
  TranscriptMeta,
  TranscriptSource,
} from '../model/transcript.ts';
import { assert } from '../util/assert.ts';
import { formats } from './formats/index.ts';
import { type ImportCounts, ImportStream } from './importStream.ts';
import type { FormatRegistry } from './registry.ts';
import type { Unpack } from './zip/unpack.ts';

/** One transcript of a file, whole. */
export interface ImportedTranscript {
  readonly key: string;
  readonly meta: TranscriptMeta;
  readonly messages: readonly ImportedMessage[];
  readonly events: readonly ImportedEvent[];
  readonly compactions: readonly RecordedCompaction[];
  /** When each compaction was, where it was recorded. ISO-8601. */
  readonly compactionTimes: readonly (string | undefined)[];
  readonly spawns: readonly Spawn[];
}

/** A record passed over on purpose. */
export interface IgnoredRecord {
  readonly line: number;
  readonly byteStart: number;
  readonly reason: string;
}

/** All a file gave. A file that was not recognised has no transcripts and says why in `problems`. */
export interface ImportedFile {
  readonly format: string | null;
  readonly transcripts: readonly ImportedTranscript[];
  readonly problems: readonly Problem[];
  readonly ignored: readonly IgnoredRecord[];
  readonly counts: ImportCounts;
}

/** How to import; `chunkSize` in bytes splits the input as a stream would (default: one piece). */
export interface ImportTextOptions {
  readonly registry?: FormatRegistry;
  readonly format?: string;
  readonly chunkSize?: number;
  /** How members of zip archives are unpacked; without it only those that are not packed are read. */
  readonly unpack?: Unpack;
}

interface TimedCompaction {
  readonly compaction: RecordedCompaction;
  readonly timestamp: string | undefined;
}

interface Growing {
  readonly key: string;
  meta: TranscriptMeta;
  messages: ImportedMessage[];
  events: ImportedEvent[];
  compactions: TimedCompaction[];
  readonly spawns: Spawn[];
}

/** Imports a file's bytes (or text, taken as UTF-8) as a whole. Never throws for a bad file. */
export function importText(input: Uint8Array | string, options: ImportTextOptions = {}): ImportedFile {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const collected = new MemorySink();
  let format: string | null = null;
  const stream = new ImportStream(collected, {
    registry: options.registry ?? formats,
    unpack: options.unpack,
    ...(options.format === undefined ? {} : { format: options.format }),
    onDetected: (found) => {
      format = found.id;
    },
  });
  const size = options.chunkSize ?? Math.max(bytes.length, 1);
  for (let at = 0; at < bytes.length; at += size) stream.push(bytes.subarray(at, at + size));
  stream.end();
  return { format, ...collected.result(), counts: stream.counts };
}

/** A sink that keeps everything. */
export class MemorySink implements ImportSink {
  readonly #transcripts = new Map<string, Growing>();
  readonly #problems: Problem[] = [];
  readonly #ignored: IgnoredRecord[] = [];
  #current: Growing | null = null;

  begin(key: string, meta: TranscriptMeta): void {
    const known = this.#transcripts.get(key);
    if (known) {
      known.meta = { ...known.meta, ...meta };
      this.#current = known;
      return;
    }
    this.#current = { key, meta, messages: [], events: [], compactions: [], spawns: [] };
    this.#transcripts.set(key, this.#current);
  }

  meta(meta: Partial<TranscriptMeta>): void {
    const current = this.#now();
    current.meta = { ...current.meta, ...meta };
  }

  message(message: ImportedMessage): number {
    return this.#now().messages.push(message) - 1;
  }

  event(event: ImportedEvent): void {
    this.#now().events.push(event);
  }

  compaction(event: ImportedEvent, compaction: RecordedCompaction): void {
    const current = this.#now();
    current.events.push(event);
    current.compactions.push({ compaction, timestamp: event.timestamp });
  }

  problem(problem: Problem): void {
    this.#problems.push(problem);
  }

  ignored(record: { readonly line: number; readonly byteStart: number }, reason: string): void {
    this.#ignored.push({ line: record.line, byteStart: record.byteStart, reason });
  }

  rewind({ at, leave, resume }: Rewind): void {
    const current = this.#now();
    const taken = resume && this.#transcripts.get(resume.key);
    if (resume) assert(taken !== undefined, `a reader resumed the branch ${resume.key}, which is not there`);
    this.#leave(current, at, leave);
    if (!resume || !taken) return;
    const within = (place: number): boolean => place > at && place <= resume.to;
    current.messages.push(...taken.messages.slice(at, resume.to));
    current.compactions.push(...taken.compactions.filter(({ compaction }) => within(compaction.at)));
    if (resume.to < taken.messages.length) return;
    current.events.push(...taken.events);
    this.#transcripts.delete(resume.key);
  }

  amend(index: number, message: ImportedMessage): void {
    const { messages } = this.#now();
    assert(index < messages.length, `a reader amended message ${index} of ${messages.length}`);
    messages[index] = message;
  }

  spawn(spawn: Spawn): void {
    this.#now().spawns.push(spawn);
  }

  #leave(current: Growing, at: number, { key, meta }: Rewind['leave']): void {
    if (current.messages.length <= at) return;
    assert(!this.#transcripts.has(key), `a reader left two branches as ${key}`);
    const moved = (event: ImportedEvent): boolean => event.at > at;
    this.#transcripts.set(key, {
      key,
      meta: { ...current.meta, ...meta },
      messages: [...current.messages],
      events: current.events.filter(moved),
      compactions: [...current.compactions],
      spawns: [...current.spawns],
    });
    current.messages = current.messages.slice(0, at);
    current.events = current.events.filter((event) => !moved(event));
    current.compactions = current.compactions.filter(({ compaction }) => compaction.at <= at);
  }

  result(): Pick<ImportedFile, 'transcripts' | 'problems' | 'ignored'> {
    const transcripts = [...this.#transcripts.values()].map((transcript) => ({
      ...transcript,
      compactions: transcript.compactions.map(({ compaction }) => compaction),
      compactionTimes: transcript.compactions.map(({ timestamp }) => timestamp),
    }));
    return { transcripts, problems: this.#problems, ignored: this.#ignored };
  }

  #now(): Growing {
    if (!this.#current) throw new Error('a reader wrote before it began a transcript');
    return this.#current;
  }
}

const NO_SUMMARIES: readonly SummaryArtifact[] = [];
const NO_CALLS: readonly string[] = [];

/** What is needed of an imported message. */
type Recorded = Pick<ImportedMessage, 'text' | 'value'> & Partial<Pick<ImportedMessage, 'meta'>>;

/** A transcript in memory as the rest of the program reads it; facts are read when first asked for. */
export class MemoryTranscript implements TranscriptSource {
  readonly #messages: readonly Recorded[];
  readonly #facts: (MessageFacts | undefined)[] = [];
  readonly summary: string | null;
  /** Set if it was read from a bug-report bundle. */
  readonly bundle: BundleOrigin | null;
  readonly #compactions: readonly PlacedCompaction[];
  readonly #projections: readonly ProjectionEvent[];

  constructor(
    messages: readonly Recorded[],
    summary: string | null = null,
    compactions: readonly PlacedCompaction[] = [],
    bundle: BundleOrigin | null = null,
    projections: readonly ProjectionEvent[] = [],
  ) {
    this.#messages = messages;
    this.summary = summary;
    this.#compactions = compactions;
    this.bundle = bundle;
    this.#projections = projections;
  }

  /** From a transcript as imported. */
  static of(transcript: ImportedTranscript): MemoryTranscript {
    const compactions = transcript.compactions.map((compaction, i): PlacedCompaction => {
      const timestamp = transcript.compactionTimes[i];
      return timestamp === undefined ? compaction : { ...compaction, timestamp };
    });
    const { summary = null, bundle } = transcript.meta;
    const projections = projectionEvents(transcript.events);
    return new MemoryTranscript(transcript.messages, summary, compactions, bundle, projections);
  }

  get length(): number {
    return this.#messages.length;
  }

  compactions(): readonly PlacedCompaction[] {
    return this.#compactions;
  }

  projections(): readonly ProjectionEvent[] {
    return this.#projections;
  }

  summaries(): readonly SummaryArtifact[] {
    return this.bundle?.summaries ?? NO_SUMMARIES;
  }

  facts(index: number): MessageFacts {
    const known = this.#facts[index];
    if (known) return known;
    const message = this.#at(index);
    const value: unknown = message.value === undefined ? JSON.parse(message.text) : message.value;
    const facts = readRecorded(value, message.meta ?? {});
    this.#facts[index] = facts;
    return facts;
  }

  text(index: number): string {
    return this.#at(index).text;
  }

  failedCallIds(index: number): readonly string[] {
    return this.#at(index).meta?.failedCallIds ?? NO_CALLS;
  }

  #at(index: number): Recorded {
    const message = this.#messages[index];
    if (!message) throw new RangeError(`message ${index} of ${this.#messages.length}`);
    return message;
  }
}
