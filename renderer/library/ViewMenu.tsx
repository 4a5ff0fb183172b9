import { ArrowDownWideNarrow, ArrowUpNarrowWide, Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { GROUP_KEYS, SORT_KEYS } from '../../core/library/query.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { SORT_WORDS } from './tableColumns.ts';
import { GROUP_WORDS } from './words.ts';

/** In what order and in what groups the list stands. */
export function ViewMenu() {
  const { sort, descending, group } = useAppState((state) => state.library.view);
  const { setView, sortBy } = useActions();
  const Icon = descending ? ArrowDownWideNarrow : ArrowUpNarrowWide;
  const inGroups = group === 'none' ? '' : `, by ${GROUP_WORDS[group].toLowerCase()}`;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          className="library-view ellipsis"
          title={`Sorted by ${SORT_WORDS[sort].toLowerCase()}, ${descending ? 'largest or latest' : 'smallest or earliest'} first${inGroups}`}
          data-testid="view-menu"
        >
          <Icon size={13} aria-hidden />
          <span className="ellipsis">{SORT_WORDS[sort]}</span>
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.Label className="menu-label">Sort</DropdownMenu.Label>
          {SORT_KEYS.map((key) => (
            <DropdownMenu.Item
              key={key}
              className="menu-item"
              data-sort={key}
              onSelect={(event) => {
                event.preventDefault();
                sortBy(key);
              }}
            >
              <span className="grow">{SORT_WORDS[key]}</span>
              {key === sort && <Icon size={13} aria-label={descending ? 'descending' : 'ascending'} />}
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Label className="menu-label">Group by</DropdownMenu.Label>
          {GROUP_KEYS.map((key) => (
            <DropdownMenu.Item
              key={key}
              className="menu-item"
              data-group={key}
              onSelect={(event) => {
                event.preventDefault();
                setView({ group: key });
              }}
            >
              <span className="grow">{GROUP_WORDS[key]}</span>
              {key === group && <Check size={13} aria-label="chosen" />}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
