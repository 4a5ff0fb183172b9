// From bytes to a sink by one format's reader. Every record is accounted for: it became part of a message, an event, was
// passed over on purpose, or was broken; one that slipped through is itself a problem. So is a reader that makes events of
// most of what people and models said.

import type { ImportSink, SourceRecord } from '../../model/importSink.ts';
import type { Problem } from '../../model/problem.ts';
import type {
  ImportedEvent,
  ImportedMessage,
  Origin,
  RecordedCompaction,
  TranscriptMeta,
} from '../../model/transcript.ts';
import { asLines as linesIn } from '../sniff.ts';
import type { Format, FormatReader, Sniff } from '../types.ts';
import type { Unpack } from '../zip/unpack.ts';
import { ZipSplitter } from '../zip/zipSplitter.ts';
import { DocumentSplitter, type RecordSink } from './documentSplitter.ts';
import { LineSplitter, type RawLine } from './lineSplitter.ts';
import { readLine, TOO_DEEP } from './record.ts';
import { type Heard, misreadProblem, SpeechCount } from './speech.ts';

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

type Counts = { -readonly [key in keyof ImportCounts]: number };
type Splitter = { push(chunk: Uint8Array): void; end(): void; readonly held?: number };

const FAILED = 'import.reader_failed';

/** Nothing read. */
export const ZERO: ImportCounts = {
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

/** How a file is read. */
export interface ReadingOptions {
  readonly unpack?: Unpack | undefined;
  /** The file is an array: its elements are handed to the reader as lines would be. */
  readonly asLines?: boolean;
}

/** The reading of one file by one format: push its bytes, then end(). Nothing is thrown for a bad file or a bad reader. */
export class Reading {
  readonly #sink: ImportSink;
  readonly #format: Format;
  readonly #unpack: Unpack | undefined;
  readonly #counts: Counts = { ...ZERO };
  // Records delivered and not yet claimed, by byteStart; readers that join hold back only a few.
  readonly #open = new Map<number, SourceRecord>();
  readonly #keys = new Set<string>();
  readonly #speech = new SpeechCount();
  readonly #splitter: Splitter;
  readonly #reader: FormatReader;
  readonly #hasRemainder: boolean;
  #errors = 0;
  #version: Pick<TranscriptMeta, 'readerVersion'> = {};

  /** Throws what the format throws when it is opened. */
  constructor(sink: ImportSink, format: Format, seen: Sniff, { unpack, asLines = false }: ReadingOptions = {}) {
    this.#sink = this.#counting(sink);
    this.#format = format;
    this.#unpack = unpack;
    const { readerVersion } = format;
    if (readerVersion !== undefined) this.#version = { readerVersion };
    this.#reader = format.open(this.#sink, (asLines ? linesIn(seen) : null) ?? seen);
    this.#hasRemainder = !asLines && seen.shape === 'json' && format.elements !== undefined;
    this.#splitter = asLines ? this.#arraySplitter(format) : this.#splitterFor(seen, format);
  }

  /** What became of the records so far; final after end(). */
  get counts(): ImportCounts {
    return { ...this.#counts };
  }

  /** Records are lines: what is appended continues the file. */
  get byLines(): boolean {
    return this.#splitter instanceof LineSplitter;
  }

  /** Bytes that wait for the rest of their line. */
  get heldBytes(): number {
    return this.#splitter.held ?? 0;
  }

  /** What was said in the file so far, and how much of it no message holds. */
  get heard(): Heard {
    return { ...this.#speech.heard, messages: this.#counts.messages, errors: this.#errors };
  }

  push(chunk: Uint8Array): void {
    this.#splitter.push(chunk);
  }

  settle(): void {
    this.#guard(null, () => this.#reader.settle?.());
  }

  end(): void {
    this.#splitter.end();
    this.#guard(null, () => this.#reader.end());
    this.#reportUnaccounted();
    const misread = misreadProblem(this.#format, this.heard, this.#counts.records);
    if (misread !== null) this.#sink.problem(misread);
  }

  #splitterFor({ shape }: Sniff, { elements, readsNaN }: Format): Splitter {
    const sink = this.#recordSink();
    if (shape === 'zip') return new ZipSplitter(sink, { unpack: this.#unpack });
    if (shape === 'json' && elements) return new DocumentSplitter(elements, sink, { readsNaN: readsNaN === true });
    return new LineSplitter((line) => (shape === 'sse' ? this.#sseLine(line) : this.#line(line)), sink.filler);
  }

  #arraySplitter({ readsNaN }: Format): Splitter {
    const record = (one: SourceRecord): void => {
      // What stands around the elements is the array itself.
      if (one.path.length > 0) this.#deliver({ ...one, path: [] });
      else this.#around(one);
    };
    const sink = { ...this.#recordSink(), record };
    return new DocumentSplitter([['*']], sink, { readsNaN: readsNaN === true });
  }

  #around(record: SourceRecord): void {
    this.#counts.records++;
    this.#counts[record.error ? 'broken' : 'envelopes']++;
    this.#sink.record?.(record);
    if (record.error) this.#sink.problem(brokenProblem(record, record.error));
  }

  #recordSink(): RecordSink {
    return {
      record: (record) => this.#deliver(record),
      broken: (record) => this.#broken(record),
      filler: (filler) => this.#sink.filler?.(filler),
      problem: (problem) => this.#sink.problem(problem),
    };
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

  // A stretch that no reader sees; its problem has been reported.
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
    this.#speech.deliver(record);
    this.#guard(record, () => this.#reader.record(record));
  }

  // A reader that throws is a bug, but must not lose the rest of the file.
  #guard(record: SourceRecord | null, read: () => void): void {
    try {
      read();
    } catch (error) {
      const place = record ? `the record on line ${record.line}` : 'the end of the file';
      const text = `The reader failed at ${place}, which is a fault of this program: ${String(error)}. The rest was read.`;
      const where = record ? { where: placeOf(record) } : {};
      this.#sink.problem({ code: FAILED, severity: 'error', text, ...where });
      if (record) this.#speech.claim(record.byteStart, 'inEvents');
      if (record && this.#open.delete(record.byteStart)) this.#counts.broken++;
    }
  }

  #claim(origin: Origin, kind: 'inMessages' | 'inEvents' | 'ignored'): void {
    this.#speech.claim(origin.byteStart, kind);
    if (this.#open.delete(origin.byteStart)) this.#counts[kind]++;
  }

  #reportUnaccounted(): void {
    for (const record of this.#open.values()) {
      if (record.path.length === 0 && this.#hasRemainder) {
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
      begin: (key: string, own: TranscriptMeta) => {
        const meta = { ...own, ...this.#version };
        if (!this.#keys.has(key)) counts.transcripts++;
        this.#keys.add(key);
        sink.begin(key, meta);
      },
      meta: (meta) => sink.meta(meta),
      record: (record) => sink.record?.(record),
      filler: (filler) => sink.filler?.(filler),
      message: (message: ImportedMessage) => {
        counts.messages++;
        this.#speech.message(message);
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
        if (problem.severity === 'error' && problem.code !== FAILED) this.#errors++;
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
  if (message === TOO_DEEP) {
    const text = `The value at ${record.path.join('.') || 'the root'} (line ${record.line}) cannot be read and was skipped: ${message}.`;
    return { code: 'import.too_deep', severity: 'error', text, where };
  }
  if (record.path.length > 0) {
    const text = `The value at ${record.path.join('.')} (line ${record.line}) is not valid JSON and was skipped: ${message}.`;
    return { code: 'import.broken_element', severity: 'error', text, where };
  }
  const text = `What is around the messages in this document is not valid JSON (${message}): system prompt, tools and other facts were not read.`;
  return { code: 'import.broken_document', severity: 'error', text, where };
}
