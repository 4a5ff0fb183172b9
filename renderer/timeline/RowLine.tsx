import { ChevronRight } from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import type { Row } from '../../core/protocol/types.ts';
import { RowColors } from '../filter/RowColors.tsx';
import { useActions } from '../state/context.tsx';
import type { Layout } from '../state/types.ts';
import { lazily } from '../ui/lazily.tsx';
import { RowCell } from './RowCell.tsx';
import { isSameOnBothSides, rowLabel } from './rowText.ts';

const RowDetail = lazily(() => import('./RowDetail.tsx').then((file) => file.RowDetail), DetailSoon);

/** An opened row until what draws it is loaded: never empty. */
function DetailSoon({ layout }: { readonly layout: Layout }) {
  const sides = layout === 'side' ? ['raw', 'projected'] : [layout];
  return (
    <div className="row-detail" role="presentation">
      {sides.map((side) => (
        // biome-ignore lint/a11y/useSemanticElements: a cell of a virtualised grid is not a table cell
        // biome-ignore lint/a11y/useFocusableInteractive: the grid keeps the focus
        <div key={side} className="detail-pane mute" role="gridcell">
          Reading…
        </div>
      ))}
    </div>
  );
}

interface Props {
  readonly row: Row;
  readonly number: number;
  readonly top: number;
  readonly layout: Layout;
  readonly isSelected: boolean;
  readonly isCursor: boolean;
  readonly isCallPoint: boolean;
  readonly isOpen: boolean;
  /** What is the same on both sides is shown once. */
  readonly isOnce: boolean;
  /** The request on screen was made, and is not what a policy would send. */
  readonly isSent: boolean;
}

/** One line of both panes; opened, its full content below the line. The only kind of row there is. */
export const RowLine = memo(function RowLine(props: Props) {
  const { row, number, top, layout, isSelected, isCursor, isCallPoint, isOpen, isSent } = props;
  const isWide = layout === 'side' && props.isOnce && isSameOnBothSides(row);
  const { selectRow, toggleOpen, unfold } = useActions();
  const isFold = row.kind === 'fold';
  const choose = () => (isFold ? unfold(row.index, row.to ?? row.index) : selectRow(row));
  const open = (event: MouseEvent) => {
    event.stopPropagation();
    if (isFold) choose();
    else toggleOpen(row);
  };
  const chevron = (
    <button
      type="button"
      className="row-chevron"
      tabIndex={-1}
      aria-label={isFold ? 'Unfold' : isOpen ? 'Close' : 'Open'}
      onClick={open}
    >
      <ChevronRight size={12} aria-hidden />
    </button>
  );
  const classes = [
    'row',
    isSelected && 'row-selected',
    isCursor && 'row-cursor',
    isCallPoint && 'row-call-point',
    isOpen && 'row-open',
    row.fate === 'future' && 'row-future',
    row.injected && 'row-injected',
    row.unfit && 'row-unfit',
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of a virtualised grid is not a table row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its active row
    // biome-ignore lint/a11y/useFocusableInteractive: the grid keeps the focus and points at its active row
    <div
      id={`row-${row.key}`}
      className={classes.filter(Boolean).join(' ')}
      role="row"
      aria-level={1}
      aria-rowindex={number + 2}
      aria-selected={isSelected}
      aria-expanded={isFold ? false : isOpen}
      aria-label={rowLabel(row, isSent)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={choose}
      onDoubleClick={open}
      data-testid="row"
      data-index={row.index}
      data-part={row.part}
      data-fate={row.fate}
      data-kind={row.kind}
      data-colors={row.colors?.join(' ')}
    >
      {row.colors && <RowColors numbers={row.colors} />}
      <div className="row-line" role="presentation">
        {layout !== 'model' && (
          <RowCell row={row} side="raw" isOnly={layout === 'raw'} isWide={isWide} lead={chevron} />
        )}
        {layout !== 'raw' && !isWide && (
          <RowCell row={row} side="projected" isOnly={layout === 'model'} lead={layout === 'model' && chevron} />
        )}
      </div>
      {isOpen && <RowDetail row={row} layout={isWide ? 'raw' : layout} isWide={isWide} />}
    </div>
  );
});
