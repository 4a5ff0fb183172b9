// Watchpoints, as the screen and the command line have them.
import type { Watchpoint } from '../insight/watch/types.ts';

export type { WatchedLoss, WatchedRun, WatchedText, WatchedTexts, Watchpoint } from '../insight/watch/types.ts';
export { WATCHED_CHARS, WATCHPOINTS_MOST } from '../insight/watch/types.ts';

/** The watchpoints of a transcript, in their order. */
export interface Watchpoints {
  readonly watchpoints: readonly Watchpoint[];
}

/** A text to be watched, or (one of the two) a message, of which the longest text is; part null = of all of them. */
export interface NewWatchpoint {
  readonly text?: string;
  readonly message?: { readonly index: number; readonly part: number | null };
  readonly matchCase?: boolean;
  readonly wholeWord?: boolean;
  readonly name?: string | null;
  readonly color?: number;
}
