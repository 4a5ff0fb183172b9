import type { ReactNode } from 'react';
import { SelectionAction } from '../find/SelectionAction.tsx';
import { DropOverlay } from '../library/DropOverlay.tsx';
import { ImportProblems } from '../library/ImportProblems.tsx';
import { Palette } from '../palette/Palette.tsx';
import { SearchDialog } from '../search/SearchDialog.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { TourCard } from '../tours/TourCard.tsx';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Dialogs } from './Dialogs.tsx';
import { KeyMap } from './KeyMap.tsx';
import { Toasts } from './Toasts.tsx';

/** Everything that lies above the window. */
export function Overlays() {
  return (
    <>
      <Contained what="The palette">
        <Palette />
      </Contained>
      <Contained what="The search">
        <SearchDialog />
      </Contained>
      <Contained what="The list of keys">
        <KeyMap />
      </Contained>
      <Contained what="The import report">
        <ImportProblems />
      </Contained>
      <Dialogs />
      <SelectionAction />
      <DropOverlay />
      <TourCard />
      <Toasts />
    </>
  );
}

/** Keeps the failure of an overlay from the window: it says so in a dialog, and closed, it can be opened again. */
function Contained({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const { openDialog } = useActions();
  const dialog = useAppState((state) => state.ui.dialog);
  return (
    <FailureBoundary
      what={what}
      shown={dialog}
      around={(box) => (
        <Modal title="Something went wrong" onClose={() => openDialog(null)}>
          {box}
        </Modal>
      )}
    >
      {children}
    </FailureBoundary>
  );
}
