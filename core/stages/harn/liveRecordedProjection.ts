// recorded_projection along the call points: where one is recorded the stage is run as a whole; elsewhere all passes.
import type { IncrementalContext, IncrementalRun, IncrementalSteps } from '../../view/incremental.ts';
import { cellsOf, type LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import type { Fate, StageContext, StageOutput, StageRun, View } from '../../view/types.ts';
import { recordedTimeline } from './recordedTimeline.ts';

/** The run of one spec's stage; `follow` is the stage's own. */
export class LiveRecordedProjection implements IncrementalRun {
  readonly #context: IncrementalContext;
  readonly #follow: (view: View, context: StageContext) => StageRun;
  #replaced: readonly number[] = [];
  #last: StageOutput | null = null;

  constructor(context: IncrementalContext, follow: (view: View, context: StageContext) => StageRun) {
    this.#context = context;
    this.#follow = follow;
  }

  *step(input: LiveView, at: number, overlay: Overlay): IncrementalSteps {
    for (const cell of this.#replaced) overlay.pass(cell);
    for (const index of this.#last?.fates.keys() ?? []) overlay.fate(index, null);
    this.#replaced = [];
    this.#last = null;
    if (recordedTimeline(this.#context.source, this.#context.memo).at(at) === null) return;
    const output = yield* this.#follow(input.toView(), { ...this.#context, at });
    const cells = cellsOf(output.view);
    const replaced: number[] = [];
    for (let cell = 0; cell < input.cells; cell++) {
      const items = cells.get(cell) ?? [];
      const given = input.at(cell);
      if (items.length === given.length && items.every((item, slot) => item === given[slot])) continue;
      overlay.replace(cell, items);
      replaced.push(cell);
    }
    for (const [index, { kind }] of output.fates) overlay.fate(index, kind);
    this.#replaced = replaced;
    this.#last = output;
  }

  fateOf(index: number): Fate | null {
    return this.#last?.fates.get(index) ?? this.#last?.explain?.(0) ?? null;
  }
}
