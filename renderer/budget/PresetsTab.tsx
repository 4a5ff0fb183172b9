import './presets.css';
import { ArrowDown, ArrowUp, CircleAlert, LoaderCircle } from 'lucide-react';
import { useMemo, useState } from 'react';
import { sameStages } from '../../core/projection/policyName.ts';
import { AfterSwitch } from '../policy/AfterSwitch.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { moveFocus } from '../ui/moveFocus.ts';
import { PresetTableRow } from './PresetTableRow.tsx';
import { type PresetSort, presetRows, sortRows } from './presetRows.ts';
import { usePresetFigures } from './usePresetFigures.ts';
import { isSaved, useTablePolicies } from './useTablePolicies.ts';

interface Column {
  readonly sort: PresetSort;
  readonly title: string;
  readonly isNumber: boolean;
  readonly help?: string;
}

const COLUMNS: readonly Column[] = [
  { sort: 'title', title: 'Policy', isNumber: false },
  { sort: 'tokens', title: 'Tokens now', isNumber: true, help: 'The whole request at this call point' },
  { sort: 'room', title: 'Of the window', isNumber: false },
  { sort: 'peak', title: 'Peak', isNumber: true, help: 'The largest request of all call points' },
  {
    sort: 'cost',
    title: 'Input cost',
    isNumber: true,
    help: 'What the input of all requests of the session costs, cache included',
  },
  {
    sort: 'breaks',
    title: 'Cache breaks',
    isNumber: true,
    help: 'Requests whose beginning a stage changed, the next one included',
  },
  {
    sort: 'thinking',
    title: 'Thinking kept',
    isNumber: false,
    help: 'What becomes of signed thinking in this request, on models that check what it is bound to',
  },
  { sort: 'firstOver', title: 'First call over', isNumber: false },
  { sort: 'change', title: 'Against raw', isNumber: true, help: 'The messages, against the raw history' },
];

/** Which of these fits this session, and at what price? All policies side by side; a click applies one. */
export function PresetsTab() {
  const policies = useTablePolicies();
  const { figures, isLoading, error } = usePresetFigures({ sums: true, policies });
  const spec = useAppState((state) => state.projection.spec);
  const raw = useAppState((state) => state.projection.info?.raw.total ?? 0);
  const { setPolicy } = useActions();
  const [order, setOrder] = useState<Order>(GIVEN);
  const rows = useMemo(() => {
    const ownGroup = (name: string) => (isSaved(name) ? 'Saved by you' : '');
    return sortRows(presetRows(figures ?? [], raw, ownGroup), order.sort, order.descending);
  }, [figures, raw, order]);
  if (error) return <p className="drawer-note drawer-error">Not computed: {error.message}</p>;
  if (figures === null) return <DrawerNote>{isLoading ? 'Computing…' : 'Nothing is open.'}</DrawerNote>;
  const specs = new Map(figures.map(({ figure }) => [figure.name, figure]));
  const isCurrent = (name: string) => {
    const own = specs.get(name);
    return own !== undefined && own.tokens !== null && sameStages(own.spec, spec);
  };
  const stop = Math.max(
    0,
    rows.findIndex(({ name }) => isCurrent(name)),
  );
  const choose = (name: string) => {
    const chosen = specs.get(name);
    if (chosen?.tokens) setPolicy(isSaved(name) ? { ...chosen.spec, name: chosen.title } : chosen.spec);
  };
  return (
    <div className="presets-tab" data-testid="presets-tab" aria-busy={isLoading}>
      <AfterSwitch />
      <table>
        <TableHead order={order} isLoading={isLoading} onSort={(sort) => setOrder((old) => nextOrder(old, sort))} />
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

interface Order {
  readonly sort: PresetSort;
  readonly descending: boolean;
}

const GIVEN: Order = { sort: 'given', descending: false };

/** Ascending, descending, as given. */
function nextOrder(old: Order, sort: PresetSort): Order {
  if (old.sort !== sort) return { sort, descending: false };
  return old.descending ? GIVEN : { sort, descending: true };
}

interface HeadProps {
  readonly order: Order;
  readonly isLoading: boolean;
  readonly onSort: (sort: PresetSort) => void;
}

function TableHead({ order, isLoading, onSort }: HeadProps) {
  return (
    <thead>
      <tr>
        {COLUMNS.map(({ sort, title, isNumber, help }) => (
          <th
            key={sort}
            scope="col"
            className={isNumber ? 'presets-number' : undefined}
            aria-sort={order.sort === sort ? (order.descending ? 'descending' : 'ascending') : 'none'}
          >
            <button type="button" title={help} onClick={() => onSort(sort)} data-sort={sort}>
              {title}
              {isLoading && sort === 'title' && <LoaderCircle size={11} className="spin" aria-hidden />}
              {order.sort === sort && <Arrow isDown={order.descending} />}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Arrow({ isDown }: { readonly isDown: boolean }) {
  return isDown ? <ArrowDown size={11} aria-hidden /> : <ArrowUp size={11} aria-hidden />;
}

const moveRows = moveFocus('.presets-apply');
