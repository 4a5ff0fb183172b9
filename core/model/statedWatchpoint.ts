// browser-safe
// A watched text as a bug report states it: whoever opens the report watches it, too.

/** At most so many go into one report. */
export const STATED_WATCHPOINTS_MOST = 50;

/** Colours that a watchpoint may have. */
export const WATCH_COLORS = 6;

/** A watchpoint that was chosen for a report. */
export interface StatedWatchpoint {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** What the person calls it; null = its text. */
  readonly name: string | null;
  /** As named colours have them, 0 to 5. */
  readonly color: number;
}
