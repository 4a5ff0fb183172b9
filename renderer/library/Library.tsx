import './library.css';
import { FolderInput } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { usePlatform } from '../app/useGlobalKeys.ts';
import { printed } from '../keys/keys.ts';
import { useApp, useAppState, useHost } from '../state/context.tsx';
import { filterTranscripts, groupTranscripts, libraryLines, neighbour } from './groups.ts';
import { ImportJobs } from './ImportJobs.tsx';
import { importFiles } from './importFiles.ts';
import { kinOf } from './kin.ts';
import { LibraryList } from './LibraryList.tsx';
import { LibraryNotice } from './LibraryNotice.tsx';
import { SourcesButton } from './SourcesButton.tsx';
import { useRemove } from './useRemove.ts';
import { foldOrLeave, useUnfolded } from './useUnfolded.ts';

/** All transcripts by project, the filter, running imports, and the way to import more. */
export function Library() {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const library = useAppState((state) => state.library);
  const openId = useAppState((state) => state.session.id);
  const [focused, setFocused] = useState<string | null>(null);
  const { hidden, remove } = useRemove();
  const { unfolded, fold } = useUnfolded(openId);
  const lines = useMemo(() => {
    const here = (library.transcripts ?? []).filter((one) => !hidden.has(one.id));
    const { sessions, under } = kinOf(filterTranscripts(here, library.filter));
    // What the filter found is shown, wherever it stands.
    const open = library.filter === '' ? unfolded : new Set(under.keys());
    return libraryLines(groupTranscripts(sessions), under, open);
  }, [library, hidden, unfolded]);
  const current = focused ?? openId;

  const onKeyDown = (event: KeyboardEvent) => {
    const delta = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isField = event.target instanceof HTMLInputElement;
    if (delta !== undefined) setFocused(neighbour(lines, current, delta)?.id ?? null);
    else if (!isField && current !== null && event.key === 'ArrowRight') fold(current, false);
    else if (!isField && current !== null && event.key === 'ArrowLeft') setFocused(foldOrLeave(lines, current, fold));
    else if (event.key === 'Enter' && current !== null) void app.actions.open(current);
    else if (event.key === 'Delete' && !isField && current !== null) {
      const next = neighbour(lines, current, 1)?.id ?? null;
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
      <LibraryList lines={lines} openId={openId} focused={focused} onFocus={setFocused} onRemove={remove} onFold={fold}>
        <LibraryNotice isFilteredEmpty={lines.length === 0 && (library.transcripts?.length ?? 0) > hidden.size} />
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
      <SourcesButton />
    </nav>
  );
}
