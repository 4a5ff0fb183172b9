// A stage that decides about the whole view at each call point: the user's code, a recorded decision. It is written as a
// function of a view; what it gives is put in place of what it gave at the call point before.
import type { IncrementalContext, IncrementalRun, IncrementalSteps, ReportDetails, StageDone } from './incremental.ts';
import type { LiveView } from './liveView.ts';
import type { Overlay } from './overlay.ts';
import type { Fate, StageAnswer, StageContext, StageEffect, View, ViewItem } from './types.ts';

/** What such a stage makes of a view. */
export interface WholeOutput {
  /** The new items; null = none is changed. */
  readonly items: readonly ViewItem[] | null;
  readonly fates: ReadonlyMap<number, Fate>;
  /** Why a message stays that `fates` does not name, by its position in the view. */
  explain(position: number): Fate;
  report(done: StageDone): ReportDetails;
  /** The signed message for which a decision that it took over was refused. Absent = none was. */
  readonly blockedBy?: number | null;
}

/** Decides at the call point of its context. `view` gives the view when it is asked for: that takes its length. */
export type DecideWhole = (
  view: () => View,
  context: StageContext,
) => Generator<StageEffect, WholeOutput, StageAnswer> | WholeOutput;

/** The stage of one spec. */
export class WholeRun implements IncrementalRun {
  readonly respectsSignatures: boolean;
  readonly #context: IncrementalContext;
  readonly #decide: DecideWhole;
  #input: LiveView | null = null;
  #output: WholeOutput | null = null;

  constructor(context: IncrementalContext, decide: DecideWhole, respectsSignatures = false) {
    this.#context = context;
    this.#decide = decide;
    this.respectsSignatures = respectsSignatures;
  }

  *step(input: LiveView, at: number, overlay: Overlay): IncrementalSteps {
    let view: View | null = null;
    const given = (): View => {
      view ??= input.toView();
      return view;
    };
    const decided = this.#decide(given, { ...this.#context, at });
    const output = 'report' in decided ? decided : yield* decided;
    overlay.show(input, output.items === null ? null : { given: given().items, shown: output.items });
    for (const index of this.#output?.fates.keys() ?? []) if (!output.fates.has(index)) overlay.fate(index, null);
    for (const [index, { kind, back }] of output.fates) {
      if (back === true && (kind === 'kept' || kind === 'rewritten')) overlay.putBack(index, kind);
      else overlay.fate(index, kind);
    }
    this.#input = input;
    this.#output = output;
  }

  get blockedBy(): number | null {
    return this.#output?.blockedBy ?? null;
  }

  fateOf(index: number): Fate | null {
    return this.#output?.fates.get(index) ?? null;
  }

  fates(): ReadonlyMap<number, Fate> {
    return this.#decided.fates;
  }

  explain(index: number): Fate {
    if (this.#input === null) throw new Error('explains a message before the first call point');
    return this.#decided.explain(this.#input.before(index + 1) - 1);
  }

  report(done: StageDone): ReportDetails {
    return this.#decided.report(done);
  }

  get #decided(): WholeOutput {
    if (this.#output === null) throw new Error('asked before the first call point');
    return this.#output;
  }
}
