// The history segment: which messages of a view belong to it, in which units, and how far back the window goes.

import type { Estimator } from '../../../../core/stages/context/entries.ts';
import type { ContextPolicyParams } from '../../../../core/stages/context/params.ts';
import { type Shown, shownKinds, shownOf } from '../../../../core/stages/context/shown.ts';
import type { Summaries } from '../../../../core/stages/context/summary.ts';
import { unitsOf } from '../../../../core/stages/context/units.ts';
import {
  type HistoryWindow,
  type WindowLimits,
  type WindowUnit,
  windowOf,
} from '../../../../core/stages/context/window.ts';
import { BEGINS_TURN, outlineOf } from '../../../../core/view/outline.ts';
import type { ViewReader } from '../../../../core/view/reader.ts';
import type { StageContext, ViewItem } from '../../../../core/view/types.ts';

/** Why a message is no part of the history. */
export type Leaves = 'system' | 'summary_segment' | 'other_summary' | 'covered' | 'excluded';

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
    this.shown = shownOf(shownKinds(params.includeKinds), context);
  }

  /** Why the message at a position is no part of the history; null = it is, as far as the window goes. */
  leaves(position: number): Leaves | null {
    return position < this.#systemEnd ? 'system' : this.leavesHistory(this.#reader.item(position));
  }

  /** The same of a message behind the system segment. */
  leavesHistory(item: ViewItem): Leaves | null {
    return this.#apart(item) ?? (this.shown(item) === null ? 'excluded' : null);
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

  /** The window from the newest end within these limits. */
  window(limits: WindowLimits): HistoryWindow<Unit> {
    return windowOf(this.units(), limits);
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
