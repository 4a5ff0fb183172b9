import { useUsage } from '../state/useUsage.ts';
import { type Chart, groupMarks, isInSight, middleOf } from '../ui/chart.ts';

/** Px: marks of a kind that are nearer to each other cannot be told apart, and are one. */
const NEAREST = 1.5;

/** Requests that stand out by their recorded usage: a wedge above for a fall of the input, a dot below for a cache miss.
 * The chart's tip says what they are. */
export function UsageMarks({ chart }: { readonly chart: Chart }) {
  const { info } = useUsage();
  if (chart.points.length === 0) return null;
  const placed = (info?.marks ?? [])
    .map((mark) => ({ ...mark, x: middleOf(chart, mark.at) }))
    .filter(({ x }) => isInSight(chart, x));
  const kinds = [...new Set(placed.map(({ kind }) => kind))];
  return kinds.flatMap((kind) =>
    groupMarks(
      placed.filter((mark) => mark.kind === kind),
      NEAREST,
    ).map(({ x, marks }) => (
      <g key={`${kind} ${marks[0]?.at}`} className={`usage-place usage-place-${kind}`} data-at={marks[0]?.at}>
        {kind === 'drop' ? (
          <path d={`M${x - 4} ${chart.top - 2}h8l-4 7z`} />
        ) : (
          <circle cx={x} cy={chart.floor + 6} r={2.5} />
        )}
      </g>
    )),
  );
}
