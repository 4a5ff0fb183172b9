import './filter.css';
import { useAppState } from '../state/context.tsx';
import { colorsInUse } from '../state/filterActions.ts';
import { filterColor } from './colors.ts';

/** At the edge of a row: the named colours whose filters it fits. */
export function RowColors({ numbers }: { readonly numbers: readonly number[] }) {
  const filter = useAppState((state) => state.filter);
  const used = colorsInUse({ filter });
  const own = numbers.flatMap((number) => used[number] ?? []);
  if (own.length === 0) return null;
  const names = own.map(({ name }) => name).join(', ');
  return (
    <span className="row-colors" title={names} data-testid="row-colors" data-names={names}>
      {own.map(({ name, color }) => (
        <i key={name} style={{ background: filterColor(color) }} aria-hidden />
      ))}
      <span className="visually-hidden">{names}</span>
    </span>
  );
}
