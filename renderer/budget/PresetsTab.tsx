import './presets.css';
import { ArrowDown, ArrowUp, CircleAlert, LoaderCircle } from 'lucide-react';
import { useMemo, useState } from 'react';
import { sameStages } from '../../core/projection/policyName.ts';
import { DrawerNote } from '../drawer/DrawerNote.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { moveFocus } from '../ui/moveFocus.ts';
import { PresetTableRow } from './PresetTableRow.tsx';
import { type PresetSort, presetRows, sortRows } from './presetRows.ts';
import { usePresetFigures } from './usePresetFigures.ts';

const COLUMNS: readonly { readonly sort: PresetSort; readonly title: string; readonly isNumber: boolean }[] = [
  { sort: 'title', title: 'Preset', isNumber: false },
  { sort: 'tokens', title: 'Tokens', isNumber: true },
  { sort: 'room', title: 'Of the window', isNumber: false },
  { sort: 'change', title: 'Against raw', isNumber: true },
  { sort: 'firstOver', title: 'First call over', isNumber: false },
];

/** Which of these fits this session at this turn? All presets side by side; a click applies one. */
export function PresetsTab() {
  const { figures, isLoading, error } = usePresetFigures({ firstOver: true });
  const spec = useAppState((state) => state.projection.spec);
  const raw = useAppState((state) => state.projection.info?.raw.total ?? 0);
  const { setPolicy } = useActions();
  const [order, setOrder] = useState<{ readonly sort: PresetSort; readonly descending: boolean }>(GIVEN);
  const rows = useMemo(
    () => sortRows(presetRows(figures ?? [], raw), order.sort, order.descending),
    [figures, raw, order],
  );
  if (error) return <p className="drawer-note drawer-error">Not computed: {error.message}</p>;
  if (figures === null) return <DrawerNote>{isLoading ? 'Computing…' : 'Nothing is open.'}</DrawerNote>;
  const specOf = (name: string) => figures.find((one) => one.name === name)?.spec;
  const isCurrent = (name: string) => {
    const own = specOf(name);
    return own !== undefined && sameStages(own, spec);
  };
  const stop = Math.max(
    0,
    rows.findIndex(({ name }) => isCurrent(name)),
  );
  const choose = (name: string) => {
    const chosen = specOf(name);
    if (chosen) setPolicy(chosen);
  };
  const sortBy = (sort: PresetSort) =>
    setOrder((old) =>
      old.sort !== sort ? { sort, descending: false } : old.descending ? GIVEN : { sort, descending: true },
    );
  return (
    <div className="presets-tab" data-testid="presets-tab" aria-busy={isLoading}>
      <table>
        <thead>
          <tr>
            {COLUMNS.map(({ sort, title, isNumber }) => (
              <th
                key={sort}
                scope="col"
                className={isNumber ? 'presets-number' : undefined}
                aria-sort={order.sort === sort ? (order.descending ? 'descending' : 'ascending') : 'none'}
              >
                <button type="button" onClick={() => sortBy(sort)} data-sort={sort}>
                  {title}
                  {isLoading && sort === 'title' && <LoaderCircle size={11} className="spin" aria-hidden />}
                  {order.sort === sort && <Arrow isDown={order.descending} />}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveRows}>
          {rows.map((row, position) => (
            <PresetTableRow
              key={row.name}
              row={row}
              isCurrent={isCurrent(row.name)}
              isStop={position === stop}
              onChoose={() => choose(row.name)}
            />
          ))}
        </tbody>
      </table>
      {isLoading && (
        <p className="visually-hidden" role="status">
          computing
        </p>
      )}
      {rows.length === 0 && (
        <p className="drawer-note">
          <CircleAlert size={14} aria-hidden /> There are no presets.
        </p>
      )}
    </div>
  );
}

const GIVEN = { sort: 'given', descending: false } as const;

function Arrow({ isDown }: { readonly isDown: boolean }) {
  return isDown ? <ArrowDown size={11} aria-hidden /> : <ArrowUp size={11} aria-hidden />;
}

const moveRows = moveFocus('.presets-apply');
