// The visibility strip: one cell per traced call point.
import type { Trace, TracePoint } from '../../core/protocol/types.ts';
import { STATE_WORD } from './words.ts';

/** Position of the cell that stands for call point `at`: the last one not after it. 0 if all are. */
export function cellAt(points: readonly TracePoint[], at: number): number {
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
  readonly state: TracePoint['state'];
  readonly from: TracePoint;
  /** Position of its first cell, and how many there are. */
  readonly cell: number;
  readonly length: number;
}

/** The stretches, in order. */
export function runs(points: readonly TracePoint[]): readonly Run[] {
  const found: Run[] = [];
  points.forEach((point, cell) => {
    const last = found.at(-1);
    if (last && last.state === point.state) found[found.length - 1] = { ...last, length: last.length + 1 };
    else found.push({ state: point.state, from: point, cell, length: 1 });
  });
  return found;
}

/** The strip in one sentence per stretch: `visible from #215 (turn 20)`. The time before it was said is left out. */
export function runWords(run: Run): string {
  return `${STATE_WORD[run.state]} from #${run.from.at} (turn ${run.from.turn})`;
}

/** The legend: the first stretches after it was said, at most `most`; `more` = how many are left out. */
export function legend(
  points: readonly TracePoint[],
  most: number,
): { readonly shown: readonly Run[]; readonly more: number } {
  const said = runs(points).filter((run) => run.state !== 'not_yet');
  return { shown: said.slice(0, most), more: Math.max(0, said.length - most) };
}

/** `call #231, turn 38: absent`, for screen readers and the tooltip. */
export function cellWords(point: TracePoint | undefined): string {
  return point ? `call #${point.at}, turn ${point.turn}: ${STATE_WORD[point.state]}` : '';
}

/** What is so at the call point shown now, as a clause. */
export function nowWords(trace: Trace): string {
  switch (trace.now.state) {
    case 'visible':
      return 'The model sees it here as it was said.';
    case 'changed':
      return 'The model sees it here only in a changed form.';
    case 'absent':
      return 'The model does not see it here.';
    case 'not_yet':
      return 'At this call point it had not been said.';
  }
}
