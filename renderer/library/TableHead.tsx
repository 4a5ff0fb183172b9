// biome-ignore-all lint/a11y/useSemanticElements: a virtualised grid is not a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons within take the focus
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { PointerEvent } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { type Column, MIN_WIDTH } from './tableColumns.ts';

interface Props {
  readonly columns: readonly (Column & { readonly px: number })[];
  readonly onResize: (key: string, px: number) => void;
}

/** The columns' names: a click sorts, a drag at the edge makes a column wider. */
export function TableHead({ columns, onResize }: Props) {
  const { sort, descending } = useAppState((state) => state.library.view);
  const { sortBy } = useActions();
  const Arrow = descending ? ArrowDown : ArrowUp;
  const drag = (event: PointerEvent<HTMLElement>, key: string, px: number) => {
    const { currentTarget, pointerId, clientX } = event;
    currentTarget.setPointerCapture(pointerId);
    const move = (now: globalThis.PointerEvent) => onResize(key, Math.max(MIN_WIDTH, px + clientX - now.clientX));
    currentTarget.addEventListener('pointermove', move);
    currentTarget.addEventListener('lostpointercapture', () => currentTarget.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  return (
    <div className="table-head" role="row">
      {columns.map(({ key, title, px, isNumber }) => (
        <div
          key={key}
          className={`table-cell${isNumber ? ' table-number' : ''}`}
          role="columnheader"
          style={{ width: px }}
          aria-sort={sort === key ? (descending ? 'descending' : 'ascending') : 'none'}
        >
          {key !== 'title' && (
            <i className="table-grip" onPointerDown={(event) => drag(event, key, px)} aria-hidden="true" />
          )}
          <button type="button" className="table-sort ellipsis" onClick={() => sortBy(key)} data-sort={key}>
            {title}
            {sort === key && <Arrow size={11} aria-hidden />}
          </button>
        </div>
      ))}
    </div>
  );
}
