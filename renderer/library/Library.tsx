import './library.css';
import { FolderInput } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { usePlatform } from '../app/useGlobalKeys.ts';
import { printed } from '../keys/keys.ts';
import { useApp, useAppState, useHost } from '../state/context.tsx';
import { filterTranscripts, groupTranscripts, neighbour, projectName } from './groups.ts';
import { ImportJobs } from './ImportJobs.tsx';
import { importFiles } from './importFiles.ts';
import { LibraryItem } from './LibraryItem.tsx';
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
  const list = useRef<HTMLDivElement>(null);
  const { hidden, remove } = useRemove();
  const groups = useMemo(() => {
    const here = (library.transcripts ?? []).filter((one) => !hidden.has(one.id));
    return groupTranscripts(filterTranscripts(here, library.filter));
  }, [library, hidden]);
  const current = focused ?? openId;

  const focus = (id: string | null) => {
    setFocused(id);
    document.getElementById(`transcript-${id}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const delta = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isField = event.target instanceof HTMLInputElement;
    if (delta !== undefined) focus(neighbour(groups, current, delta)?.id ?? null);
    else if (event.key === 'Enter' && current !== null) void app.actions.open(current);
    else if (event.key === 'Delete' && !isField && current !== null) {
      const next = neighbour(groups, current, 1)?.id ?? null;
      remove(current);
      focus(next);
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
      <div
        ref={list}
        id="library-list"
        className="library-list"
        role="listbox"
        tabIndex={0}
        aria-label="Transcripts"
        aria-activedescendant={current === null ? undefined : `transcript-${current}`}
      >
        <LibraryNotice isFilteredEmpty={groups.length === 0 && (library.transcripts?.length ?? 0) > hidden.size} />
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div key={group.name} role="group" aria-label={group.name}>
            <h2 className="library-group ellipsis" title={group.name}>
              {projectName(group.name)}
            </h2>
            {group.transcripts.map((one) => (
              <LibraryItem
                key={one.id}
                transcript={one}
                isOpen={one.id === openId}
                isFocused={one.id === focused}
                onOpen={() => {
                  setFocused(null);
                  void app.actions.open(one.id);
                }}
                onRemove={() => remove(one.id)}
              />
            ))}
          </div>
        ))}
      </div>
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
