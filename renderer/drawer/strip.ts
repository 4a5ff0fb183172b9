// The life strip: one cell per call point, and what became of a message or a text there.
import type { TextState, TracePoint } from '../../core/protocol/types.ts';

/** What can be so at a call point: of a text, or of a message that says nothing (a picture). */
export type StripState = TextState | TracePoint['state'];

/** One cell. */
export interface StripPoint {
  readonly at: number;
  readonly turn: number;
  readonly state: StripState;
}

/** A state in words, for legend, tooltip and screen readers. */
export const STRIP_WORD: Readonly<Record<StripState, string>> = {
  not_yet: 'not yet said',
  original: 'in the request',
  elsewhere: 'in the request, elsewhere',
  partly: 'partly in the request',
  gone: 'not in the request',
  visible: 'in the request',
  changed: 'in the request, changed',
  absent: 'not in the request',
};

/** Position of the cell that stands for call point `at`: the last one not after it. 0 if all are. */
export function cellAt(points: readonly StripPoint[], at: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** A stretch of call points in one state. */
export interface Run {
  readonly state: StripState;
  readonly from: StripPoint;
  /** Position of its first cell, and how many there are. */
  readonly cell: number;
  readonly length: number;
}

/** The stretches, in order. */
export function runs(points: readonly StripPoint[]): readonly Run[] {
  const found: Run[] = [];
  points.forEach((point, cell) => {
    const last = found.at(-1);
    if (last && last.state === point.state) found[found.length - 1] = { ...last, length: last.length + 1 };
    else found.push({ state: point.state, from: point, cell, length: 1 });
  });
  return found;
}

/** The strip in one sentence per stretch: `in the request from #215 (turn 20)`. */
export function describeRun(run: Run): string {
  return `${STRIP_WORD[run.state]} from #${run.from.at} (turn ${run.from.turn})`;
}

/** The legend: the first stretches after it was said, at most `most`; `more` = how many are left out. */
export function legend(
  points: readonly StripPoint[],
  most: number,
): { readonly shown: readonly Run[]; readonly more: number } {
  const said = runs(points).filter((run) => run.state !== 'not_yet');
  return { shown: said.slice(0, most), more: Math.max(0, said.length - most) };
}

/** `call #231, turn 38: not in the request`, for screen readers and the tooltip. */
export function describeCell(point: StripPoint | undefined): string {
  return point ? `call #${point.at}, turn ${point.turn}: ${STRIP_WORD[point.state]}` : '';
}
