import { ChartNoAxesColumn, FileOutput, Library, MessageSquare, SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { isChartFull, isDrawerShown, isLibraryShown, isPolicyShown } from '../state/uiActions.ts';
import { TABS } from './features.ts';

/** In a small window: the panels, of which one at a time lies over the panes, all of the chart, and the report. */
export function SmallBar() {
  const ui = useAppState((state) => state.ui);
  const isOpen = useAppState((state) => state.session.id !== null);
  const message = useAppState(({ selection }) => (selection?.kind === 'message' ? ` #${selection.index}` : ''));
  const tab = TABS.find(({ id }) => id === ui.drawerTab);
  const { toggleLibrary, toggleDrawer, togglePolicy, toggleChart, openDialog } = useActions();
  return (
    <nav className="small-bar" aria-label="Panels" data-testid="small-bar">
      <BarButton isPressed={isLibraryShown(ui)} onClick={toggleLibrary} icon={<Library size={15} aria-hidden />}>
        Library
      </BarButton>
      {isOpen && (
        <>
          <BarButton
            isPressed={isDrawerShown(ui)}
            onClick={toggleDrawer}
            icon={<MessageSquare size={15} aria-hidden />}
          >
            {tab === undefined || tab.about === 'message' ? `Message${message}` : tab.title}
          </BarButton>
          <BarButton
            isPressed={isPolicyShown(ui)}
            onClick={togglePolicy}
            icon={<SlidersHorizontal size={15} aria-hidden />}
          >
            Policy
          </BarButton>
          <BarButton
            isPressed={isChartFull(ui)}
            onClick={toggleChart}
            icon={<ChartNoAxesColumn size={15} aria-hidden />}
          >
            Chart
          </BarButton>
          <BarButton onClick={() => openDialog({ kind: 'export' })} icon={<FileOutput size={15} aria-hidden />}>
            Bug report…
          </BarButton>
        </>
      )}
    </nav>
  );
}

interface BarButtonProps {
  /** Absent where the button opens no panel. */
  readonly isPressed?: boolean;
  readonly onClick: () => void;
  readonly icon: ReactNode;
  readonly children: ReactNode;
}

function BarButton({ isPressed, onClick, icon, children }: BarButtonProps) {
  return (
    <button type="button" className="small-bar-button" aria-pressed={isPressed} onClick={onClick}>
      {icon}
      <span className="ellipsis">{children}</span>
    </button>
  );
}
