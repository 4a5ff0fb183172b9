// Watched texts along the call points: one walk for all of them. A host searches the transcript for each (`searches`), walks
// (`look`, `take`), and asks for the answers; each text is followed by the tracer that answers `trace --text`, so that both
// say the same.
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import { type StatesTrace, type TextTraceInput, TextTracer } from '../text/trace.ts';
import {
  WATCHED_RUNS_MOST,
  type WatchedLoss,
  type WatchedQuery,
  type WatchedRun,
  type WatchedText,
  type WatchedTexts,
} from './types.ts';

/** A watched text under the id that its answer has. */
export interface FollowedQuery extends WatchedQuery {
  readonly id: string;
}

/** A text and the tracer that follows it. */
export interface WatchTracer {
  readonly query: FollowedQuery;
  readonly tracer: TextTracer;
}

/** Follows several texts along one walk. Texts of nothing but white space are left out. */
export class WatchedAlong {
  readonly #tracers: readonly WatchTracer[];
  readonly #callPoints: readonly number[];

  constructor(input: TextTraceInput, queries: readonly FollowedQuery[]) {
    this.#callPoints = input.callPoints;
    this.#tracers = queries.flatMap((query) => {
      const tracer = TextTracer.of(input, query.text, query);
      return tracer === null ? [] : { query, tracer };
    });
  }

  /** Each text's tracer: search the transcript with all of them before the walk. */
  get tracers(): readonly WatchTracer[] {
    return this.#tracers;
  }

  /** Searches what is new at a call point, before it is taken. Pauses between items. */
  *look(point: ReachedPoint): Generator<void, void, void> {
    for (const { tracer } of this.#tracers) yield* tracer.look(point);
  }

  /** At each call point of the walk, in order. */
  take(point: ReachedPoint): void {
    for (const { tracer } of this.#tracers) tracer.take(point);
  }

  /** Where only samples were taken: texts whose first loss is between two of them. See {@link TextTracer.undecided}. */
  undecided(): readonly (WatchTracer & { readonly points: readonly number[] })[] {
    return this.#tracers.flatMap((each) => {
      const points = each.tracer.undecided();
      return points.length === 0 ? [] : { ...each, points };
    });
  }

  /** The answers, behind the last call point. */
  finish(): WatchedTexts {
    const states = this.#tracers.map(({ query, tracer }) => ({ id: query.id, trace: tracer.states() }));
    return {
      texts: states.map(({ id, trace }) => watchedText(id, trace)),
      sampled: states.some(({ trace }) => trace.points.length < this.#callPoints.length),
    };
  }
}

function watchedText(id: string, { points, changes, counts, first, firstLoss }: StatesTrace): WatchedText {
  const runs = runsOf(points, changes);
  return {
    ...{ id, runs: runs.slice(0, WATCHED_RUNS_MOST), totalRuns: runs.length, counts, first },
    firstLoss: firstLoss === null ? null : withoutText(firstLoss),
  };
}

/** Points as runs of one state, each with what was lost at its beginning. */
function runsOf(points: StatesTrace['points'], changes: StatesTrace['changes']): readonly WatchedRun[] {
  const losses = new Map(changes.map(({ at, loss }) => [at, loss]));
  const runs: WatchedRun[] = [];
  for (const { at, state } of points) {
    const last = runs.at(-1);
    if (last?.state === state) runs[runs.length - 1] = { ...last, last: at };
    else {
      const loss = losses.get(at) ?? null;
      runs.push({ state, at, last: at, loss: loss && withoutText(loss) });
    }
  }
  return runs;
}

function withoutText({ replacedBy: _, ...loss }: WatchedLoss & { readonly replacedBy: string | null }): WatchedLoss {
  return loss;
}
