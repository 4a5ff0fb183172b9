// What a reader says of a file, and whoever keeps it: the importers write to a sink, the store is one.

import type { Problem } from './problem.ts';
import type { ImportedEvent, ImportedMessage, RecordedCompaction, Spawn, TranscriptMeta } from './transcript.ts';

/** One record of a file: a line, an element of a document, or a stretch that could not be read (`error`). */
export interface SourceRecord {
  /** Its exact JSON text, unless `bytes` says otherwise. */
  readonly text: string;
  /**
   * The exact bytes, where `text` is not them: invalid UTF-8, NaN, the remainder of a document that was cut off, a member
   * of an archive.
   */
  readonly bytes?: Uint8Array;
  /** Parsed value; undefined if `text` is not JSON. */
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
   * Starts a transcript (files may hold many); what follows belongs to it. `key` identifies it within the file:
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
   * Called with every record just before the reader sees it, and with stretches no reader sees because they are broken, so
   * that a store can keep the exact text.
   */
  record?(record: SourceRecord): void;
  /**
   * Called with what is between records. A byte in no record and no filler is a line feed, or in a document the next
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
 * place above `at` move to a separate transcript, `leave.key`, which begins with the same first `at` messages (and
 * their compactions, but not the events); nothing is moved, and no transcript made, if there are no messages above `at`.
 * `resume`: the current transcript continues with messages [at, to) of that other branch, which has the same first `at`
 * messages; if `to` is its end, the branch is the current transcript from then on, and is removed (its events come along).
 */
export interface Rewind {
  readonly at: number;
  readonly leave: { readonly key: string; readonly meta: Partial<TranscriptMeta> };
  readonly resume?: { readonly key: string; readonly to: number };
}
