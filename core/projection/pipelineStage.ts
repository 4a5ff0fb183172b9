import type { Problem } from '../model/problem.ts';
import type { IncrementalContext, IncrementalSteps } from '../view/incremental.ts';
import type { LiveView } from '../view/liveView.ts';
import { RunningStage } from '../view/runningStage.ts';
import type { StageTokens } from '../view/types.ts';
import type { WholeView } from '../view/wholeView.ts';
import type { LiveStage } from './liveStage.ts';
import type { ResolvedStage } from './parseSpec.ts';

/** A stage of a spec on its way. */
export class PipelineStage extends RunningStage implements LiveStage {
  readonly stage: ResolvedStage;
  /** The call point it has moved to; -1 = none yet. */
  at = -1;
  readonly #tokens: StageTokens;
  readonly #key: string;
  /** It asked its host for something, which may answer otherwise next time, or a count was a guess. */
  #isProvisional = false;

  /** `key` = all that its output depends on besides the messages, and the stages before it. */
  constructor(stage: ResolvedStage, key: string, context: IncrementalContext) {
    super(stage.bound.begin(context), stage, context);
    this.stage = stage;
    this.#key = key;
    this.#tokens = context.tokens;
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
  isFor(key: string): boolean {
    return this.#key === key && !this.#isProvisional;
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
