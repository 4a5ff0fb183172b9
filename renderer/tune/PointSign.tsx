import { MARK_TITLE, type PointMark } from './words.ts';

interface Props {
  readonly mark: PointMark;
  readonly x: number;
  readonly y: number;
  readonly isChosen?: boolean;
}

const R = 4;

/** The mark of a point: the same in chart, table and legend. */
export function PointSign({ mark, x, y, isChosen = false }: Props) {
  return (
    <g className={`tune-sign tune-${mark}`} transform={`translate(${x} ${y})`}>
      {isChosen && <circle r={R + 4} className="tune-chosen" />}
      {mark === 'over' ? <path d={`M${-R} ${-R}L${R} ${R}M${R} ${-R}L${-R} ${R}`} /> : <circle r={R} />}
      {mark === 'breaks' && <path d={`M${-R - 2} ${R + 2}L${R + 2} ${-R - 2}`} />}
    </g>
  );
}

/** The mark by itself, with its word for whoever does not see it. */
export function PointIcon({ mark }: { readonly mark: PointMark }) {
  return (
    <svg className="tune-icon" width={16} height={16} role="img" aria-label={MARK_TITLE[mark]}>
      <PointSign mark={mark} x={8} y={8} />
    </svg>
  );
}
