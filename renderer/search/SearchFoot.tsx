import { ToggleGroup } from 'radix-ui';
import { printed } from '../keys/keys.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';
import { formatMs } from '../ui/format.ts';
import { describeFound, describeSort } from './words.ts';

const SORTS = [
  { value: 'relevance', title: 'Relevance' },
  { value: 'time', title: 'Newest' },
] as const;

/** How much was found, in which order, and the keys. */
export function SearchFoot() {
  const { result, sort, isLoading } = useAppState((state) => state.search);
  const { setSearchSort } = useActions();
  const platform = usePlatform();
  const isFound = result !== null && result.total > 0;
  const note = isFound ? describeSort(result, sort) : null;
  return (
    <div className="search-foot">
      <span className="num" role="status" data-testid="search-total">
        {isFound ? describeFound(result) : isLoading ? 'Searching…' : ''}
      </span>
      {isFound && <span className="faint num">{formatMs(result.ms)}</span>}
      {note !== null && <span className="mute ellipsis">{note}</span>}
      <span className="grow" />
      <span className="faint nowrap search-keys">
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>F3</kbd> next hit{' '}
        <kbd>{printed('mod+f', platform)}</kbd> why is it gone?
      </span>
      <ToggleGroup.Root
        type="single"
        className="layout-switch"
        value={sort}
        onValueChange={(value) => {
          const chosen = SORTS.find((one) => one.value === value);
          if (chosen) setSearchSort(chosen.value);
        }}
        aria-label="Order"
      >
        {SORTS.map(({ value, title }) => (
          <ToggleGroup.Item key={value} value={value} className="layout-choice" data-testid={`search-sort-${value}`}>
            {title}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
    </div>
  );
}
