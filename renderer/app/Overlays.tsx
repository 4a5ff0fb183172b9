import { SelectionAction } from '../find/SelectionAction.tsx';
import { DropOverlay } from '../library/DropOverlay.tsx';
import { TourCard } from '../tours/TourCard.tsx';
import { Dialogs } from './Dialogs.tsx';
import { Toasts } from './Toasts.tsx';

/** Everything that lies above the window. */
export function Overlays() {
  return (
    <>
      <Dialogs />
      <SelectionAction />
      <DropOverlay />
      <TourCard />
      <Toasts />
    </>
  );
}
