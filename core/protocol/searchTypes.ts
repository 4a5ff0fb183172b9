import type { Snippet } from '../search/snippet.ts';
import type { QueryProblem } from '../search/types.ts';

/** A message found in the library. */
export interface LibraryHit {
  readonly transcriptId: string;
  readonly index: number;
  /** The part that shows best why it was found: with most of the query's words. */
  readonly part: number;
  /** As a row's label. */
  readonly label: string;
  /** Who put the message there, in a few words; null = simply its role. */
  readonly origin: string | null;
  /** As `role:` asks for it: `tool` for messages that are nothing but results. */
  readonly role: string;
  readonly tool: string | null;
  readonly isError: boolean;
  readonly timestamp: string | null;
  /** How often the query's words and phrases are in the message; 0 if it has none (filters alone). */
  readonly occurrences: number;
  readonly snippet: Snippet;
}

/** A transcript with hits. `exact` false: at least so many. */
export interface SearchGroup {
  readonly transcriptId: string;
  readonly title: string;
  readonly format: string;
  readonly project: string | null;
  readonly model: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly hits: number;
  readonly exact: boolean;
}

/** A page of what a search found. */
export interface LibrarySearch {
  /** With an error among them nothing was searched. */
  readonly problems: readonly QueryProblem[];
  /** In order: all of one transcript together. */
  readonly hits: readonly LibraryHit[];
  /** The transcripts of these hits. */
  readonly groups: readonly SearchGroup[];
  /** Messages found; `exact` false: at least so many. Hits beyond 10,000 are neither counted nor listed. */
  readonly total: number;
  readonly exact: boolean;
  /** Transcripts with hits, as far as found. */
  readonly transcripts: number;
  /** `time` although relevance was asked for: the words are too common, or too many messages match, to be ranked. */
  readonly sort: 'relevance' | 'time';
  /** For the next page; null = this was the last. */
  readonly cursor: string | null;
  /** Messages of the library that can be found by now, and all; those of which only the first 8 million characters are. */
  readonly coverage: { readonly indexed: number; readonly total: number; readonly cut: number };
  readonly ms: number;
}

/** What may be behind a filter's name. `count` = transcripts that have it. */
export interface FilterValueInfo {
  readonly value: string;
  readonly label: string | null;
  readonly count: number | null;
}
