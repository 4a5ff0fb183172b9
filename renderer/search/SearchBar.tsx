import './search.css';
import { ChevronDown, ChevronUp, List, X } from 'lucide-react';
import { startFind } from '../find/startFind.ts';
import { printed } from '../keys/keys.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';
import { formatCount } from '../ui/format.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { hitText } from './useHitPresence.ts';

/** The search one is going through, above the panes: which hit this is, the next, the list, the end. */
export function SearchBar() {
  const search = useAppState((state) => state.search);
  const { stepHit, openSearch, endSearch } = useActions();
  const platform = usePlatform();
  const app = useApp();
  const { isStepping, selected, query, result, hits } = search;
  if (!isStepping || result === null) return null;
  return (
    <search className="search-bar" data-testid="search-bar">
      <button type="button" className="search-bar-query mono ellipsis" title="Show all hits" onClick={openSearch}>
        {query}
      </button>
      <span className="num mute nowrap" data-testid="search-position">
        {formatCount(selected + 1)} of {formatCount(result.total)}
        {result.exact ? '' : '+'}
      </span>
      <IconButton label="Previous hit" keys={printed('shift+f3', platform)} onClick={() => void stepHit(-1)}>
        <ChevronUp size={14} />
      </IconButton>
      <IconButton label="Next hit" keys="F3" onClick={() => void stepHit(1)}>
        <ChevronDown size={14} />
      </IconButton>
      <IconButton label="All hits" keys={printed('mod+shift+f', platform)} onClick={openSearch}>
        <List size={14} />
      </IconButton>
      <button
        type="button"
        className="link"
        data-testid="search-why"
        onClick={() => {
          const hit = hits[selected];
          startFind(app, (hit && hitText(hit)) ?? query);
        }}
      >
        Why is it gone?
      </button>
      <IconButton label="End the search" testId="search-end" onClick={endSearch}>
        <X size={14} />
      </IconButton>
    </search>
  );
}
