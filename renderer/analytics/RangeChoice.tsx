import { useActions, useAppState } from '../state/context.tsx';
import { Segmented } from '../ui/Segmented.tsx';

const RANGES = [
  { value: '7d', title: '7 days' },
  { value: '30d', title: '30 days' },
  { value: '90d', title: '90 days' },
  { value: 'all', title: 'All' },
] as const;

/** How far back: writes `after:` into the filter, which says the same everywhere. */
export function RangeChoice() {
  const filter = useAppState((state) => state.library.filter);
  const { setFilter } = useActions();
  const given = /(?:^|\s)after:(\S+)/.exec(filter)?.[1] ?? 'all';
  const rest = filter.replace(/(?:^|\s)after:\S+/g, ' ').trim();
  return (
    <Segmented
      label="How far back"
      value={given}
      options={RANGES}
      onChange={(value) => setFilter(value === 'all' ? rest : [rest, `after:${value}`].filter(Boolean).join(' '))}
    />
  );
}
