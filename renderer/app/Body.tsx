import { type ReactNode, useEffect, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Library } from '../library/Library.tsx';
import { useActions, useAppState, useStateNow } from '../state/context.tsx';
import { isDrawerShown, isLibraryShown, isPolicyShown } from '../state/uiActions.ts';
import { DetailProvider } from '../state/useDetail.tsx';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { lazily } from '../ui/lazily.tsx';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';
import { MainArea } from './MainArea.tsx';
import { PolicyPanel } from './PolicyPanel.tsx';
import { usePassedPointer } from './usePassedPointer.ts';

const LibraryTable = lazily(() => import('../library/LibraryTable.tsx').then((file) => file.LibraryTable));

interface OverlayProps {
  readonly className: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A panel over the panes: it takes the focus and gives it back; Escape or a click beside it closes it. */
function PanelOverlay({ className, onClose, children }: OverlayProps) {
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
      <div className="policy-scrim" onPointerDown={onClose} aria-hidden="true" />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape from anywhere within */}
      <div
        ref={overlay}
        className={className}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) onClose();
        }}
      >
        {children}
      </div>
    </>
  );
}

/** The library over the panes, until a transcript is chosen. */
function LibraryOverlay() {
  const { toggleLibrary } = useActions();
  const id = useStateNow((state) => state.session.id);
  const first = useRef(id);
  useEffect(() => {
    if (id !== first.current) toggleLibrary();
  }, [id, toggleLibrary]);
  return (
    <PanelOverlay className="library-overlay" onClose={toggleLibrary}>
      <LibraryPanel />
    </PanelOverlay>
  );
}

function LibraryPanel() {
  return (
    <FailureBoundary what="The library">
      <Library />
    </FailureBoundary>
  );
}

/** Library | scrubber, panes and drawer | policy. The three sides collapse; their sizes are kept in px. */
export function Body() {
  const ui = useAppState((state) => state.ui);
  const isOpen = useAppState((state) => state.session.id !== null);
  const { setSize, togglePolicy } = useActions();
  usePassedPointer();
  const hasDrawer = isDrawerShown(ui) && isOpen;
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
          {isLibraryShown(ui) && !ui.small && (
            <>
              <Panel
                id="library"
                defaultSize={ui.sizes.library}
                minSize={160}
                maxSize={480}
                groupResizeBehavior="preserve-pixel-size"
                onResize={(size) => setSize('library', size.inPixels)}
              >
                <LibraryPanel />
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
        {isLibraryShown(ui) && ui.small && <LibraryOverlay />}
        {isPolicyShown(ui) && isOpen && ui.narrow && (
          <PanelOverlay className="policy-overlay" onClose={togglePolicy}>
            <PolicyPanel />
          </PanelOverlay>
        )}
      </div>
    </DetailProvider>
  );
}
