import type { Problem } from '../model/problem.ts';
import type { IncrementalContext, IncrementalSteps } from '../view/incremental.ts';
import type { LiveView } from '../view/liveView.ts';
import { RunningStage } from '../view/runningStage.ts';
import type { StageTokens } from '../view/types.ts';
import type { WholeView } from '../view/wholeView.ts';
import type { LiveStage } from './liveStage.ts';
import type { ResolvedStage } from './parseSpec.ts';

/** All that a stage's output depends on besides the messages, and the stages before it. */
export interface StageKey {
  readonly options: string;
  /** What it counts with, and has to fit. */
  readonly counted: string;
}

/** A stage of a spec on its way. */
export class PipelineStage extends RunningStage implements LiveStage {
  #stage: ResolvedStage;
  /** The call point it has moved to; -1 = none yet. */
  at = -1;
  readonly #tokens: StageTokens;
  #key: StageKey;
  /** It asked its host for something, which may answer otherwise next time, or a count was a guess. */
  #isProvisional = false;

  constructor(stage: ResolvedStage, key: StageKey, context: IncrementalContext) {
    super(stage.bound.begin(context), stage, context);
    this.#stage = stage;
    this.#key = key;
    this.#tokens = context.tokens;
  }

  get stage(): ResolvedStage {
    return this.#stage;
  }

  override *open(input: WholeView, at: number): IncrementalSteps {
    yield* this.#noting(super.open(input, at));
    this.at = at;
  }

  override *step(input: LiveView, at: number): IncrementalSteps {
    yield* this.#noting(super.step(input, at));
    this.at = at;
  }

  /** True if a stage that is begun with this key would give the same. */
  isFor({ options, counted }: StageKey): boolean {
    return this.#key.options === options && this.#key.counted === counted && !this.#isProvisional;
  }

  /** True if at most options of its kind differ: then it may stay. */
  mayBecome({ kind, position }: ResolvedStage, { counted }: StageKey): boolean {
    const known = this.#stage;
    const isOfKind = known.kind === kind && known.position === position;
    return isOfKind && this.#key.counted === counted && !this.#isProvisional;
  }

  /** Continues as that stage from the next step on, if only options of its kind differ and it can take them. */
  reconfigure(stage: ResolvedStage, key: StageKey): boolean {
    if (!this.mayBecome(stage, key) || this.beginsAgain) return false;
    if (!this.become(stage, (run) => stage.bound.reconfigure(run))) return false;
    this.#stage = stage;
    this.#key = key;
    return true;
  }

  get problems(): readonly Problem[] {
    return this.stage.rereads ? this.report.problems : [];
  }

  *#noting(steps: IncrementalSteps): IncrementalSteps {
    for (let step = steps.next(); step.done !== true; ) {
      this.#isProvisional ||= step.value.effect !== 'pause';
      step = steps.next(yield step.value);
    }
    this.#isProvisional ||= this.stage.usesTokens && (this.#tokens.guesses ?? 0) > 0;
  }
}
