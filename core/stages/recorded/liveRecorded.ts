// recorded_compaction on its way along the call points. Between two compactions messages are only added, and pass; where one
// takes effect, or an earlier stage changes what lies before it, the whole view is looked at.
import type { IncrementalContext, IncrementalRun, ReportDetails, StageDone } from '../../view/incremental.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import type { Fate, StageContext, View } from '../../view/types.ts';
import type { ClearedMessages } from './clearing.ts';
import type { Applied, RecordedCompactionParams } from './recordedCompaction.ts';
import { type Era, type Timeline, timelineOf } from './timeline.ts';

/** What the stage does to a whole view, and what it says of it; the stage's own. */
export interface RecordedRules {
  apply(view: View, timeline: Timeline, params: RecordedCompactionParams, context: StageContext): Applied;
  explain(timeline: Timeline, era: Era | null, params: RecordedCompactionParams, context: StageContext): Fate;
  report(
    timeline: Timeline,
    era: Era | null,
    applied: Applied,
    counts: StageDone['counts'],
    context: StageContext,
  ): ReportDetails;
}

const NOTHING: Applied = { items: null, fates: new Map(), results: 0, chars: 0 };

/** The stage of one spec. */
export class LiveRecorded implements IncrementalRun {
  readonly #params: RecordedCompactionParams;
  readonly #rules: RecordedRules;
  readonly #timeline: Timeline;
  #context: StageContext;
  #era: Era | null = null;
  #cleared: ClearedMessages | null = null;
  /** Cells of messages to come in which copies stand already. */
  #ahead: ReadonlySet<number> = new Set();
  #applied = NOTHING;
  #explained: Fate | null = null;

  constructor(params: RecordedCompactionParams, context: IncrementalContext, rules: RecordedRules) {
    this.#params = params;
    this.#context = { ...context, at: 0 };
    this.#rules = rules;
    this.#timeline = timelineOf(context.source, context.memo, params);
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    const era = this.#timeline.eraAt(at);
    const cleared = this.#params.clearing ? this.#timeline.clearedAt(at) : null;
    const isSame = era === this.#era && isSameClearing(cleared, this.#cleared);
    this.#context = { ...this.#context, at };
    this.#explained = null;
    this.#era = era;
    this.#cleared = cleared;
    if (isSame && this.#onlyAdded(input)) return;
    this.#applyTo(input, overlay);
  }

  fateOf(index: number): Fate | null {
    return this.#applied.fates.get(index) ?? this.explain();
  }

  fates(): ReadonlyMap<number, Fate> {
    return this.#applied.fates;
  }

  // Everything that the era's own fates do not explain is unchanged: one sentence for all of it.
  explain(): Fate {
    this.#explained ??= this.#rules.explain(this.#timeline, this.#era, this.#params, this.#context);
    return this.#explained;
  }

  report({ counts }: StageDone): ReportDetails {
    return this.#rules.report(this.#timeline, this.#era, this.#applied, counts, this.#context);
  }

  // Before the first compaction and without cleared results everything passes, whatever it is.
  #onlyAdded(input: LiveView): boolean {
    const era = this.#era;
    const cleared = this.#cleared;
    if (era === null && (cleared === null || cleared.size === 0)) return true;
    for (const [cell, before] of input.changed) {
      const [item, ...others] = input.at(cell);
      if (before.length > 0 || others.length > 0 || item?.kind !== 'source' || item.text !== undefined) return false;
      if (cleared?.has(cell) === true || this.#ahead.has(cell)) return false;
      if (era !== null && (cell < era.from || era.copied.has(cell))) return false;
    }
    return true;
  }

  #applyTo(input: LiveView, overlay: Overlay): void {
    const view = input.toView();
    const before = this.#applied.fates;
    this.#applied = this.#rules.apply(view, this.#timeline, this.#params, this.#context);
    const { items, fates } = this.#applied;
    const cells = overlay.show(input, items === null ? null : { given: view.items, shown: items });
    this.#ahead = new Set([...cells.keys()].filter((cell) => cell >= this.#context.at));
    for (const index of before.keys()) if (!fates.has(index)) overlay.fate(index, null);
    for (const [index, { kind }] of fates) overlay.fate(index, kind);
  }
}

function isSameClearing(a: ClearedMessages | null, b: ClearedMessages | null): boolean {
  return a === b || ((a?.size ?? 0) === 0 && (b?.size ?? 0) === 0);
}
