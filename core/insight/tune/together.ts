// Several specs along the call points of one session at once. Specs that begin with the same stages share them: at each call
// point a stage moves once, whatever stands behind it. The oracle is followCallPoints for each spec by itself.
import type { TranscriptSource } from '../../model/transcript.ts';
import type { CallPointStep, ReachedPoint } from '../../projection/allCallPoints.ts';
import { LiveBinding, type LiveStep } from '../../projection/binding/liveBinding.ts';
import type { LiveStage } from '../../projection/liveStage.ts';
import type { ResolvedStage } from '../../projection/parseSpec.ts';
import { PipelineStage } from '../../projection/pipelineStage.ts';
import type { ProjectOptions } from '../../projection/project.ts';
import { LiveRendering, turnScoped } from '../../projection/rendering.ts';
import { sha256 } from '../../util/hash.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import { LiveView } from '../../view/liveView.ts';
import { createMemo } from '../../view/memo.ts';
import { rawItems } from '../../view/reader.ts';
import { estimatedTokens } from '../../view/tokens.ts';
import { PAUSE as PAUSED, type StageAnswer } from '../../view/types.ts';

/** What is followed: all specs are given the same inputs. `points` ascending. */
export interface TogetherInput {
  readonly source: TranscriptSource;
  /** The stages of each spec. */
  readonly specs: readonly (readonly ResolvedStage[])[];
  readonly points: readonly number[];
  readonly options?: ProjectOptions;
}

/** A spec that has reached a call point; what it shows is as it is until the walk goes on. */
export interface ReachedBySpec {
  /** Its position in `specs`. */
  readonly spec: number;
  readonly point: ReachedPoint;
}

/** A walk: yields each spec at each call point, call point by call point, and pauses. */
export type TogetherRun = Generator<CallPointStep<ReachedBySpec>, void, StageAnswer | null>;

const PAUSE = { kind: 'pause' } as const;

/** A stage that one or more specs share, and what moves behind it. */
interface SharedStage {
  readonly live: LiveStage;
  readonly input: LiveView;
  readonly behind: SharedStage[];
}

/** What a spec adds behind its stages: the provider's own steps. */
interface Track {
  readonly spec: number;
  readonly stages: readonly LiveStage[];
  readonly binding: LiveBinding | null;
  readonly own: readonly LiveStage[];
  /** What the own steps begin with. */
  readonly end: LiveView;
}

/** Moves all specs along the call points. */
export function* followTogether({ source, specs, points, options = {} }: TogetherInput): TogetherRun {
  const context = contextOf(source, options);
  const raw = new LiveView(source.length);
  const items = rawItems(source, context.memo);
  const roots: SharedStage[] = [];
  const tracks = specs.map((stages, spec) => trackOf(spec, stages, raw, roots, context, options));
  const shared = [...inOrder(roots)];
  const views = [
    raw,
    ...shared.map(({ live }) => live.output),
    ...tracks.flatMap(({ own }) => own.map(({ output }) => output)),
  ];
  let before: number | null = null;
  for (const at of points) {
    for (let index = before ?? 0; index < at; index++) raw.set(index, items.slice(index, index + 1));
    for (const { live, input } of shared) yield* moveOn(live, input, at);
    for (const { spec, stages, binding, own, end } of tracks) {
      let view = end;
      for (const live of own) {
        yield* moveOn(live, view, at);
        view = live.output;
      }
      yield {
        kind: 'point',
        figures: { spec, point: { before, at, view, stages: [...stages, ...own], thinking: binding } },
      };
    }
    for (const view of views) view.settle();
    before = at;
  }
}

function contextOf(source: TranscriptSource, options: ProjectOptions): Omit<IncrementalContext, 'stage'> {
  return {
    source,
    memo: options.memo ?? createMemo(),
    sha256: options.sha256 ?? sha256,
    tokens: options.tokens ?? estimatedTokens(source),
    budget: options.budget ?? null,
  };
}

function trackOf(
  spec: number,
  stages: readonly ResolvedStage[],
  raw: LiveView,
  roots: SharedStage[],
  context: Omit<IncrementalContext, 'stage'>,
  { binding: inputs }: ProjectOptions,
): Track {
  const steps: LiveStep[] = [];
  let [siblings, end] = [roots, raw];
  for (const stage of stages.filter(({ enabled }) => enabled)) {
    const shared = sharedStage(siblings, stage, end, context);
    steps.push({ live: shared.live, input: end });
    [siblings, end] = [shared.behind, shared.live.output];
  }
  const checked = inputs ? new LiveBinding(context, stages, steps, inputs) : null;
  const binding = checked?.isNeeded === true ? checked : null;
  const own: LiveStage[] = binding === null ? [] : [binding];
  if (turnScoped(context.source, context.memo).length > 0) {
    own.push(new LiveRendering(context.source, context.memo, stages.length + own.length));
  }
  return { spec, stages: steps.map(({ live }) => live), binding, own, end };
}

// The one that is there for the same position, kind and options behind the same stages, or a new one.
function sharedStage(
  siblings: SharedStage[],
  stage: ResolvedStage,
  input: LiveView,
  context: Omit<IncrementalContext, 'stage'>,
): SharedStage {
  const known = siblings.find(({ live }) => live.stage.position === stage.position && live.stage.key === stage.key);
  if (known !== undefined) return known;
  const made = { live: new PipelineStage(stage, stage.key, { ...context, stage: stage.position }), input, behind: [] };
  siblings.push(made);
  return made;
}

function* inOrder(siblings: readonly SharedStage[]): Iterable<SharedStage> {
  for (const shared of siblings) {
    yield shared;
    yield* inOrder(shared.behind);
  }
}

function* moveOn(
  stage: LiveStage,
  input: LiveView,
  at: number,
): Generator<CallPointStep<never>, void, StageAnswer | null> {
  const steps = stage.step(input, at);
  let step = steps.next();
  while (step.done !== true) {
    const isPause = step.value.effect === 'pause';
    const answer: StageAnswer | null = yield isPause ? PAUSE : { kind: 'effect', effect: step.value };
    if (answer === null && !isPause) throw new Error('an effect was not answered');
    step = steps.next(answer ?? PAUSED);
  }
}
