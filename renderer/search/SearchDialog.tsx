import './search.css';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { startFind } from '../find/startFind.ts';
import { useActions, useApp } from '../state/context.tsx';
import type { DialogProps } from '../state/dialog.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { useFocusReturnOr } from '../ui/useFocusReturn.ts';
import { SearchField } from './SearchField.tsx';
import { SearchFoot } from './SearchFoot.tsx';
import { SearchNotice } from './SearchNotice.tsx';
import { SearchResults } from './SearchResults.tsx';
import { hitText } from './useHitPresence.ts';

/** Search over the text of all transcripts: query, hits by transcript, and the way to each of them. */
export function SearchDialog({ onClose }: DialogProps<'search'>) {
  const { openHit } = useActions();
  const app = useApp();
  const { focus, toTimeline } = useFocusReturnOr();
  const open = (number: number) => {
    toTimeline();
    onClose();
    void openHit(number);
  };
  const why = async (number: number) => {
    const { hits, query } = app.store.getState().search;
    const hit = hits[number];
    if (hit === undefined) return;
    toTimeline();
    onClose();
    await openHit(number);
    startFind(app, hitText(hit) ?? query);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-ground" />
        <Dialog.Content className="search" aria-describedby={undefined} data-testid="search" {...focus}>
          <Dialog.Title className="visually-hidden">Search all transcripts</Dialog.Title>
          <div className="search-top">
            <SearchField onOpen={open} onWhy={(number) => void why(number)} />
            <IconButton label="Close" keys="Esc" onClick={onClose}>
              <X size={15} />
            </IconButton>
          </div>
          <SearchNotice />
          <SearchResults onOpen={open} />
          <SearchFoot />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
