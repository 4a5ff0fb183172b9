// One stage on its way along the call points.
import type { Problem } from '../model/problem.ts';
import type { IncrementalContext, IncrementalRun, IncrementalSteps } from '../view/incremental.ts';
import { LiveView } from '../view/liveView.ts';
import { fateUnder, reportOf } from '../view/oneStep.ts';
import { Overlay } from '../view/overlay.ts';
import type { Fate, FateKind, StageReport } from '../view/types.ts';
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
  /** What the stage does to a message; null = nothing, `kept` = it puts it back as it was said. */
  kind(index: number): FateKind | null;
  /** Set if a message of which it says `kept` stays as earlier stages left it. */
  readonly explainsKept?: true;
  fateOf(index: number): Fate | null;
}

/** Begins before the first call point. */
export function beginLiveStage(stage: ResolvedStage, context: IncrementalContext): FollowingStage {
  const run = stage.bound.incremental?.(context);
  if (run === undefined) throw new Error(`${stage.kind} has no incremental form`);
  return new FollowingStage(stage, run, context);
}

class FollowingStage implements LiveStage {
  readonly stage: ResolvedStage;
  readonly output: LiveView;
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
    return this.#overlay.blocked || (this.#run.blockedBy ?? null) !== null;
  }

  /** What it reports at the call point it is at, made when it is asked for; null while it has a plain form beside it. */
  get report(): StageReport | null {
    const { explain, report } = this.#run;
    if (explain === undefined || report === undefined) return null;
    const { blockedBy = null } = this.#run;
    return reportOf({ report: report.bind(this.#run), blockedBy }, this.#overlay, this.stage, this.stage.position);
  }

  get problems(): readonly Problem[] {
    return this.stage.rereads ? (this.report?.problems ?? []) : [];
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
