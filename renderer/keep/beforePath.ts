// The tokens of requests without the change that is tried, as a line over the bars of the chart.
import type { ComparedAlong } from '../../core/protocol/compareTypes.ts';
import { type Chart, yOf } from '../ui/chart.ts';

type Points = ComparedAlong['points'];

/** A step as wide as each bar's column, broken where nothing is known of its requests. Of several in a bar the largest. */
export function beforePath(chart: Chart, points: Points): string {
  let path = '';
  let isOpen = false;
  let next = 0;
  chart.bars.forEach(({ point, x, width }, at) => {
    const { first, last } = point.shares ?? { first: point.at, last: point.at };
    while (next < points.length && (points[next]?.at ?? 0) < first) next++;
    let tokens: number | null = null;
    for (let each = next; each < points.length && (points[each]?.at ?? 0) <= last; each++) {
      tokens = Math.max(tokens ?? 0, points[each]?.a ?? 0);
    }
    if (tokens === null) {
      isOpen = false;
      return;
    }
    const end = chart.bars[at + 1]?.x ?? x + width;
    const y = round(yOf(chart, tokens + chart.beside));
    path += `${isOpen ? `V${y}` : `M${round(x)} ${y}`}H${round(end)}`;
    isOpen = true;
  });
  return path;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
