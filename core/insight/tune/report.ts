// The points of a sweep as they are judged, and as lines for others: JSON, a line each, and CSV.
import { type Aim, type BrokenCondition, brokenConditions, type Conditions } from './aim.ts';
import { frontOf, type TunedPoint } from './point.ts';

/** A point with what holds of it among the others. */
export interface JudgedPoint {
  readonly point: TunedPoint;
  readonly broken: readonly BrokenCondition[];
  /** No other point beats it in cost (or tokens), uses gone and texts gone at once. */
  readonly front: boolean;
  /** The best that an aim found. `proved` = projecting it by itself gave the same figures. */
  readonly best: boolean;
  readonly proved: boolean;
}

/** What points are judged by. */
export interface Judging {
  readonly aim?: Aim | undefined;
  readonly conditions: Conditions;
  readonly winner: { readonly point: TunedPoint; readonly proved: boolean } | null;
}

/** Judges points against each other; their order stays. */
export function judge(points: readonly TunedPoint[], { aim, conditions, winner }: Judging): readonly JudgedPoint[] {
  const front = frontOf(points, aim);
  return points.map((point, at) => {
    const best = point === winner?.point;
    const broken = brokenConditions(point, conditions);
    return { point, broken, front: front[at] === true, best, proved: best && winner?.proved === true };
  });
}

/** A point as one line of JSON. `names` = of the sessions; their sums are given where there are several. */
export function pointRecord({ point, broken, front, best, proved }: JudgedPoint, names: readonly string[]) {
  const { sessions, ...figures } = point;
  const named = sessions.map(({ totals: _totals, ...sums }, at) => ({ transcript: names[at] ?? '', ...sums }));
  return {
    ...figures,
    front,
    ...(broken.length > 0 && { breaks: broken }),
    ...(best && { best: true, proved }),
    ...(named.length > 1 && { sessions: named }),
  };
}

/** Points as NDJSON: a line each, of the same fields. */
export function pointsAsNdjson(points: readonly JudgedPoint[], names: readonly string[]): string {
  return points.map((point) => `${JSON.stringify(pointRecord(point, names))}\n`).join('');
}

const FIGURES = [
  'mean',
  'p95',
  'peak',
  'cost',
  'unpriced',
  'cacheBreaks',
  'uses',
  'usesGone',
  'watchpointsGone',
  'firstOver',
  'over',
  'refused',
  'front',
  'breaks',
  'best',
  'proved',
  'spec',
] as const;

/** Points as CSV: a column for each value that varies, each figure, and the spec as JSON. Empty = there is none. */
export function pointsAsCsv(points: readonly JudgedPoint[]): string {
  const names = Object.keys(points[0]?.point.values ?? {});
  const lines = points.map((judged) => {
    const { point, broken, front, best, proved } = judged;
    const { mean, p95, peak } = point.tokens;
    const { cost, unpriced, cacheBreaks, uses, usesGone, watchpointsGone, firstOver, over, refused } = point;
    const requests = [mean, p95, peak, cost, unpriced, cacheBreaks];
    const figures = [...requests, uses, usesGone, watchpointsGone, firstOver, over, refused];
    const judgement = [front, broken.join(' '), best, best ? proved : null, JSON.stringify(point.spec)];
    return [...names.map((name) => point.values[name] ?? null), ...figures, ...judgement];
  });
  return [[...names, ...FIGURES], ...lines].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

// A spreadsheet takes what begins with one of these for a formula; numbers are none.
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
