// What the requests of a session hold, at all its call points, in about linear time: the view moves from one call point
// to the next, and every stage follows the changes (core/view/incremental.ts). A stage that reads the whole view again at
// each call point costs what its projection costs, times the call points. The oracle of all this is project() at each call
// point; tests compare.
import type { TranscriptSource } from '../model/transcript.ts';
import { sha256 } from '../util/hash.ts';
import type { IncrementalSteps } from '../view/incremental.ts';
import type { LiveView } from '../view/liveView.ts';
import { createMemo } from '../view/memo.ts';
import { estimatedTokens } from '../view/tokens.ts';
import { PAUSE as PAUSED, type StageAnswer, type StageEffect } from '../view/types.ts';
import type { BindingRun } from './binding/bindingRun.ts';
import { stepsOfStages } from './binding/clientSteps.ts';
import { type CallPointFigures, CallPointSums, type TallyItem } from './callPointSums.ts';
import type { LiveStage } from './liveStage.ts';
import type { ResolvedStage } from './parseSpec.ts';
import { Pipeline, type PipelineContext } from './pipeline.ts';
import type { ProjectOptions } from './project.ts';
import { providerStages } from './providerStages.ts';

export { type CallPointFigures, CallPointSums, type TallyItem } from './callPointSums.ts';

/** A session, a spec, and the call points asked for, ascending. */
export interface CallPointsInput {
  readonly source: TranscriptSource;
  readonly stages: readonly ResolvedStage[];
  readonly points: readonly number[];
  readonly tally: TallyItem;
  readonly options?: ProjectOptions;
}

/** The same of several specs, which are given the same inputs. */
export interface SpecsInput extends Omit<CallPointsInput, 'stages' | 'tally'> {
  readonly specs: readonly (readonly ResolvedStage[])[];
}

/** What the run yields: what was asked for, what a stage asks its host for, or a moment in which others can be answered. */
export type CallPointStep<T = CallPointFigures> =
  | { readonly kind: 'point'; readonly figures: T }
  | { readonly kind: 'effect'; readonly effect: StageEffect }
  | { readonly kind: 'pause' };

/** Resumed with the answer to an effect, with null after anything else. */
export type CallPointsRun<T = CallPointFigures> = Generator<CallPointStep<T>, void, StageAnswer | null>;

/** A call point that the stages have moved to. */
export interface ReachedPoint {
  /** The call point before it; null at the first. */
  readonly before: number | null;
  readonly at: number;
  /** What the request there holds, and what is different from the one before. */
  readonly view: LiveView;
  readonly stages: readonly LiveStage[];
  /** What the provider makes of the thinking there; null = it is not checked, or there is none. */
  readonly thinking: Pick<BindingRun, 'counts' | 'outcome'> | null;
}

/** Kinds of the enabled stages that read the whole view again at every call point; empty = linear. */
export function naiveStages(stages: readonly ResolvedStage[]): readonly string[] {
  return stages.filter(({ enabled, rereads }) => enabled && rereads).map(({ kind }) => kind);
}

const PAUSE = { kind: 'pause' } as const;

/** Figures at all these call points, in order. Pauses at least once a call point. */
export function allCallPoints(input: CallPointsInput): CallPointsRun {
  let figures: CallPointSums | null = null;
  return followCallPoints(input, (point) => {
    figures ??= new CallPointSums(input.source, point, input.tally);
    return figures.take(point);
  });
}

/**
 * Moves along the call points; `take` is asked what to yield at each. `look` is asked before it, and may pause: for what
 * takes long at a call point.
 */
export function followCallPoints<T>(
  { stages, ...input }: Omit<CallPointsInput, 'tally'>,
  take: (point: ReachedPoint) => T,
  look?: (point: ReachedPoint) => Iterable<void>,
): CallPointsRun<T> {
  return followSpecs({ ...input, specs: [stages] }, take, look);
}

/** The same for several specs: at each call point each of them, in order. Those that begin with the same stages share them. */
export function* followSpecs<T>(
  { source, specs, points, options: given = {} }: SpecsInput,
  take: (point: ReachedPoint, spec: number) => T,
  look?: (point: ReachedPoint, spec: number) => Iterable<void>,
): CallPointsRun<T> {
  const { observe: _observe, ...options } = given;
  const context: PipelineContext = {
    source,
    memo: options.memo ?? createMemo(),
    sha256: options.sha256 ?? sha256,
    tokens: options.tokens ?? estimatedTokens(source),
    budget: options.budget ?? null,
  };
  const pipelines = Pipeline.together(context, specs);
  const tracks = pipelines.map((pipeline, spec) => ({ pipeline, ...stagesBehind(pipeline, specs[spec] ?? []) }));
  // Checks of thinking look at what every stage changed.
  const [only, ...others] = tracks;
  if (only !== undefined && others.length === 0) only.pipeline.leavesOut = only.behind.length === 0;
  let before: number | null = null;
  for (const at of points) {
    for (const [spec, { pipeline, behind, thinking, all }] of tracks.entries()) {
      yield* forwarded(pipeline.moveTo(at));
      let view = pipeline.output;
      for (const stage of behind) {
        yield* forwarded(stage.step(view, at));
        yield PAUSE;
        view = stage.output;
      }
      const point = { before, at, view, stages: all, thinking };
      if (look !== undefined) for (const _ of look(point, spec)) yield PAUSE;
      yield { kind: 'point', figures: take(point, spec) };
    }
    for (const { pipeline, behind } of tracks) {
      pipeline.settle();
      for (const stage of behind) stage.settle();
    }
    before = at;
  }

  function stagesBehind({ raw, stages }: Pipeline, spec: readonly ResolvedStage[]) {
    const steps = stages.map((live, at) => ({ live, input: stages[at - 1]?.output ?? raw }));
    const own = providerStages(context, spec, stepsOfStages(steps), options.binding, source.length);
    return { behind: own.stages, thinking: own.thinking, all: [...stages, ...own.stages] };
  }
}

/** Runs through, answering effects with `answer`. For hosts that need not pause. */
export function runCallPoints(
  input: CallPointsInput,
  answer: (effect: StageEffect) => StageAnswer,
): readonly CallPointFigures[] {
  const run = allCallPoints(input);
  const found: CallPointFigures[] = [];
  let step = run.next(null);
  while (step.done !== true) {
    if (step.value.kind === 'point') found.push(step.value.figures);
    step = run.next(step.value.kind === 'effect' ? answer(step.value.effect) : null);
  }
  return found;
}

function* forwarded(steps: IncrementalSteps): CallPointsRun<never> {
  let step = steps.next();
  while (step.done !== true) {
    const isPause = step.value.effect === 'pause';
    const answer: StageAnswer | null = yield isPause ? PAUSE : { kind: 'effect', effect: step.value };
    if (answer === null && !isPause) throw new Error('an effect was not answered');
    step = steps.next(answer ?? PAUSED);
  }
}
