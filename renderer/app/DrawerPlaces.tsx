import { Maximize2, Minimize2, PanelBottom, PanelRight } from 'lucide-react';
import { useActions, useAppState } from '../state/context.tsx';
import { IconButton } from '../ui/IconButton.tsx';

/** Where the drawer is: the other side of the panes, or over them. */
export function DrawerPlaces() {
  const side = useAppState((state) => state.ui.drawerSide);
  const isMax = useAppState((state) => state.ui.drawerMax);
  const { toggleDrawerSide, toggleDrawerMax } = useActions();
  const Side = side === 'bottom' ? PanelRight : PanelBottom;
  return (
    <>
      {!isMax && (
        <IconButton
          label={side === 'bottom' ? 'Drawer on the right' : 'Drawer at the bottom'}
          keys="Shift+E"
          testId="drawer-side"
          onClick={toggleDrawerSide}
        >
          <Side size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton
        label={isMax ? 'Restore the drawer' : 'Maximise the drawer'}
        keys="E"
        isPressed={isMax}
        testId="drawer-max"
        onClick={toggleDrawerMax}
      >
        {isMax ? <Minimize2 size={14} aria-hidden /> : <Maximize2 size={14} aria-hidden />}
      </IconButton>
    </>
  );
}
