// The chart of two policies as numbers and path texts: one step a request, on the axis that the strips share.
import type { ComparedAlong } from '../../core/protocol/compareTypes.ts';

/** In px: axis labels left, flag above; two strips under the plot. */
export const LINES = { left: 48, right: 12, top: 20, plot: 62, strip: 9, gap: 4, bottom: 6 } as const;

export const LINES_HEIGHT = LINES.top + LINES.plot + 2 * (LINES.strip + LINES.gap) + LINES.bottom;

export interface LineChart {
  readonly points: ComparedAlong['points'];
  readonly width: number;
  readonly step: number;
  /** Tokens at the top edge. */
  readonly max: number;
}

export function layOutLines(points: ComparedAlong['points'], width: number): LineChart {
  const highest = points.reduce((most, { a, b }) => Math.max(most, a, b), 0);
  const plot = Math.max(1, width - LINES.left - LINES.right);
  return { points, width, step: plot / Math.max(1, points.length), max: Math.max(1, highest * 1.06) };
}

export function yOfTokens({ max }: LineChart, tokens: number): number {
  return LINES.top + LINES.plot - (tokens / max) * LINES.plot;
}

/** A step as wide as each request. */
export function linePath(chart: LineChart, side: 'a' | 'b'): string {
  return chart.points
    .map((point, at) => {
      const [x, y] = [r(LINES.left + at * chart.step), r(yOfTokens(chart, point[side]))];
      return at === 0 ? `M${x} ${y}h${r(chart.step)}` : `V${y}h${r(chart.step)}`;
    })
    .join('');
}

/** What lies between both lines. */
export function betweenPath(chart: LineChart): string {
  const { points, step } = chart;
  if (points.length === 0) return '';
  const back = points
    .map(
      (point, at) => `H${r(LINES.left + (at + 1) * step)}V${r(yOfTokens(chart, point.b))}H${r(LINES.left + at * step)}`,
    )
    .toReversed()
    .join('');
  const end = r(LINES.left + points.length * step);
  return `${linePath(chart, 'a')}H${end}${back}Z`;
}

/** Left edge of the request at a call point, or of the one that stands for it. */
export function xOfCall({ points, step }: LineChart, at: number): number {
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((points[middle]?.at ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return LINES.left + low * step;
}

/** The call point under a px; null without any. */
export function callAt({ points, step }: LineChart, px: number): number | null {
  const at = Math.max(0, Math.min(points.length - 1, Math.floor((px - LINES.left) / step)));
  return points[at]?.at ?? null;
}

function r(value: number): number {
  return Math.round(value * 100) / 100;
}
