// recorded_compaction along the call points. Between two compactions messages are only added, and pass; where one takes
// effect, or an earlier stage changes what lies before it, the stage is run as a whole.
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import { cellsOf, type LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import type { Fate, StageContext, StageOutput, View } from '../../view/types.ts';
import type { ClearedMessages } from './clearing.ts';
import type { RecordedCompactionParams } from './recordedCompaction.ts';
import { type Era, type Timeline, timelineOf } from './timeline.ts';

type Apply = (view: View, params: RecordedCompactionParams, context: StageContext) => StageOutput;

/** The run of one spec's stage; `apply` is the stage's own. */
export class LiveRecorded implements IncrementalRun {
  readonly #params: RecordedCompactionParams;
  readonly #context: IncrementalContext;
  readonly #apply: Apply;
  readonly #timeline: Timeline;
  #era: Era | null = null;
  #cleared: ClearedMessages | null = null;
  /** Cells of messages to come in which copies stand already. */
  #ahead: ReadonlySet<number> = new Set();
  #fates: ReadonlyMap<number, Fate> = new Map();
  #explain: (() => Fate) | null = null;

  constructor(params: RecordedCompactionParams, context: IncrementalContext, apply: Apply) {
    this.#params = params;
    this.#context = context;
    this.#apply = apply;
    this.#timeline = timelineOf(context.source, context.memo, params);
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    const era = this.#timeline.eraAt(at);
    const cleared = this.#params.clearing ? this.#timeline.clearedAt(at) : null;
    const isSame = era === this.#era && isSameClearing(cleared, this.#cleared);
    this.#era = era;
    this.#cleared = cleared;
    if (isSame && this.#onlyAdded(input)) return;
    this.#runWhole(input, at, overlay);
  }

  fateOf(index: number): Fate | null {
    return this.#fates.get(index) ?? this.#explain?.() ?? null;
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

  #runWhole(input: LiveView, at: number, overlay: Overlay): void {
    const output = this.#apply(input.toView(), this.#params, { ...this.#context, at });
    const cells = cellsOf(output.view);
    for (let cell = 0; cell < input.cells; cell++) {
      const items = cells.get(cell) ?? [];
      const given = input.at(cell);
      if (items.length === given.length && items.every((item, slot) => item === given[slot])) overlay.pass(cell);
      else overlay.replace(cell, items);
    }
    this.#ahead = new Set([...cells.keys()].filter((cell) => cell >= at));
    for (const index of this.#fates.keys()) overlay.fate(index, null);
    for (const [index, { kind }] of output.fates) overlay.fate(index, kind);
    this.#fates = output.fates;
    const { explain } = output;
    this.#explain = explain === undefined ? null : () => explain(0);
  }
}

function isSameClearing(a: ClearedMessages | null, b: ClearedMessages | null): boolean {
  return a === b || ((a?.size ?? 0) === 0 && (b?.size ?? 0) === 0);
}
