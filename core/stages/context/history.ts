// The history segment: which messages of a view belong to it, in which units.
import { BEGINS_TURN, outlineOf } from '../../view/outline.ts';
import type { ViewReader } from '../../view/reader.ts';
import type { StageContext, ViewItem } from '../../view/types.ts';
import type { Estimator } from './entries.ts';
import type { ContextPolicyParams } from './params.ts';
import { type Shown, shownKinds, shownOf } from './shown.ts';
import type { Summaries } from './summary.ts';
import { unitsOf } from './units.ts';
import type { WindowUnit } from './window.ts';

/** Why a message is not part of the history. */
export type Leaves = 'summary_segment' | 'other_summary' | 'covered' | 'excluded';

/** A unit of messages with the positions that are shown of it, ascending. */
export interface Unit extends WindowUnit {
  readonly start: number;
  readonly end: number;
  readonly positions: readonly number[];
}

/** The history of a view under a policy. Positions are those of the view. */
export class History {
  readonly shown: Shown;
  readonly #reader: ViewReader;
  readonly #context: Pick<StageContext, 'source' | 'memo'>;
  readonly #systemEnd: number;
  readonly #summaries: Summaries;
  readonly #estimator: Estimator;
  readonly #showsAll: boolean;

  constructor(
    reader: ViewReader,
    params: ContextPolicyParams,
    context: Pick<StageContext, 'source' | 'memo'>,
    parts: { readonly systemEnd: number; readonly summaries: Summaries; readonly estimator: Estimator },
  ) {
    this.#reader = reader;
    this.#context = context;
    this.#systemEnd = parts.systemEnd;
    this.#summaries = parts.summaries;
    this.#estimator = parts.estimator;
    const kinds = shownKinds(params.includeKinds);
    this.shown = shownOf(kinds, context);
    this.#showsAll = kinds.has('message') && kinds.has('tool_call');
  }

  /** Why a message behind the system segment is not part of the history; null = it is, as far as the window goes. */
  leaves(item: ViewItem): Leaves | null {
    return this.#apart(item) ?? (this.shown(item) === null ? 'excluded' : null);
  }

  /** True if every message behind the system segment is part of the history. */
  get leavesNothing(): boolean {
    return this.#summaries.used === null && !this.#summaries.hasRecorded && this.#showsAll;
  }

  #apart(item: ViewItem): Leaves | null {
    const { used } = this.#summaries;
    if (used?.kind === 'in_view' && used.item === item) return 'summary_segment';
    if (item.kind === 'source') {
      if (this.#summaries.isSummary(item.index)) return 'other_summary';
      return this.#summaries.covers(item.index) ? 'covered' : null;
    }
    if (item.covers.to > item.covers.from) return item.covers.from === 0 ? 'other_summary' : null;
    return this.#summaries.covers(item.covers.from) ? 'covered' : null;
  }

  /** The units of the history from the newest on. */
  *units(): Generator<Unit> {
    const startOf = unitsOf(this.#reader, this.#context);
    const outline = outlineOf(this.#reader, this.#context);
    let turnsAfter = 0;
    for (let end = this.#reader.length - 1; end >= this.#systemEnd; ) {
      const item = this.#reader.item(end);
      const why = this.#apart(item);
      if (why !== null || this.shown(item) === null) {
        // A user's message that is not shown begins its turn all the same; one that a summary covers does not.
        if (why === null && (outline(end) & BEGINS_TURN) !== 0) turnsAfter++;
        end--;
        continue;
      }
      const start = Math.max(this.#systemEnd, startOf(end));
      const positions = this.#positions(start, end);
      yield { start, end, positions, turnsAfter, messages: positions.length, tokens: this.#tokens(positions) };
      for (let at = start; at <= end; at++) if ((outline(at) & BEGINS_TURN) !== 0) turnsAfter++;
      end = start - 1;
    }
  }

  // What is covered stays with what it is one unit with.
  #positions(start: number, end: number): number[] {
    const positions: number[] = [];
    for (let at = start; at <= end; at++) {
      const item = this.#reader.item(at);
      const why = this.#apart(item);
      if ((why === null || why === 'covered') && this.shown(item) !== null) positions.push(at);
    }
    return positions;
  }

  #tokens(positions: readonly number[]): number {
    let tokens = 0;
    for (const position of positions) {
      const item = this.shown(this.#reader.item(position));
      if (item !== null) tokens += this.#estimator.item(item);
    }
    return tokens;
  }
}
