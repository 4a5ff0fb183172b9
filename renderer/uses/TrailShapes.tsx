import { memo } from 'react';
import type { UseOutcome } from '../../core/protocol/types.ts';
import type { TrailMark } from '../state/trailMarks.ts';
import { type Chart, groupMarks, isInSight, middleOf } from '../ui/chart.ts';

/** Px: marks that are nearer to each other are one, with the worst of their outcomes. */
const NEAREST = 3;
const ORDER: readonly (UseOutcome | null)[] = ['original', 'elsewhere', null, 'gone'];

interface Props {
  readonly marks: readonly TrailMark[];
  readonly of: number;
  readonly chart: Chart;
  readonly height: number;
}

/** In a strip: the message whose trail it is as a line, its sources before it and its users behind it. */
export const TrailShapes = memo(function TrailShapes({ marks, of, chart, height }: Props) {
  const placed = marks
    .map((mark) => ({ mark, x: middleOf(chart, mark.index) }))
    .filter(({ x }) => isInSight(chart, x))
    .sort((a, b) => a.x - b.x);
  const here = middleOf(chart, of);
  return (
    <g className="trail-shapes">
      {isInSight(chart, here) && <path className="trail-here" d={`M${here} 1v${height - 2}`} />}
      {groupMarks(placed, NEAREST).map(({ x, marks: group }) => {
        const outcome = ORDER.findLast((one) => group.some(({ mark }) => mark.outcome === one)) ?? null;
        return (
          <g key={group[0]?.mark.index} data-outcome={outcome ?? 'unknown'} data-count={group.length}>
            <Shape outcome={outcome} x={x} floor={height - 3} />
          </g>
        );
      })}
    </g>
  );
});

function Shape({
  outcome,
  x,
  floor,
}: {
  readonly outcome: UseOutcome | null;
  readonly x: number;
  readonly floor: number;
}) {
  switch (outcome) {
    case 'original':
      return <rect className="trail-fill" x={x - 2.5} y={floor - 10} width={5} height={10} rx={1} />;
    case 'elsewhere':
      return (
        <>
          <rect className="trail-fill" x={x - 2.5} y={floor - 6} width={5} height={6} rx={1} />
          <path className="trail-line" d={`M${x - 3} ${floor - 9}h2m2 0h2`} />
        </>
      );
    case 'gone':
      return <path className="trail-line trail-strong" d={`M${x - 3.5} ${floor - 8.5}l7 7m0 -7l-7 7`} />;
    case null:
      return <circle className="trail-unknown" cx={x} cy={floor - 5} r={3.4} />;
  }
}
