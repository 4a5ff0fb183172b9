import { Download, Tag, Trash2, X } from 'lucide-react';
import { useActions, useAppState } from '../state/context.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { useExportMany } from './useExportMany.ts';

/** What can be done with the chosen transcripts; nothing is shown while none is chosen. */
export function SelectionBar() {
  const selected = useAppState((state) => state.library.selected);
  const { openDialog, remove, select } = useActions();
  const { exportAll, isBusy } = useExportMany();
  if (selected.size === 0) return null;
  const ids = [...selected];
  return (
    <div className="selection-bar" role="toolbar" aria-label="Selected transcripts" data-testid="selection-bar">
      <span className="grow ellipsis num">{selected.size.toLocaleString('en')} chosen</span>
      <IconButton label="Tags…" keys="T" onClick={() => openDialog({ kind: 'tags', ids })} testId="selection-tag">
        <Tag size={14} aria-hidden />
      </IconButton>
      <IconButton
        label={isBusy ? 'Exporting…' : 'Export a bundle of each'}
        onClick={() => !isBusy && void exportAll(ids)}
        testId="selection-export"
      >
        <Download size={14} aria-hidden />
      </IconButton>
      <IconButton label="Remove" keys="Del" onClick={() => void remove(ids)} testId="selection-remove">
        <Trash2 size={14} aria-hidden />
      </IconButton>
      <IconButton label="Clear selection" keys="Esc" onClick={() => select(new Set())}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
