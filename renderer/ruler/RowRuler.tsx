import './ruler.css';
import { useRef } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { useHeight } from '../ui/useExtent.ts';
import { type RulerMark, rulerWords, SIDE } from './marks.ts';
import { useRulerMarks } from './useRulerMarks.ts';

/** Px of a mark, and of the slot in which changes are one. */
const MARK = 3;

/** Beside the scrollbar of the rows: changes on the left; compactions, findings and hits on the right; the trail of the selection across. A click goes there. */
export function RowRuler() {
  const element = useRef<HTMLDivElement>(null);
  const height = useHeight(element);
  const { marks, rowCount } = useRulerMarks(Math.max(1, Math.floor(height / MARK)));
  const isShown = useAppState((state) => state.projection.info !== null) && marks.length > 0;
  const { goToRow } = useActions();
  const place = (row: number) => Math.round((row / Math.max(1, rowCount)) * Math.max(0, height - MARK));
  const nearest = (y: number): RulerMark | null =>
    marks.reduce<RulerMark | null>(
      (best, mark) => (best === null || Math.abs(place(mark.row) - y) < Math.abs(place(best.row) - y) ? mark : best),
      null,
    );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: [ and ], n and the lists lead to the same rows by key
    <div
      ref={element}
      className="row-ruler"
      role="img"
      aria-label={rulerWords(marks)}
      title={isShown ? rulerWords(marks) : undefined}
      data-testid="row-ruler"
      data-marks={marks.length}
      onClick={(event) => {
        const found = nearest(event.clientY - event.currentTarget.getBoundingClientRect().top);
        if (found !== null) void goToRow(found.row);
      }}
    >
      {isShown &&
        marks.map((mark) => (
          <i
            key={`${mark.kind} ${mark.row}`}
            className={`ruler-mark ruler-${SIDE[mark.kind]}`}
            data-kind={mark.kind}
            data-fate={mark.fate}
            data-outcome={mark.outcome}
            data-row={mark.row}
            style={{ top: place(mark.row) }}
          />
        ))}
    </div>
  );
}
