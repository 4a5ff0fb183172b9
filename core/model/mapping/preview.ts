// browser-safe
// What an editor of mappings gets to know of a file.

import type { Problem } from '../problem.ts';
import type { Mapping } from './types.ts';

/** One message as a mapping understands it. */
export interface PreviewMessage {
  /** Of the transcript it belongs to, among those of the preview. */
  readonly transcript: number;
  readonly role: string;
  readonly parts: readonly PreviewPart[];
  readonly timestamp: string | null;
  readonly model: string | null;
  /** 1-based line of its record. */
  readonly line: number;
}

/** One part of it. */
export interface PreviewPart {
  readonly kind: string;
  /** A tool's name. */
  readonly name: string | null;
  readonly isError: boolean;
  /** The beginning of its text. */
  readonly text: string;
}

/** What the beginning of a file gives under a mapping. */
export interface MappingPreview {
  readonly messages: readonly PreviewMessage[];
  /** In the beginning that was read. */
  readonly counts: { readonly transcripts: number; readonly messages: number; readonly events: number };
  readonly titles: readonly (string | null)[];
  /** False: there is more of the file. */
  readonly whole: boolean;
  readonly problems: readonly Problem[];
}

/** A path that is there in a file. `root`: from the file (`$`), or from a message, a call, a result (`@`). */
export interface SeenPath {
  readonly path: string;
  /** What is there, shortened. */
  readonly example: string;
}

/** A file as it is shown beside the form of a mapping. */
export interface FileLook {
  /** Format that knows the file; null = none does. */
  readonly format: string | null;
  /** Its first records, texts shortened, as JSON for people. */
  readonly sample: string;
  readonly shape: 'jsonl' | 'json' | 'sse' | 'zip' | 'other';
  readonly looksLike: string;
  /** Where lists of objects stand. */
  readonly places: readonly SeenPath[];
  readonly guess: { readonly mapping: Mapping | null; readonly confidence: number; readonly why: readonly string[] };
  /** Names of the saved mappings that fit, the best first. */
  readonly fitting: readonly string[];
}
