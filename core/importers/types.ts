import type { Problem } from '../model/problem.ts';
import type { ImportedEvent, ImportedMessage, RecordedCompaction, Spawn, TranscriptMeta } from '../model/transcript.ts';

/** The start of a file, as detection sees it. */
export interface Sniff {
  /** The first bytes decoded as UTF-8 (about 64 KiB, more where the first line is longer), byte order mark removed. */
  readonly head: string;
  /** True if `head` is the whole file. */
  readonly whole: boolean;
  /** Shape found by the general rule: JSON lines, one JSON document, server-sent events, a zip archive, or none of these. */
  readonly shape: 'jsonl' | 'json' | 'sse' | 'zip' | 'other';
  /**
   * The first values: the parsed lines (up to 50, unparsable ones left out) for jsonl, the parsed `data:` lines for
   * sse; for json one value: the document, or what the head holds of it (cut, containers closed); for zip the names of
   * the members the head shows.
   */
  readonly values: readonly unknown[];
  /** One phrase for error texts, e.g. `a JSON object with the keys a, b, c` or `an empty file`. */
  readonly looksLike: string;
}

/** How sure a format is that a file is its own, and what it looked for. The highest score above 0 wins. */
export interface Detection {
  /** 0 = not mine, 1 = certain. */
  readonly score: number;
  /** What was recognised, or what was looked for and not found. */
  readonly why: string;
}

/** One record of a file: a line, an element of a document, or a stretch that could not be read (`error`). */
export interface SourceRecord {
  /** Its exact JSON text, unless `bytes` says otherwise. */
  readonly text: string;
  /**
   * The exact bytes, where `text` is not them: invalid UTF-8, NaN, the remainder of a document that was cut off, a member
   * of an archive.
   */
  readonly bytes?: Uint8Array;
  /** Parsed value; undefined if `text` is no JSON. */
  readonly value: unknown;
  readonly error?: { readonly message: string; readonly column: number };
  /** 1-based line. */
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  /** Where in the document the record stands, e.g. `['messages', 3]`; empty for lines. */
  readonly path: readonly (string | number)[];
  /** True for a last line without a line end: it may still be being written. */
  readonly unterminated?: boolean;
}

/** Bytes of a file that belong to no record: carriage returns, blank lines, separators, field names of events. */
export interface Filler {
  readonly byteStart: number;
  /** Valid during the call only. */
  readonly bytes: Uint8Array;
}

/**
 * Where a reader puts what it recognises. Calls come in transcript order. A reader may hold back a message while
 * later records can still belong to it; `end` flushes.
 */
export interface ImportSink {
  /**
   * Starts a transcript (files may hold many); what follows belongs to it. `key` tells transcripts of a file apart:
   * a key begun before means going back to that transcript (chains interleave), its meta completed as by `meta`.
   */
  begin(key: string, meta: TranscriptMeta): void;
  /** Completes what is known of the current transcript: later fields win. */
  meta(meta: Partial<TranscriptMeta>): void;
  /** Returns the source index given to the message. */
  message(message: ImportedMessage): number;
  event(event: ImportedEvent): void;
  compaction(event: ImportedEvent, compaction: RecordedCompaction): void;
  problem(problem: Problem): void;
  /**
   * Told of every record just before the reader sees it, and of stretches no reader sees because they are broken, so
   * that a store can keep the exact text.
   */
  record?(record: SourceRecord): void;
  /**
   * Told of what stands between records. A byte in no record and no filler is a line feed, or in a document the next
   * one of its remainder: so records and fillers together are the file.
   */
  filler?(filler: Filler): void;
  /** A record that holds nothing for messages or events, passed over on purpose, with the reason. */
  ignored(record: SourceRecord, reason: string): void;
  /**
   * The conversation of the current transcript went back (edit, rewind, another leaf of a tree): see {@link Rewind}.
   * The next message gets the source index `at`, or `resume.to` if a branch is taken up again.
   */
  rewind(rewind: Rewind): void;
  /**
   * Replaces a message of the current transcript by a fuller one, which has all its origins and more: a later record
   * turned out to belong to it after it had been handed over by `settle`. Its role is the same.
   */
  amend(index: number, message: ImportedMessage): void;
  /** The current transcript's tool call started another transcript; where that is, is found out later. */
  spawn(spawn: Spawn): void;
}

/**
 * Going back to message `at` of the current transcript. Its messages [at, end), their compactions, and events with a
 * place above `at` move to a transcript of its own, `leave.key`, which begins with the same first `at` messages (and
 * their compactions, but not the events); nothing is moved, and no transcript made, if there are no messages above `at`.
 * `resume`: the current transcript goes on with messages [at, to) of that other branch, which has the same first `at`
 * messages; if `to` is its end, the branch is the current transcript from then on, and is removed (its events come along).
 */
export interface Rewind {
  readonly at: number;
  readonly leave: { readonly key: string; readonly meta: Partial<TranscriptMeta> };
  readonly resume?: { readonly key: string; readonly to: number };
}

/** Reads one file's records, in order, into a sink. Pure: no clock, no I/O; state only in itself. */
export interface FormatReader {
  record(record: SourceRecord): void;
  /**
   * The file has no more for now (it is being followed): hands over all that is held back, as it stands. Records that
   * come later may still belong to it: then the reader amends. What the sink has been told after settle() at a byte is
   * the same however often settle() was called before. A reader that never holds anything back needs none; one that
   * has none and holds back shows what it holds when the file ends.
   */
  settle?(): void;
  end(): void;
}

/** What a format may recover of a conversation beside its messages; the columns of `parallax formats`. */
export const RECOVERED = [
  'calls',
  'results',
  'errors',
  'thinking',
  'signatures',
  'opaque',
  'images',
  'usage',
  'models',
  'folder',
  'times',
  'compactions',
  'sub-agents',
  'branches',
] as const;

/** One of these. `opaque`: reasoning that is encrypted or left out is known to be there. */
export type Recovered = (typeof RECOVERED)[number];

/** One transcript format. One file each; registered once; the registry refuses duplicate ids. */
export interface Format {
  readonly id: string;
  readonly title: string;
  /** What detection looks for: `parallax formats` and the welcome screen say it. */
  readonly looksFor: string;
  /** What it recovers where a file has it. A test holds it to the fixtures and the corpus. */
  readonly recovers: readonly Recovered[];
  detect(sniff: Sniff): Detection;
  /**
   * Which values of a JSON document become records: the arrays to split, as path patterns (`*` = any index), e.g.
   * `[['messages', '*']]`. Everything around them arrives as one last record with path [] whose text has those
   * elements cut out (their arrays left empty). Not used for JSON lines. Of a zip archive every member is a record, with
   * its name as path.
   */
  readonly elements?: readonly (readonly string[])[];
  /** True if the writer puts NaN and Infinity, which JSON does not have, where numbers stand: they read as null. */
  readonly readsNaN?: boolean;
  /**
   * A running tool writes these files line by line, and its first lines are enough to know them by: they are read while
   * they are short. Any other file is known by its first 64 KiB, or at its end.
   */
  readonly grows?: boolean;
  /**
   * Version of what the reader makes of a file, absent = the first. Raise it when the same file gives other messages: what
   * an older one read is told to be so, and importing the file again reads it again.
   */
  readonly readerVersion?: number;
  /** A fresh reader for the file that `sniff` is the head of. It may call the sink only from within `record` and `end`. */
  open(sink: ImportSink, sniff: Sniff): FormatReader;
}
