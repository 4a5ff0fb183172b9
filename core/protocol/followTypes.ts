import type { Problem } from '../model/problem.ts';

/** With what a page names its path (or file) by. */
export type Named<T> = T & { readonly handle: string };

/** A folder that was imported: what is in it besides the files listed one by one. */
export interface FolderReport {
  readonly folder: string;
  /** Files that are transcripts; each has its outcome. */
  readonly transcripts: number;
  /** Files that are none, passed over. */
  readonly skipped: number;
  /** Subfolders and files that could not be read. */
  readonly unreadable: readonly Problem[];
}

/** A path that is followed: what is appended to its files comes into the library by itself. */
export interface FollowInfo {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** ISO-8601. */
  readonly since: string;
  /**
   * `starting` = looked at for the first time since the program started; `reading` = something new is being read;
   * `missing` = there is no such file or folder just now; `failed` = see `problem`, it is tried again.
   */
  readonly state: 'starting' | 'following' | 'reading' | 'missing' | 'failed';
  /** Transcript files in it. */
  readonly files: number;
  /** Files that changed within the last minutes, the newest first. */
  readonly live: readonly LiveFile[];
  readonly problem: Problem | null;
}

/** A followed file that changed lately. */
export interface LiveFile {
  readonly path: string;
  readonly transcriptIds: readonly string[];
  /** Messages of all of them. */
  readonly messages: number;
  /** When new lines were last taken in. ISO-8601. */
  readonly changedAt: string;
  /** Bytes of a last line that is not finished; 0 = none. */
  readonly waitingBytes: number;
  /** 0..1 while a long stretch is being read, else null. */
  readonly progress: number | null;
}

/** A folder where a tool keeps its sessions. Nothing in it was opened. */
export interface DiscoveredPlace {
  readonly tool: string;
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  /** When a session was last written to. ISO-8601. */
  readonly newestAt: string;
}

/** A tool whose sessions were looked for where it keeps them, and not found. */
export interface MissingPlace {
  readonly tool: string;
  readonly path: string;
}

/** A file of a discovered place, by what its beginning says. */
export interface FoundSession {
  readonly path: string;
  /** The tool's title, else the first words, else the name of the file. */
  readonly title: string;
  readonly project: string | null;
  readonly bytes: number;
  /** ISO-8601. */
  readonly modifiedAt: string;
}
