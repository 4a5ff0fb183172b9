import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import type { SweepInfo, SweptPoint } from '../../core/protocol/tuneTypes.ts';
import { formatCount } from '../ui/format.ts';
import { moveFocus } from '../ui/moveFocus.ts';
import { PointIcon } from './PointSign.tsx';
import { columnsOf, type PointColumn, sortPoints } from './pointColumns.ts';
import { BROKEN_TITLE, markOf, pointTitle } from './words.ts';

interface Props {
  readonly info: SweepInfo;
  readonly chosen: SweptPoint | null;
  readonly onChoose: (point: SweptPoint) => void;
  readonly onApply: (point: SweptPoint) => void;
}

/** Points drawn at most; the others are in the chart and in what is exported. */
const MOST = 300;

/** All points, the frontier first; a click on a heading sorts by it. */
export function PointTable({ info, chosen, onChoose, onApply }: Props) {
  const columns = useMemo(() => columnsOf(info), [info]);
  const [sort, setSort] = useState<{ readonly id: string; readonly descending: boolean } | null>(null);
  const points = useMemo(() => sortPoints(info.points, columns, sort), [info.points, columns, sort]);
  const move = moveFocus('tr.tune-row');
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    move(event);
    if (event.key === 'Enter' && chosen !== null && event.target instanceof HTMLTableRowElement) onApply(chosen);
  };
  const by = (id: string) =>
    setSort((old) => (old?.id !== id ? { id, descending: false } : old.descending ? null : { id, descending: true }));
  const stop = chosen === null ? points[0] : chosen;
  return (
    <div className="tune-table" data-testid="tune-table">
      <table>
        <thead>
          <tr>
            <th aria-label="Mark" />
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onSort={by} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {points.slice(0, MOST).map((point) => (
            <Row
              key={JSON.stringify(point.values)}
              info={info}
              point={point}
              columns={columns}
              isChosen={point === chosen}
              isStop={point === stop}
              onChoose={onChoose}
              onApply={onApply}
            />
          ))}
        </tbody>
      </table>
      {points.length > MOST && (
        <p className="tune-note faint">
          {formatCount(points.length - MOST)} more are in the chart and in what is exported.
        </p>
      )}
    </div>
  );
}

interface HeadingProps {
  readonly column: PointColumn;
  readonly sort: { readonly id: string; readonly descending: boolean } | null;
  readonly onSort: (id: string) => void;
}

function Heading({ column: { id, title, help }, sort, onSort }: HeadingProps) {
  const isSorted = sort?.id === id;
  return (
    <th data-heading={id} aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" title={help} onClick={() => onSort(id)}>
        {title}
        {isSorted && (sort.descending ? <ArrowDown size={11} aria-hidden /> : <ArrowUp size={11} aria-hidden />)}
      </button>
    </th>
  );
}

interface RowProps {
  readonly info: SweepInfo;
  readonly point: SweptPoint;
  readonly columns: readonly PointColumn[];
  readonly isChosen: boolean;
  readonly isStop: boolean;
  readonly onChoose: (point: SweptPoint) => void;
  readonly onApply: (point: SweptPoint) => void;
}

function Row({ info, point, columns, isChosen, isStop, onChoose, onApply }: RowProps) {
  const broken = point.breaks.map((each) => BROKEN_TITLE[each]).join(', ');
  return (
    <tr
      className={`tune-row tune-row-${markOf(point)}`}
      aria-selected={isChosen}
      aria-label={pointTitle(info, point)}
      tabIndex={isStop ? 0 : -1}
      data-values={point.values.join(' ')}
      title={broken === '' ? undefined : `Breaks a condition: ${broken}`}
      onFocus={() => onChoose(point)}
      onClick={() => onChoose(point)}
      onDoubleClick={() => onApply(point)}
    >
      <td>
        <PointIcon mark={markOf(point)} />
      </td>
      {columns.map((column) => (
        <td key={column.id} className="num" data-column={column.id}>
          {column.text(point)}
        </td>
      ))}
    </tr>
  );
}
