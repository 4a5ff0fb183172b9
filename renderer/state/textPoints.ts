// The find strip as numbers: what became of a text at each bar of the chart, on the chart's own x axis.
import type { TextState, TextTrace } from '../../core/protocol/types.ts';

/** A call point and the state at it; without one, the state before holds. */
export type TextPoint = Pick<TextTrace['points'][number], 'at' | 'state'>;

/** From harmless to bad: where one bar stands for several call points, the worst of them is drawn. */
const RANK: Readonly<Record<TextState, number>> = { not_yet: 0, original: 1, elsewhere: 2, partly: 3, gone: 4 };

/** A bar's call point; of several that share it the first and the last. */
interface SharedPoint {
  readonly at: number;
  readonly shares?: { readonly first: number; readonly last: number };
}

/** A run of bars [from, to) in one state, and the call point that it begins at. */
export interface StripRun {
  readonly state: TextState;
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/**
 * The state of each bar: the worst of the call points after the bar before, up to its own last; without any, that of the last
 * call point before. `before` = the last call point in front of the first bar. null = not known.
 */
export function barStates(
  bars: readonly SharedPoint[],
  points: readonly TextPoint[],
  before = Number.NEGATIVE_INFINITY,
): readonly (TextState | null)[] {
  let next = 0;
  let last: TextState | null = null;
  for (let point = points[next]; point !== undefined && point.at <= before; point = points[++next]) last = point.state;
  return bars.map((bar) => {
    const end = bar.shares?.last ?? bar.at;
    let worst: TextState | null = null;
    for (let point = points[next]; point !== undefined && point.at <= end; point = points[++next]) {
      if (worst === null || RANK[point.state] > RANK[worst]) worst = point.state;
      last = point.state;
    }
    return worst ?? last;
  });
}

/** The bars' states as runs; bars of which nothing is known are left out. `before` as of barStates. */
export function stripRuns(
  bars: readonly SharedPoint[],
  points: readonly TextPoint[],
  before?: number,
): readonly StripRun[] {
  const runs: StripRun[] = [];
  for (const [bar, state] of barStates(bars, points, before).entries()) {
    const last = runs.at(-1);
    if (state === null) continue;
    if (last !== undefined && last.state === state && last.to === bar) runs[runs.length - 1] = { ...last, to: bar + 1 };
    else runs.push({ state, from: bar, to: bar + 1, at: bars[bar]?.shares?.first ?? bars[bar]?.at ?? 0 });
  }
  return runs;
}

/** The state at a call point: that of the last point not after it; null if none is known. */
export function stateAt(points: readonly TextPoint[], at: number): TextState | null {
  return points.findLast((point) => point.at <= at)?.state ?? null;
}

/** The next call point after `at` in that state; behind the last one the first again. null if there is none. */
export function nextInState(points: readonly TextPoint[], at: number, state: TextState): number | null {
  const all = points.filter((point) => point.state === state);
  return (all.find((point) => point.at > at) ?? all[0])?.at ?? null;
}

/** The call point of the next change of state after `at`, or (-1) the beginning of the run before; null = there is none. */
export function nextTurn(points: readonly TextPoint[], at: number, direction: 1 | -1): number | null {
  const turns = points.filter((point, number) => number === 0 || point.state !== points[number - 1]?.state);
  const found = direction === 1 ? turns.find((point) => point.at > at) : turns.findLast((point) => point.at < at);
  return found?.at ?? null;
}
