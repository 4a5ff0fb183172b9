import type { ImportSink, SourceRecord } from '../model/importSink.ts';

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

/** Reads one file's records, in order, into a sink. Pure: no clock, no I/O; state only in itself. */
export interface FormatReader {
  record(record: SourceRecord): void;
  /**
   * The file has no more for now (it is being followed): hands over all that is held back, as it stands. Records that
   * come later may still belong to it: then the reader amends. What the sink has been given after settle() at a byte is
   * the same however often settle() was called before. A reader that never holds anything back needs none; one that
   * has none and holds back shows what it holds when the file ends.
   */
  settle?(): void;
  end(): void;
}

/** What a format may recover of a conversation apart from its messages; the columns of `parallax formats`. */
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

/** What a format recovers that has nearly all of it. */
export function allBut(...missing: readonly Recovered[]): readonly Recovered[] {
  return RECOVERED.filter((what) => !missing.includes(what));
}

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
   * an older one read is marked so, and importing the file again reads it again.
   */
  readonly readerVersion?: number;
  /** A fresh reader for the file that `sniff` is the head of. It may call the sink only from within `record` and `end`. */
  open(sink: ImportSink, sniff: Sniff): FormatReader;
}
