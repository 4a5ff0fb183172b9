import './library.css';
import { FolderInput } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { usePlatform } from '../app/useGlobalKeys.ts';
import { printed } from '../keys/keys.ts';
import { useApp, useAppState, useHost } from '../state/context.tsx';
import { filterTranscripts, groupTranscripts, neighbour } from './groups.ts';
import { ImportJobs } from './ImportJobs.tsx';
import { importFiles } from './importFiles.ts';
import { LibraryList } from './LibraryList.tsx';
import { LibraryNotice } from './LibraryNotice.tsx';
import { useRemove } from './useRemove.ts';

/** All transcripts by project, the filter, running imports, and the way to import more. */
export function Library() {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const library = useAppState((state) => state.library);
  const openId = useAppState((state) => state.session.id);
  const [focused, setFocused] = useState<string | null>(null);
  const { hidden, remove } = useRemove();
  const groups = useMemo(() => {
    const here = (library.transcripts ?? []).filter((one) => !hidden.has(one.id));
    return groupTranscripts(filterTranscripts(here, library.filter));
  }, [library, hidden]);
  const current = focused ?? openId;

  const onKeyDown = (event: KeyboardEvent) => {
    const delta = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isField = event.target instanceof HTMLInputElement;
    if (delta !== undefined) setFocused(neighbour(groups, current, delta)?.id ?? null);
    else if (event.key === 'Enter' && current !== null) void app.actions.open(current);
    else if (event.key === 'Delete' && !isField && current !== null) {
      const next = neighbour(groups, current, 1)?.id ?? null;
      remove(current);
      setFocused(next);
    } else if (event.key === 'Escape' && isField) app.actions.setFilter('');
    else return;
    event.preventDefault();
  };

  return (
    <nav className="library" aria-label="Library" onKeyDown={onKeyDown}>
      <div className="library-filter">
        <input
          id="library-filter"
          type="search"
          placeholder="Filter transcripts"
          aria-label="Filter transcripts"
          aria-controls="library-list"
          value={library.filter}
          onChange={(event) => app.actions.setFilter(event.target.value)}
        />
        <kbd>/</kbd>
      </div>
      <LibraryList groups={groups} openId={openId} focused={focused} onFocus={setFocused} onRemove={remove}>
        <LibraryNotice isFilteredEmpty={groups.length === 0 && (library.transcripts?.length ?? 0) > hidden.size} />
      </LibraryList>
      <ImportJobs />
      <button
        type="button"
        className="library-import"
        onClick={() => void importFiles({ app, host })}
        data-testid="import-button"
      >
        <FolderInput size={14} />
        <span className="grow">Import transcripts…</span>
        <kbd>{printed('mod+o', platform)}</kbd>
      </button>
    </nav>
  );
}
