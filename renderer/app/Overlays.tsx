import { SelectionAction } from '../find/SelectionAction.tsx';
import { DropOverlay } from '../library/DropOverlay.tsx';
import { ImportProblems } from '../library/ImportProblems.tsx';
import { Palette } from '../palette/Palette.tsx';
import { SearchDialog } from '../search/SearchDialog.tsx';
import { TourCard } from '../tours/TourCard.tsx';
import { Dialogs } from './Dialogs.tsx';
import { KeyMap } from './KeyMap.tsx';
import { Toasts } from './Toasts.tsx';

/** Everything that lies above the window. */
export function Overlays() {
  return (
    <>
      <Palette />
      <SearchDialog />
      <KeyMap />
      <ImportProblems />
      <Dialogs />
      <SelectionAction />
      <DropOverlay />
      <TourCard />
      <Toasts />
    </>
  );
}
