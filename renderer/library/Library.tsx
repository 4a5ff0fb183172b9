import './library.css';
import './keep.css';
import { FolderInput, Table2 } from 'lucide-react';
import { type KeyboardEvent, useMemo } from 'react';
import { printed } from '../keys/keys.ts';
import { useApp, useAppState, useHost } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { FacetButton } from './FacetButton.tsx';
import { FilterField } from './FilterField.tsx';
import { libraryLines } from './groups.ts';
import { ImportJobs } from './ImportJobs.tsx';
import { importFiles } from './importFiles.ts';
import { LibraryList } from './LibraryList.tsx';
import { LibraryNotice } from './LibraryNotice.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { SourcesButton } from './SourcesButton.tsx';
import { SurveyBar } from './SurveyBar.tsx';
import { useLibraryKeys } from './useLibraryKeys.ts';
import { useLibraryList } from './useLibraryList.ts';
import { foldOrLeave, useUnfolded } from './useUnfolded.ts';
import { ViewMenu } from './ViewMenu.tsx';

/** The transcripts at the side of what is open: the filter, the list, running imports, and the way to import more. */
export function Library() {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const openId = useAppState((state) => state.session.id);
  const group = useAppState((state) => state.library.view.group);
  const { unfolded, fold } = useUnfolded(openId);
  const list = useLibraryList();
  const lines = useMemo(() => {
    // What the filter found is shown, wherever it stands.
    const open = list.isNarrowed ? new Set(list.under.keys()) : unfolded;
    return libraryLines(list.groups, list.under, open, group !== 'none');
  }, [list, unfolded, group]);
  const shown = useMemo(() => lines.flatMap((line) => (line.kind === 'transcript' ? [line.transcript] : [])), [lines]);
  const { onKey, onClick } = useLibraryKeys(shown);

  const onKeyDown = (event: KeyboardEvent) => {
    const { library, session } = app.store.getState();
    const current = library.focused ?? session.id;
    const isField = event.target instanceof HTMLInputElement;
    // Menus and lists that stand open have their own keys, and so have buttons.
    if (event.defaultPrevented || event.target instanceof HTMLButtonElement) return;
    if (!isField && current !== null && event.key === 'ArrowRight') fold(current, false);
    else if (!isField && current !== null && event.key === 'ArrowLeft') {
      app.actions.focusLine(foldOrLeave(lines, current, fold));
    } else if (event.key === 'Enter' && current !== null) void app.actions.open(current);
    else if (event.key === 'Escape' && isField) app.actions.setFilter('');
    else if (!onKey(event)) return;
    event.preventDefault();
  };

  return (
    <nav className="library" aria-label="Library" onKeyDown={onKeyDown}>
      <FilterField />
      <div className="library-tools">
        <ViewMenu />
        <span className="grow" />
        <FacetButton counts={list.counts} />
        <IconButton
          label="Library as a table"
          keys={printed('mod+shift+l', platform)}
          onClick={app.actions.toggleWide}
          testId="library-wide"
        >
          <Table2 size={14} aria-hidden />
        </IconButton>
      </div>
      <LibraryList lines={lines} list={list} onFold={fold} onChoose={onClick}>
        <LibraryNotice isFilteredEmpty={list.shown.length === 0 && list.isNarrowed} />
      </LibraryList>
      <SelectionBar />
      <SurveyBar />
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
