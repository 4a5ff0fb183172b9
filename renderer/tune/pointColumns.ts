// The columns of the table of points: text, and the value they are sorted by.
import type { SweepInfo, SweptPoint, VariedValue } from '../../core/protocol/tuneTypes.ts';
import { formatCount } from '../ui/format.ts';
import { costText, tokensText, valueText } from './words.ts';

export interface PointColumn {
  readonly id: string;
  readonly title: string;
  readonly help: string;
  readonly text: (point: SweptPoint) => string;
  readonly value: (point: SweptPoint) => VariedValue | null;
}

const count = (id: string, title: string, help: string, of: (point: SweptPoint) => number): PointColumn => ({
  ...{ id, title, help, value: of },
  text: (point) => formatCount(of(point)),
});

const tokens = (id: 'mean' | 'p95' | 'peak', title: string, help: string): PointColumn => ({
  ...{ id, title, help },
  text: (point) => tokensText(point.tokens[id], point),
  value: (point) => point.tokens[id],
});

/** A column for each option that varies, then the figures. */
export function columnsOf({ axes, asked }: SweepInfo): readonly PointColumn[] {
  const varied = axes.map(({ name, label }, at): PointColumn => {
    const value = (point: SweptPoint): VariedValue => point.values[at] ?? '';
    return { id: name, title: label, help: `${label} (${name})`, value, text: (point) => valueText(value(point)) };
  });
  const watched = count(
    'watchpointsGone',
    'Texts gone',
    'Texts to keep and watched texts that at least one request did not hold once they were said',
    (point) => point.watchpointsGone,
  );
  return [
    ...varied,
    {
      ...{
        id: 'cost',
        title: 'Input cost',
        help: 'Input of all requests and of the next one, with what the cache serves',
      },
      text: (point) => costText(point),
      value: ({ cost }) => cost,
    },
    count('usesGone', 'Uses gone', 'Uses of something that the request did not hold', (point) => point.usesGone),
    ...(asked.keep.length + (asked.watched ?? 0) > 0 ? [watched] : []),
    tokens('mean', 'Mean', 'Mean tokens of the messages of a request'),
    tokens('p95', '95%', '95% of the requests have at most so many tokens of messages'),
    tokens('peak', 'Peak', 'Tokens of the messages of the largest request'),
    count(
      'cacheBreaks',
      'Breaks',
      'Requests that changed the beginning of the one before',
      (point) => point.cacheBreaks,
    ),
    {
      ...{ id: 'firstOver', title: 'Over since', help: 'The first request that does not fit the window' },
      text: ({ firstOver }) => (firstOver === null ? '–' : `#${formatCount(firstOver)}`),
      value: ({ firstOver }) => firstOver,
    },
    count('refused', 'Refused', 'Requests that a provider would refuse for their thinking', (point) => point.refused),
  ];
}

/** Sorted by a column; without one the frontier first, then by cost, or tokens where no price is known. */
export function sortPoints(
  points: readonly SweptPoint[],
  columns: readonly PointColumn[],
  sort: { readonly id: string; readonly descending: boolean } | null,
): readonly SweptPoint[] {
  const column = sort && columns.find(({ id }) => id === sort.id);
  if (!column) {
    const order = (point: SweptPoint) => (point.best ? 0 : point.front ? 1 : 2);
    const price = ({ cost, tokens: { mean } }: SweptPoint) => cost ?? mean;
    return points.toSorted((a, b) => order(a) - order(b) || price(a) - price(b));
  }
  const sign = sort.descending ? -1 : 1;
  return points.toSorted((a, b) => compareValues(column.value(a), column.value(b), sign));
}

// What is not known stands last, whichever way it is sorted.
function compareValues(a: VariedValue | null, b: VariedValue | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * String(a).localeCompare(String(b), 'en');
}
