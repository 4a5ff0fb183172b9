// The last stage of a spec along the call points, against the same stage run anew at each: the view item by item, what
// became of every message, and what the stage says of some.
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { followCallPoints, type ReachedPoint } from '../../core/projection/allCallPoints.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { projectSteps, type StageStep } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { StageAnswer, StageEffect, ViewItem } from '../../core/view/types.ts';

/** What is compared at a call point. */
export interface SeenThere {
  readonly at: number;
  readonly items: readonly ViewItem[];
  /** Fates by index, `kept` left out. */
  readonly kinds: readonly string[];
  /** What the stage says of the messages it touched. */
  readonly said: readonly string[];
}

/** Answers what stages ask. */
export type Host = (effect: StageEffect) => StageAnswer;

function* followed(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  points: readonly number[],
  compared: ReadonlySet<number>,
  host: Host,
): Generator<SeenThere> {
  const look = (point: ReachedPoint): SeenThere | null => (compared.has(point.at) ? seenBy(point) : null);
  const run = followCallPoints({ source, stages, points, options: { memo: createMemo() } }, look);
  let step = run.next(null);
  while (step.done !== true) {
    if (step.value.kind === 'point' && step.value.figures !== null) yield step.value.figures;
    step = run.next(step.value.kind === 'effect' ? host(step.value.effect) : null);
  }
}

function seenBy({ at, view, stages }: ReachedPoint): SeenThere {
  const live = stages.at(-1);
  const kinds: string[] = [];
  const said: string[] = [];
  for (let index = 0; index < at; index++) {
    const kind = live?.kind(index) ?? null;
    if (kind !== null && kind !== 'kept') kinds.push(`${index} ${kind}`);
    if (kind !== null && kind !== 'kept') said.push(`${index} ${JSON.stringify(live?.fateOf(index))}`);
  }
  return { at, items: view.toView().items, kinds, said };
}

/** Run anew at one call point. */
export function runAnew(source: TranscriptSource, stages: readonly ResolvedStage[], at: number, host: Host): SeenThere {
  const seen: StageStep[] = [];
  const steps = projectSteps(source, stages, at, { memo: createMemo(), observe: (step) => seen.push(step) });
  let step = steps.next();
  while (step.done !== true) step = steps.next(host(step.value));
  const output = seen.at(-1)?.output;
  const touched = [...(output?.fates ?? [])].filter(([, { kind }]) => kind !== 'kept').sort(([a], [b]) => a - b);
  return {
    at,
    items: output?.view.items ?? [],
    kinds: touched.map(([index, { kind }]) => `${index} ${kind}`),
    said: touched.map(([index, fate]) => `${index} ${JSON.stringify(fate)}`),
  };
}

/**
 * Follows the stages along `points` and compares with a run anew at those of them that `compared` names; `differs` is told
 * of each pair that is not the same.
 */
export function compareFollowed(
  given: { readonly source: TranscriptSource; readonly stages: readonly ResolvedStage[]; readonly host: Host },
  points: readonly number[],
  differs: (found: SeenThere, expected: SeenThere) => void,
  compared: ReadonlySet<number> = new Set(points),
): void {
  const { source, stages, host } = given;
  for (const found of followed(source, stages, points, compared, host)) {
    const expected = runAnew(source, stages, found.at, host);
    if (JSON.stringify(found) !== JSON.stringify(expected)) differs(found, expected);
  }
}
