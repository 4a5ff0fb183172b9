import { useEffect, useRef } from 'react';
import { Group, Panel } from 'react-resizable-panels';
import { useAppState } from '../state/context.tsx';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';
import { Drawer } from './Drawer.tsx';
import { DrawerPanel } from './DrawerPanel.tsx';
import { Workspace } from './Workspace.tsx';

/** The transcript with the drawer below it, on its right, or over it. */
export function MainArea({ hasDrawer }: { readonly hasDrawer: boolean }) {
  const side = useAppState((state) => state.ui.drawerSide);
  const isMax = useAppState(({ ui }) => ui.drawerMax || ui.small) && hasDrawer;
  const isOpen = useAppState((state) => state.session.id !== null);
  // The bar and its strip leave room for some rows.
  const isFinding = useAppState((state) => state.find.isOpen);
  const isBelow = side === 'bottom';
  useFocusKept(side);
  return (
    <div className="main-area">
      <div className="main-area" inert={isMax}>
        <Group key={side} orientation={isBelow ? 'vertical' : 'horizontal'}>
          <Panel id="workspace" minSize={isBelow ? (isFinding ? 280 : 200) : 300}>
            <FailureBoundary what="The transcript" shown={isOpen}>
              <Workspace />
            </FailureBoundary>
          </Panel>
          {hasDrawer && !isMax && (
            <DrawerPanel isBelow={isBelow}>
              <Drawer />
            </DrawerPanel>
          )}
        </Group>
      </div>
      {isMax && <DrawerOver />}
    </div>
  );
}

/** At the other side everything is drawn again: the focus that goes with it is the list's. */
function useFocusKept(side: 'bottom' | 'right'): void {
  const drawn = useRef(side);
  useEffect(() => {
    if (drawn.current === side) return;
    drawn.current = side;
    if (document.activeElement === document.body) document.getElementById(TIMELINE_ID)?.focus({ preventScroll: true });
  }, [side]);
}

/** The drawer over the panes: it takes the focus and gives it back to where it was, in the drawer as in the panes. */
function DrawerOver() {
  useEffect(() => {
    const before = document.activeElement;
    focusDrawer();
    return () => {
      if (before instanceof HTMLElement && before.id === TIMELINE_ID) before.focus({ preventScroll: true });
      else focusDrawer();
    };
  }, []);
  return (
    <main className="drawer-over" aria-label="Details of the transcript">
      <Drawer />
    </main>
  );
}

function focusDrawer(): void {
  const places = document.querySelectorAll<HTMLElement>('.drawer [role="tab"][aria-selected="true"], .drawer-menu');
  // Where there is no room for tabs, their menu.
  [...places].find((place) => place.checkVisibility())?.focus();
}
