// The way in: bytes → head → format → records → reader → sink. Every record is accounted for: it became part of a
// message, an event, was passed over on purpose, or was broken; one that slipped through is itself a problem.

import type { Problem } from '../model/problem.ts';
import type {
  ImportedEvent,
  ImportedMessage,
  Origin,
  RecordedCompaction,
  TranscriptMeta,
} from '../model/transcript.ts';
import { err, ok, type Result } from '../util/result.ts';
import { ByteCollector } from './byteText.ts';
import { DocumentSplitter, type RecordSink } from './documentSplitter.ts';
import { LineSplitter, type RawLine } from './lineSplitter.ts';
import { readLine } from './record.ts';
import type { FormatRegistry } from './registry.ts';
import { HEAD_BYTES, MAX_HEAD_BYTES, sniff } from './sniff.ts';
import type { Format, FormatReader, ImportSink, Sniff, SourceRecord } from './types.ts';
import type { Unpack } from './zip/unpack.ts';
import { ZipSplitter } from './zip/zipSplitter.ts';

/** What became of a file. `records` = inMessages + inEvents + ignored + broken + envelopes + unaccounted. */
export interface ImportCounts {
  readonly transcripts: number;
  readonly messages: number;
  readonly events: number;
  readonly problems: number;
  /** Records read: lines with content, or elements of a document and its remainder. */
  readonly records: number;
  readonly inMessages: number;
  /** Records that gave an event and no message before it. */
  readonly inEvents: number;
  readonly ignored: number;
  /** Stretches that could not be read, or whose reading failed. */
  readonly broken: number;
  /** Remainders of documents: what stands around the messages, read for the transcript's facts only. */
  readonly envelopes: number;
  /** Records nobody claimed: a fault of the reader, reported as a problem. Always 0 for a sound reader. */
  readonly unaccounted: number;
  readonly blankLines: number;
}

/** Choices for an import. `format` skips detection. */
export interface ImportOptions {
  readonly registry: FormatRegistry;
  readonly format?: string;
  /** How members of zip archives are unpacked; without it only those that are not packed are read. */
  readonly unpack?: Unpack | undefined;
  /** Called once, when the format is known. */
  readonly onDetected?: (format: Format, why: string) => void;
}

/** A format with this score is one whatever the lines to come say. */
const SURE = 0.7;

type Counts = { -readonly [key in keyof ImportCounts]: number };
type Splitter = { push(chunk: Uint8Array): void; end(): void; readonly held?: number };

/** How the reading of a file began: what it takes to read it again just so. */
export interface StreamStart {
  readonly format: string;
  /** Bytes that detection saw. */
  readonly headBytes: number;
  /** Records are lines: what is appended continues the file. A document is another one with every change. */
  readonly lines: boolean;
}

const ZERO: ImportCounts = {
  transcripts: 0,
  messages: 0,
  events: 0,
  problems: 0,
  records: 0,
  inMessages: 0,
  inEvents: 0,
  ignored: 0,
  broken: 0,
  envelopes: 0,
  unaccounted: 0,
  blankLines: 0,
};

/**
 * Imports one file: push its bytes in order, then end(). Findings go to the sink; nothing is thrown for a bad file.
 * A file that is not recognised gives one problem that says what it is, and nothing else.
 */
export class ImportStream {
  readonly #sink: ImportSink;
  readonly #options: ImportOptions;
  readonly #head = new ByteCollector();
  readonly #counts: Counts = { ...ZERO };
  // Records delivered and not yet claimed, by byteStart; readers that join hold back only a few.
  readonly #open = new Map<number, SourceRecord>();
  readonly #keys = new Set<string>();
  #splitter: Splitter | null = null;
  #reader: FormatReader | null = null;
  #wanted = HEAD_BYTES;
  #inkSeen = false;
  #firstLineEnded = false;
  #refused = false;
  #ended = false;
  #begun: StreamStart | null = null;

  constructor(sink: ImportSink, options: ImportOptions) {
    this.#options = options;
    this.#sink = this.#counting(sink);
  }

