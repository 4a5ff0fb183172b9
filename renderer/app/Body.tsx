import { Group, Panel, Separator } from 'react-resizable-panels';
import { Drawer } from '../drawer/Drawer.tsx';
import { Library } from '../library/Library.tsx';
import { PolicyPanel } from '../policy/PolicyPanel.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { Workspace } from './Workspace.tsx';

/** Library | scrubber, panes and drawer | policy. The three sides collapse; their sizes are kept in px. */
export function Body() {
  const ui = useAppState((state) => state.ui);
  const isOpen = useAppState((state) => state.session.id !== null);
  const { setSize } = useActions();
  return (
    <div className="app-body">
      <Group orientation="horizontal" className="app-columns">
        {ui.libraryOpen && (
          <>
            <Panel
              id="library"
              defaultSize={ui.sizes.library}
              minSize={160}
              maxSize={480}
              groupResizeBehavior="preserve-pixel-size"
              onResize={(size) => setSize('library', size.inPixels)}
            >
              <Library />
            </Panel>
            <Separator className="splitter" aria-label="Width of the library" />
          </>
        )}
        <Panel id="main" minSize={320}>
          <Group orientation="vertical">
            <Panel id="workspace" minSize={200}>
              <Workspace />
            </Panel>
            {ui.drawerOpen && isOpen && (
              <>
                <Separator className="splitter" aria-label="Height of the drawer" />
                <Panel
                  id="drawer"
                  defaultSize={ui.sizes.drawer}
                  minSize={120}
                  groupResizeBehavior="preserve-pixel-size"
                  onResize={(size) => setSize('drawer', size.inPixels)}
                >
                  <Drawer />
                </Panel>
              </>
            )}
          </Group>
        </Panel>
        {ui.policyOpen && isOpen && !ui.narrow && (
          <>
            <Separator className="splitter" aria-label="Width of the policy panel" />
            <Panel
              id="policy"
              defaultSize={ui.sizes.policy}
              minSize={260}
              maxSize={560}
              groupResizeBehavior="preserve-pixel-size"
              onResize={(size) => setSize('policy', size.inPixels)}
            >
              <PolicyPanel />
            </Panel>
          </>
        )}
      </Group>
      {ui.policyOpen && isOpen && ui.narrow && (
        <div className="policy-overlay">
          <PolicyPanel />
        </div>
      )}
    </div>
  );
}
