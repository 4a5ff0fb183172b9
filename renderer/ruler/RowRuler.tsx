import './ruler.css';
import { memo, useRef } from 'react';
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
  const { marks, rowCount, isStale } = useRulerMarks(Math.max(1, Math.floor(height / MARK)));
  const isKnown = useAppState((state) => state.projection.info !== null);
  const shown = isKnown && !isStale ? marks : NONE;
  const { goToRow } = useActions();
  const scale = Math.max(0, height - MARK) / Math.max(1, rowCount);
  const nearest = (y: number): RulerMark | null =>
    shown.reduce<RulerMark | null>(
      (best, mark) => (best === null || Math.abs(mark.row * scale - y) < Math.abs(best.row * scale - y) ? mark : best),
      null,
    );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: [ and ], n and the lists lead to the same rows by key
    <div
      ref={element}
      className="row-ruler"
      role="img"
      aria-label={rulerWords(shown)}
      title={shown.length > 0 ? rulerWords(shown) : undefined}
      data-testid="row-ruler"
      data-marks={shown.length}
      onClick={(event) => {
        const found = nearest(event.clientY - event.currentTarget.getBoundingClientRect().top);
        if (found !== null) void goToRow(found.row);
      }}
    >
      {/* Out of sight, not away: under a slider most of them are where they were. */}
      <div className="ruler-marks" data-stale={shown.length === 0}>
        <Marks marks={marks} scale={scale} />
      </div>
    </div>
  );
}

const NONE: readonly RulerMark[] = [];

const Marks = memo(function Marks({ marks, scale }: { readonly marks: readonly RulerMark[]; readonly scale: number }) {
  return marks.map((mark) => (
    <i
      key={`${mark.kind} ${mark.row}`}
      className={`ruler-mark ruler-${SIDE[mark.kind]}`}
      data-kind={mark.kind}
      data-fate={mark.fate}
      data-outcome={mark.outcome}
      data-row={mark.row}
      style={{ top: Math.round(mark.row * scale) }}
    />
  ));
});