  /** What became of the records so far; final after end(). */
  get counts(): ImportCounts {
    return { ...this.#counts };
  }

  /** False once the file is known to be no transcript: there is no use in pushing more. */
  get wantsMore(): boolean {
    return !this.#refused && !this.#ended;
  }

  /** How the reading began; null until the format is known. */
  get begun(): StreamStart | null {
    return this.#begun;
  }

  /** Bytes pushed that wait for the rest of their line, or for enough to know the format by. */
  get heldBytes(): number {
    return this.#splitter === null ? this.#head.length : (this.#splitter.held ?? 0);
  }

  push(chunk: Uint8Array): void {
    if (this.#refused) return;
    if (this.#splitter) {
      this.#splitter.push(chunk);
      return;
    }
    this.#watch(chunk);
    this.#head.add(chunk);
    const { length } = this.#head;
    const enough = length >= this.#wanted && (this.#firstLineEnded || length >= MAX_HEAD_BYTES);
    if (enough) this.#start(this.#takeHead(), false);
  }

  // Notes the end of the first line that is not blank, so that the head is joined only once.
  #watch(chunk: Uint8Array): void {
    let from = 0;
    if (!this.#inkSeen) {
      from = chunk.findIndex((byte) => byte > 0x20);
      if (from < 0) return;
      this.#inkSeen = true;
    }
    if (chunk.indexOf(0x0a, from) >= 0) this.#firstLineEnded = true;
  }

  /**
   * The file has no more for now: hands over all whole records, and all that the reader holds back; what comes later
   * may amend it. A file shorter than what detection wants is read if its format is given, or known by its first lines.
   */
  settle(): void {
    if (this.#refused || this.#ended) return;
    if (!this.#splitter) this.#startEarly();
    if (this.#splitter) this.#guard(null, () => this.#reader?.settle?.());
  }

  // Only lines can be taken as they are, and only for a format that is sure of them: more lines might tell another.
  #startEarly(): void {
    const head = this.#takeHead();
    const seen = sniff(head, false);
    const { registry, format } = this.#options;
    const best = seen.shape === 'jsonl' && format === undefined ? registry.detect(seen) : null;
    const sure = best?.ok === true && best.value.format.grows === true && (best.value.scores[0]?.score ?? 0) >= SURE;
    if (seen.shape === 'jsonl' && (sure || format !== undefined)) this.#start(head, false);
    else this.#head.add(head);
  }

  /** Delivers what is held back. May be called once. */
  end(): void {
    if (this.#ended) return;
    if (!this.#splitter && !this.#refused) this.#start(this.#takeHead(), true);
    this.#ended = true;
    if (this.#refused) return;
    this.#splitter?.end();
    this.#guard(null, () => this.#reader?.end());
    this.#reportUnaccounted();
  }

  #takeHead(): Uint8Array {
    return this.#head.take() ?? new Uint8Array(0);
  }

  #start(head: Uint8Array, whole: boolean): void {
    const seen = sniff(head, whole);
    const chosen = this.#choose(seen);
    if (!chosen.ok) {
      // A long system prompt or long tools may stand before what a format is known by: look again at more of the file.
      if (!whole && seen.shape === 'json' && head.length < MAX_HEAD_BYTES) {
        this.#wanted = Math.min(head.length * 8, MAX_HEAD_BYTES);
        this.#head.add(head);
        return;
      }
      this.#refused = true;
      this.#sink.problem(chosen.error);
      return;
    }
    const known = chosen.value;
    this.#options.onDetected?.(known.format, known.why);
    this.#reader = known.format.open(this.#sink, seen);
    const splitter = this.#splitterFor(seen, known.format);
    this.#begun = { format: known.format.id, headBytes: head.length, lines: splitter instanceof LineSplitter };
    this.#splitter = splitter;
    splitter.push(head);
  }

  #splitterFor({ shape }: Sniff, { elements, readsNaN }: Format): Splitter {
    const sink: RecordSink = {
      record: (record) => this.#deliver(record),
      broken: (record) => this.#broken(record),
      filler: (filler) => this.#sink.filler?.(filler),
      problem: (problem) => this.#sink.problem(problem),
    };
    if (shape === 'zip') return new ZipSplitter(sink, { unpack: this.#options.unpack });
    if (shape === 'json' && elements) return new DocumentSplitter(elements, sink, { readsNaN: readsNaN === true });
    return new LineSplitter((line) => (shape === 'sse' ? this.#sseLine(line) : this.#line(line)), sink.filler);
  }

  #choose(seen: Sniff): Result<{ readonly format: Format; readonly why: string }, Problem> {
    const { registry, format: id } = this.#options;
    if (id === undefined) return registry.detect(seen);
    const format = registry.get(id);
    if (format) return ok({ format, why: 'chosen by the caller' });
    const known = registry.all.map((each) => each.id).join(', ');
    const text = `There is no transcript format "${id}"; known are ${known}.`;
    return err({ code: 'import.unknown_format', severity: 'error', text });
  }

  // Of server-sent events only the data are records; names, ids and comments say nothing that the data do not.
  #sseLine(raw: RawLine): void {
    const prefix = 'data:';
    const isData = prefix.split('').every((letter, i) => raw.bytes[i] === letter.charCodeAt(0));
    const start = raw.bytes.findIndex((byte, i) => i >= prefix.length && byte !== 0x20);
    const opens = raw.bytes[start] === 0x7b;
    const cut = isData && opens ? start : raw.bytes.length;
    if (cut > 0) this.#sink.filler?.({ byteStart: raw.byteStart, bytes: raw.bytes.subarray(0, cut) });
    if (isData && opens) this.#line({ ...raw, bytes: raw.bytes.subarray(start), byteStart: raw.byteStart + start });
    else this.#counts.blankLines++;
  }

  #line(raw: RawLine): void {
    const reading = readLine(raw);
    if (reading.blank) this.#counts.blankLines++;
    for (const filler of reading.fillers) this.#sink.filler?.(filler);
    for (const problem of reading.problems) this.#sink.problem(problem);
    for (const record of reading.records) this.#deliver(record);
    for (const record of reading.broken) this.#broken(record);
  }

  // A stretch that no reader gets to see; its problem has been told.
  #broken(record: SourceRecord): void {
    this.#counts.records++;
    this.#counts.broken++;
    this.#sink.record?.(record);
  }

  #deliver(record: SourceRecord): void {
    this.#counts.records++;
    this.#sink.record?.(record);
    if (record.error) {
      this.#counts.broken++;
      this.#sink.problem(brokenProblem(record, record.error));
      return;
    }
    this.#open.set(record.byteStart, record);
    this.#guard(record, () => this.#reader?.record(record));
  }

  // A reader that throws is a bug, but must not lose the rest of the file.
  #guard(record: SourceRecord | null, read: () => void): void {
    try {
      read();
    } catch (error) {
      const place = record ? `the record on line ${record.line}` : 'the end of the file';
      const text = `The reader failed at ${place}, which is a fault of this program: ${String(error)}. The rest was read.`;
      const where = record ? { where: placeOf(record) } : {};
      this.#sink.problem({ code: 'import.reader_failed', severity: 'error', text, ...where });
      if (record && this.#open.delete(record.byteStart)) this.#counts.broken++;
    }
  }

  #claim(origin: Origin, kind: 'inMessages' | 'inEvents' | 'ignored'): void {
    if (this.#open.delete(origin.byteStart)) this.#counts[kind]++;
  }

  #reportUnaccounted(): void {
    for (const record of this.#open.values()) {
      if (record.path.length === 0 && this.#splitter instanceof DocumentSplitter) {
        this.#counts.envelopes++;
        continue;
      }
      this.#counts.unaccounted++;
      if (this.#counts.unaccounted > 20) continue;
      const text = `The record on line ${record.line} was read but became nothing, which is a fault of this program.`;
      this.#sink.problem({ code: 'import.unaccounted', severity: 'error', text, where: placeOf(record) });
    }
    this.#open.clear();
  }

  #counting(sink: ImportSink): ImportSink {
    const counts = this.#counts;
    return {
      begin: (key: string, meta: TranscriptMeta) => {
        if (!this.#keys.has(key)) counts.transcripts++;
        this.#keys.add(key);
        sink.begin(key, meta);
      },
      meta: (meta) => sink.meta(meta),
      record: (record) => sink.record?.(record),
      filler: (filler) => sink.filler?.(filler),
      message: (message: ImportedMessage) => {
        counts.messages++;
        for (const origin of message.origins) this.#claim(origin, 'inMessages');
        return sink.message(message);
      },
      event: (event: ImportedEvent) => {
        counts.events++;
        this.#claim(event.origin, 'inEvents');
        sink.event(event);
      },
      compaction: (event: ImportedEvent, compaction: RecordedCompaction) => {
        counts.events++;
        this.#claim(event.origin, 'inEvents');
        sink.compaction(event, compaction);
      },
      problem: (problem: Problem) => {
        counts.problems++;
        sink.problem(problem);
      },
      ignored: (record: SourceRecord, reason: string) => {
        this.#claim(record, 'ignored');
        sink.ignored(record, reason);
      },
      rewind: (rewind) => {
        this.#keys.add(rewind.leave.key);
        sink.rewind(rewind);
      },
      amend: (index, message) => {
        for (const origin of message.origins) this.#claim(origin, 'inMessages');
        sink.amend(index, message);
      },
      spawn: (spawn) => sink.spawn(spawn),
    };
  }
}

function placeOf(record: SourceRecord): NonNullable<Problem['where']> {
  return { line: record.line, byteStart: record.byteStart, byteEnd: record.byteEnd };
}

// Lines come here only when whole; of documents an element or what stands around the elements may be broken.
function brokenProblem(
  record: SourceRecord,
  { message, column }: { readonly message: string; readonly column: number },
): Problem {
  const where = { ...placeOf(record), column };
  if (record.path.length > 0) {
    const text = `The value at ${record.path.join('.')} (line ${record.line}) is no valid JSON: ${message}. It was left out.`;
    return { code: 'import.broken_element', severity: 'error', text, where };
  }
  const text = `What stands around the messages in this document is no valid JSON (${message}): system prompt, tools and other facts were not read.`;
  return { code: 'import.broken_document', severity: 'error', text, where };
}
