import { ChartColumn, FolderInput, HardDrive, X } from 'lucide-react';
import { useApp, useAppState, useHost } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { FacetButton } from './FacetButton.tsx';
import { FilterField } from './FilterField.tsx';
import { importFiles } from './importFiles.ts';
import type { LibraryList } from './useLibraryList.ts';
import { ViewMenu } from './ViewMenu.tsx';

/** Above the table: filter, facets, order, how many are shown, and the way back. */
export function TableTools({ list }: { readonly list: LibraryList }) {
  const app = useApp();
  const host = useHost();
  const total = useAppState((state) => state.library.transcripts?.length ?? 0);
  const count = list.shown.length;
  const words =
    count === total ? plural(total, 'transcript') : `${count.toLocaleString('en')} of ${plural(total, 'transcript')}`;
  return (
    <div className="table-tools">
      <FilterField />
      <FacetButton counts={list.counts} />
      <ViewMenu />
      <span className="grow ellipsis mute num" data-testid="library-count">
        {words}
      </span>
      <IconButton label="Import transcripts…" onClick={() => void importFiles({ app, host })}>
        <FolderInput size={14} aria-hidden />
      </IconButton>
      <IconButton
        label="Library analytics…"
        onClick={() => app.actions.openDialog({ kind: 'analytics' })}
        testId="analytics-button"
      >
        <ChartColumn size={14} aria-hidden />
      </IconButton>
      <IconButton label="Storage…" onClick={() => app.actions.openDialog({ kind: 'storage' })} testId="storage-button">
        <HardDrive size={14} aria-hidden />
      </IconButton>
      <IconButton label="Close the table" keys="Esc" onClick={app.actions.toggleWide} testId="table-close">
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
