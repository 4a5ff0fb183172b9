// Watched texts followed in one go: no pauses, no images, no user code.
import { pointsToFollow, type TextTracer } from '../../core/insight/text/trace.ts';
import { type FollowedQuery, WatchedAlong } from '../../core/insight/watch/along.ts';
import type { WatchedText, WatchedTexts } from '../../core/insight/watch/types.ts';
import type { TranscriptMeta, TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints, turnStarts } from '../../core/model/turns.ts';
import { followCallPoints, naiveStages } from '../../core/projection/allCallPoints.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { noHost } from './textTrace.ts';

/** What a test watches. */
export interface Watched {
  readonly source: TranscriptSource;
  readonly stages: readonly ResolvedStage[];
  readonly queries: readonly FollowedQuery[];
  readonly front?: Pick<TranscriptMeta, 'systemJson' | 'toolsJson'>;
  readonly samples?: number;
}

/** Follows them. */
export function watchTexts({ source, stages, queries, front = {}, samples = 200 }: Watched): WatchedTexts {
  const places = { callPoints: callPoints(source), turnStarts: turnStarts(source), now: source.length };
  const along = new WatchedAlong({ source, front, events: () => [], ...places }, queries);
  for (const { tracer } of along.tracers) for (const _ of tracer.search());
  const points = pointsToFollow(places, naiveStages(stages).length > 0, samples);
  const walk = (through: readonly number[], by: Pick<TextTracer, 'take' | 'look'>): void => {
    const run = followCallPoints(
      { source, stages, points: through },
      (point) => by.take(point),
      (point) => by.look(point),
    );
    let step = run.next(null);
    while (step.done !== true) step = run.next(step.value.kind === 'effect' ? noHost(step.value.effect) : null);
  };
  walk(points, along);
  for (const { tracer, points: between } of along.undecided()) {
    const finer = tracer.finer();
    walk(between, finer);
    tracer.settle(finer);
  }
  return along.finish();
}

/** The state at each call point that its runs cover, as `at state`. */
export function statesOf({ runs }: Pick<WatchedText, 'runs'>, points: readonly number[]): readonly string[] {
  return points.flatMap((at) => {
    const run = runs.find((one) => one.at <= at && at <= one.last);
    return run === undefined ? [] : `${at} ${run.state}`;
  });
}
