// One stage on its way along the call points: by its incremental form, or run anew at each.
import type { Problem } from '../model/problem.ts';
import type { IncrementalContext, IncrementalRun, IncrementalSteps } from '../view/incremental.ts';
import { cellsOf, LiveView } from '../view/liveView.ts';
import { fateUnder, reportOf } from '../view/oneStep.ts';
import { Overlay } from '../view/overlay.ts';
import { type Fate, type FateKind, PAUSE, type StageOutput, type StageReport } from '../view/types.ts';
import type { ResolvedStage } from './parseSpec.ts';

/** A stage as the run over all call points sees it. */
export interface LiveStage {
  readonly stage: ResolvedStage;
  readonly output: LiveView;
  /** Messages whose kind may be another than before the last step. */
  readonly touched: Iterable<number>;
  /** True if provider safety refuses it at the call point it stands at. */
  readonly blocked: boolean;
  /** What went wrong there, of a stage that runs the user's code. */
  readonly problems: readonly Problem[];
  /** `to` = the last call point it will be asked for. */
  prepare(to: number): Iterable<void>;
  step(input: LiveView, at: number): IncrementalSteps;
  /** What the stage does to a message; null = nothing. */
  kind(index: number): FateKind | null;
  fateOf(index: number): Fate | null;
}

/** Begins before the first call point. */
export function beginLiveStage(stage: ResolvedStage, context: IncrementalContext): NaiveStage | FollowingStage {
  const run = stage.bound.incremental?.(context);
  return run === undefined ? new NaiveStage(stage, context) : new FollowingStage(stage, run, context);
}

class FollowingStage implements LiveStage {
  readonly stage: ResolvedStage;
  readonly output: LiveView;
  readonly problems: readonly Problem[] = [];
  touched: Iterable<number> = [];
  readonly #run: IncrementalRun;
  readonly #overlay: Overlay;

  constructor(stage: ResolvedStage, run: IncrementalRun, { source }: IncrementalContext) {
    this.stage = stage;
    this.#run = run;
    this.output = new LiveView(source.length);
    this.#overlay = new Overlay(source, run.respectsSignatures ?? false);
  }

  get blocked(): boolean {
    return this.#overlay.blocked;
  }

  /** What it reports at the call point it is at, made when it is asked for; null while it has a plain form beside it. */
  get report(): StageReport | null {
    const { explain, report } = this.#run;
    if (explain === undefined || report === undefined) return null;
    return reportOf({ report: report.bind(this.#run) }, this.#overlay, this.stage, this.stage.position);
  }

  prepare(to: number): Iterable<void> {
    return this.#run.prepare?.(to) ?? [];
  }

  *step(input: LiveView, at: number): IncrementalSteps {
    yield* this.#run.step(input, at, this.#overlay) ?? [];
    this.touched = this.#overlay.flush(input, this.output);
  }

  kind(index: number): FateKind | null {
    return this.#overlay.kind(index);
  }

  fateOf(index: number): Fate | null {
    return fateUnder(this.#run, this.#overlay, this.stage, this.stage.position, index);
  }
}

const NO_FATES: ReadonlyMap<number, Fate> = new Map();

class NaiveStage implements LiveStage {
  readonly stage: ResolvedStage;
  readonly output: LiveView;
  /** What it reported at the call point it is at; null before the first. */
  report: StageReport | null = null;
  touched: Iterable<number> = [];
  readonly #context: IncrementalContext;
  #fates = NO_FATES;
  #cells: Iterable<number> = [];
  #blocked = false;

  constructor(stage: ResolvedStage, context: IncrementalContext) {
    this.stage = stage;
    this.#context = context;
    this.output = new LiveView(context.source.length);
  }

  get blocked(): boolean {
    return this.#blocked;
  }

  prepare(): Iterable<void> {
    return [];
  }

  *step(input: LiveView, at: number): IncrementalSteps {
    const view = input.toView();
    yield PAUSE;
    const result = yield* this.stage.bound.run(view, { ...this.#context, at });
    yield PAUSE;
    this.#take(result);
  }

  #take({ view, fates, report }: StageOutput): void {
    const cells = cellsOf(view);
    for (const cell of this.#cells) if (!cells.has(cell)) this.output.set(cell, []);
    for (const [cell, items] of cells) this.output.set(cell, items);
    this.touched = new Set([...this.#fates.keys(), ...fates.keys()]);
    this.#cells = [...cells.keys()];
    this.#fates = fates;
    this.#blocked = report.blockedBy !== null;
    this.report = report;
  }

  get problems(): readonly Problem[] {
    return this.report?.problems ?? [];
  }

  kind(index: number): FateKind | null {
    return this.#fates.get(index)?.kind ?? null;
  }

  fateOf(index: number): Fate | null {
    return this.#fates.get(index) ?? null;
  }
}
