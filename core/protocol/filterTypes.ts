// Filters of rows and named colours, as they cross to the screen.
import type { FilterProblem } from '../filter/types.ts';

/** A named colour: the rows that fit its filter carry it. */
export interface ColorFilter {
  readonly name: string;
  readonly filter: string;
}

/** What is asked of the rows of a projection. */
export interface RowsFilter {
  /** Empty = all rows. */
  readonly text: string;
  /** Rows that do not fit: one line for each run of them (`fold`), or nothing (`hide`). */
  readonly others: 'fold' | 'hide';
  readonly colors: readonly ColorFilter[];
}

/** Which rows fit one filter. */
export interface FilterMatches {
  /** Rows of messages that fit, of how many; null = not known yet, ask `filter.prepare`, or the filter makes no sense. */
  readonly matched: number | null;
  readonly of: number;
  /** Source indices of messages with rows that fit, ascending: all, or of each of 600 equal runs of messages the first. */
  readonly at: readonly number[];
  readonly problems: readonly FilterProblem[];
  /** Tested by uses of the policy before, until those of this one are known: ask `filter.prepare`. */
  readonly isStale?: true;
}

/** How rows were filtered. */
export interface FilterInfo {
  /** Null = there is no filter. */
  readonly rows: FilterMatches | null;
  /** In the order of the colours asked for. */
  readonly colors: readonly FilterMatches[];
  /** Uses or words have to be looked for first: until then all rows are shown, or those that fit by the uses of before. */
  readonly isPending: boolean;
}
