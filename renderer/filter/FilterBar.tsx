import { useAppState } from '../state/context.tsx';
import { lazily } from '../ui/lazily.tsx';

const FilterField = lazily(() => import('./FilterField.tsx').then((file) => file.FilterField));
const FilterStrips = lazily(() => import('./FilterStrips.tsx').then((file) => file.FilterStrips));

/** The filter of rows, while it is open; its code comes with it. */
export function FilterBar() {
  return useAppState((state) => state.filter.isOpen) ? <FilterField /> : null;
}

/** The strips under the chart, where rows are filtered or coloured. */
export function FilterLines() {
  return useAppState((state) => state.projection.info?.filter !== undefined) ? <FilterStrips /> : null;
}
