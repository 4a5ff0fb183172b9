// Watchpoints: texts that a person pins to a transcript, and what became of each along the requests.
import type { TextSwitches } from '../../util/textPattern.ts';
import type { TextLoss, TextState } from '../text/types.ts';

/** A text to be watched, and how it is compared. */
export interface WatchedQuery extends TextSwitches {
  readonly text: string;
}

/** A watched text of a transcript. */
export interface Watchpoint extends WatchedQuery {
  readonly id: string;
  /** What the person calls it; null = its text. */
  readonly name: string | null;
  /** One of the six of named colours, 0 to 5. */
  readonly color: number;
}

/** What is said of a loss of a watched text; what replaced it is left out. */
export type WatchedLoss = Omit<TextLoss, 'replacedBy'>;

/** Call points in a row at which the text is in one state. */
export interface WatchedRun {
  readonly state: TextState;
  /** The first and the last of them, both included. */
  readonly at: number;
  readonly last: number;
  /** Why the place that said it before does not any more; null where nothing was lost. */
  readonly loss: WatchedLoss | null;
}

/** What became of one watched text under a policy. */
export interface WatchedText {
  readonly id: string;
  /** The first {@link WATCHED_RUNS_MOST}; `totalRuns` = how many there are. */
  readonly runs: readonly WatchedRun[];
  readonly totalRuns: number;
  /** Call points by state. */
  readonly counts: Readonly<Record<TextState, number>>;
  /** The message and part that first said it; null = no message does. */
  readonly first: { readonly index: number; readonly part: number } | null;
  /** The first call point at which a request does not say it any more, word for word; null if all do. */
  readonly firstLoss: WatchedLoss | null;
}

/** The answers for all watched texts of a transcript. */
export interface WatchedTexts {
  readonly texts: readonly WatchedText[];
  /** The states are those of samples of the call points: the policy cannot be followed along all of them. */
  readonly sampled: boolean;
}

/** More changes than this are not answered: a text that comes and goes so often is not watched, but counted. */
export const WATCHED_RUNS_MOST = 1_000;

/** Watchpoints that one transcript may have. */
export const WATCHPOINTS_MOST = 50;

/** Characters of a watched text at most. */
export const WATCHED_CHARS = 4_000;
