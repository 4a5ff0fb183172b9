// What the requests of a session hold, at all its call points, in about linear time: the view moves from one call point
// to the next, and every stage follows the changes (core/view/incremental.ts). A stage without an incremental form is
// run anew at each call point; that costs what the projection costs, times the call points. The oracle of all this is
// project() at each call point; tests compare.
import type { TranscriptSource } from '../model/transcript.ts';
import { sha256 } from '../util/hash.ts';
import type { IncrementalSteps } from '../view/incremental.ts';
import type { LiveView } from '../view/liveView.ts';
import { createMemo } from '../view/memo.ts';
import { estimatedTokens } from '../view/tokens.ts';
import { PAUSE as PAUSED, type StageAnswer, type StageEffect } from '../view/types.ts';
import { LiveBinding } from './binding/liveBinding.ts';
import { type CallPointFigures, CallPointSums, type TallyItem } from './callPointSums.ts';
import type { LiveStage } from './liveStage.ts';
import type { ResolvedStage } from './parseSpec.ts';
import { Pipeline, type PipelineContext } from './pipeline.ts';
import type { ProjectOptions } from './project.ts';
import { LiveRendering, turnScoped } from './rendering.ts';

export { type CallPointFigures, CallPointSums, type TallyItem } from './callPointSums.ts';

/** A session, a spec, and the call points asked for, ascending. */
export interface CallPointsInput {
  readonly source: TranscriptSource;
  readonly stages: readonly ResolvedStage[];
  readonly points: readonly number[];
  readonly tally: TallyItem;
  readonly options?: ProjectOptions;
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
  readonly thinking: Pick<LiveBinding, 'counts' | 'outcome'> | null;
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

/** Moves along the call points; `take` is asked what to yield at each, behind what `look` does there in pieces. */
export function* followCallPoints<T>(
  input: Omit<CallPointsInput, 'tally'>,
  take: (point: ReachedPoint) => T,
  look: (point: ReachedPoint) => Iterable<void> = () => [],
): CallPointsRun<T> {
  const { source, points } = input;
  const { observe: _observe, ...options } = input.options ?? {};
  const context: PipelineContext = {
    source,
    memo: options.memo ?? createMemo(),
    sha256: options.sha256 ?? sha256,
    tokens: options.tokens ?? estimatedTokens(source),
    budget: options.budget ?? null,
  };
  const pipeline = new Pipeline(context, input.stages);
  const { raw, stages } = pipeline;
  const steps = stages.map((live, at) => ({ live, input: stages[at - 1]?.output ?? raw }));
  const binding = options.binding ? new LiveBinding(context, input.stages, steps, options.binding) : null;
  const bound = binding?.isNeeded === true ? binding : null;
  const behind: LiveStage[] = bound === null ? [] : [bound];
  const isScoped = turnScoped(source, context.memo).length > 0;
  if (isScoped) behind.push(new LiveRendering(source, context.memo, input.stages.length + behind.length));
  const all: readonly LiveStage[] = [...stages, ...behind];
  let before: number | null = null;
  for (const at of points) {
    yield* forwarded(pipeline.moveTo(at));
    let view = stages.at(-1)?.output ?? raw;
    for (const stage of behind) {
      yield* forwarded(stage.step(view, at));
      yield PAUSE;
      view = stage.output;
    }
    const point = { before, at, view, stages: all, thinking: bound };
    for (const _ of look(point)) yield PAUSE;
    yield { kind: 'point', figures: take(point) };
    pipeline.settle();
    for (const { output } of behind) output.settle();
    before = at;
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
