import { useEffect, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Library } from '../library/Library.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { isPolicyShown } from '../state/uiActions.ts';
import { DetailProvider } from '../state/useDetail.tsx';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { lazily } from '../ui/lazily.tsx';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';
import { MainArea } from './MainArea.tsx';
import { PolicyPanel } from './PolicyPanel.tsx';

const LibraryTable = lazily(() => import('../library/LibraryTable.tsx').then((file) => file.LibraryTable));

/** The panel over the panes: it takes the focus and gives it back; Escape or a click beside it closes it. */
function PolicyOverlay() {
  const { togglePolicy } = useActions();
  const overlay = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    overlay.current?.focus();
    return () => {
      // Where a click beside it set the focus, there it stays.
      if (document.activeElement !== document.body) return;
      const back = before instanceof HTMLElement && before.isConnected ? before : document.getElementById(TIMELINE_ID);
      back?.focus();
    };
  }, []);
  return (
    <>
      <div className="policy-scrim" onPointerDown={togglePolicy} aria-hidden="true" />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape from anywhere within */}
      <div
        ref={overlay}
        className="policy-overlay"
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) togglePolicy();
        }}
      >
        <PolicyPanel />
      </div>
    </>
  );
}

/** Library | scrubber, panes and drawer | policy. The three sides collapse; their sizes are kept in px. */
export function Body() {
  const ui = useAppState((state) => state.ui);
  const isOpen = useAppState((state) => state.session.id !== null);
  const { setSize } = useActions();
  const hasDrawer = ui.drawerOpen && isOpen && ui.mode === 'timeline';
  if (ui.libraryWide) {
    return (
      <div className="app-body">
        <LibraryTable />
      </div>
    );
  }
  return (
    <DetailProvider isWanted={hasDrawer}>
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
                <FailureBoundary what="The library">
                  <Library />
                </FailureBoundary>
              </Panel>
              <Separator className="splitter" title="Width of the library" />
            </>
          )}
          <Panel id="main" minSize={320}>
            <MainArea hasDrawer={hasDrawer} />
          </Panel>
          {isPolicyShown(ui) && isOpen && !ui.narrow && (
            <>
              <Separator className="splitter" title="Width of the policy panel" />
              <Panel
                id="policy"
                defaultSize={ui.sizes.policy}
                minSize={260}
                maxSize={560}
                groupResizeBehavior="preserve-pixel-size"
                onResize={(size) => setSize('policy', size.inPixels)}
              >
                <FailureBoundary what="The policy panel">
                  <PolicyPanel />
                </FailureBoundary>
              </Panel>
            </>
          )}
        </Group>
        {isPolicyShown(ui) && isOpen && ui.narrow && <PolicyOverlay />}
      </div>
    </DetailProvider>
  );
}
