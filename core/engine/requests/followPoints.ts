import type { TranscriptSource } from '../../model/transcript.ts';
import { followCallPoints, type ReachedPoint } from '../../projection/allCallPoints.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ProjectOptions } from '../../projection/project.ts';
import type { StageAnswer } from '../../view/types.ts';
import { nodeSha256 } from '../nodeHash.ts';
import type { RequestProjector } from './projector.ts';

/** What is followed. `points` ascending. */
export interface PointsToFollow {
  readonly source: TranscriptSource;
  readonly parsed: Pick<ParsedSpec, 'stages'>;
  readonly points: readonly number[];
  readonly options: ProjectOptions;
}

/** Moves along the call points; the user's code runs in the sandbox, and images are left as they are. */
export async function followPoints<T>(
  projector: RequestProjector,
  { source, parsed, points, options }: PointsToFollow,
  take: (point: ReachedPoint) => T,
): Promise<readonly T[]> {
  const input = { source, stages: parsed.stages, points, options: { ...options, sha256: nodeSha256 } };
  const run = followCallPoints(input, take);
  const found: T[] = [];
  let answer: StageAnswer | null = null;
  for (let step = run.next(answer); step.done !== true; step = run.next(answer)) {
    projector.check();
    answer = step.value.kind === 'effect' ? await projector.answer(step.value.effect) : null;
    if (step.value.kind === 'point') found.push(step.value.figures);
  }
  return found;
}
