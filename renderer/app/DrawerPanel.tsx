import type { ReactNode } from 'react';
import { Panel, Separator } from 'react-resizable-panels';
import { useActions, useAppState } from '../state/context.tsx';

/** The drawer in its group, below the transcript or on its right; its size is remembered for each. */
export function DrawerPanel({ isBelow, children }: { readonly isBelow: boolean; readonly children: ReactNode }) {
  const size = isBelow ? 'drawer' : 'drawerRight';
  const pixels = useAppState((state) => state.ui.sizes[size]);
  const { setSize } = useActions();
  return (
    <>
      <Separator className="splitter" title={isBelow ? 'Height of the drawer' : 'Width of the drawer'} />
      <Panel
        id={size}
        defaultSize={pixels}
        minSize={isBelow ? 120 : 280}
        groupResizeBehavior="preserve-pixel-size"
        onResize={({ inPixels }) => setSize(size, inPixels)}
      >
        {children}
      </Panel>
    </>
  );
}
