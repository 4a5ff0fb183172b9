import '../drawer/drawer.css';
import '../drawer/why.css';
import { X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { Facts } from '../drawer/Facts.tsx';
import { FateSentence } from '../drawer/FateSentence.tsx';
import { NoDetail } from '../drawer/NoDetail.tsx';
import { RenderedTab } from '../drawer/RenderedTab.tsx';
import { SelectionTitle } from '../drawer/SelectionTitle.tsx';
import { StageWords } from '../drawer/StageWords.tsx';
import { SyntheticWhy } from '../drawer/SyntheticWhy.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { useDetail } from '../state/useDetail.tsx';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';

/** What became of the selected message and why, and the message as people read it. */
export function PageDrawer() {
  const about = useAppState(({ selection }) => selection);
  const tab = useAppState((state) => state.ui.drawerTab);
  const { showDrawer, toggleDrawer } = useActions();
  return (
    <section
      className="drawer"
      aria-label="Details"
      data-testid="drawer"
      onKeyDown={(event) => {
        if (event.key === 'Escape') document.getElementById(TIMELINE_ID)?.focus();
      }}
    >
      <h2 className="visually-hidden">Details</h2>
      <Tabs.Root
        className="drawer-tabs-root"
        value={tab === 'rendered' ? 'rendered' : 'why'}
        onValueChange={(next) => showDrawer(next === 'rendered' ? 'rendered' : 'why')}
      >
        <div className="drawer-head">
          <Tabs.List className="drawer-tabs" aria-label="Details">
            <Tabs.Trigger value="why" className="drawer-tab" data-testid="drawer-tab" data-tab="why">
              Why
            </Tabs.Trigger>
            <Tabs.Trigger value="rendered" className="drawer-tab" data-testid="drawer-tab" data-tab="rendered">
              Rendered
            </Tabs.Trigger>
          </Tabs.List>
          <SelectionTitle />
          <IconButton label="Close the drawer" onClick={toggleDrawer}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
        <Tabs.Content value="why" className="drawer-content" tabIndex={-1}>
          <FailureBoundary shown={about} what="This tab">
            <PageWhy />
          </FailureBoundary>
        </Tabs.Content>
        <Tabs.Content value="rendered" className="drawer-content" tabIndex={-1}>
          <FailureBoundary shown={about} what="This tab">
            <RenderedTab />
          </FailureBoundary>
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}

/** Which stage decided about the selected message, by which rule and why. */
function PageWhy() {
  const { detail, synthetic } = useDetail();
  if (synthetic) return <SyntheticWhy synthetic={synthetic} />;
  if (!detail) return <NoDetail empty="Select a message to see what became of it, and why." />;
  return (
    <div className="why" data-testid="why">
      <div className="why-main">
        <FateSentence detail={detail} />
        <StageWords index={detail.index} />
      </div>
      <Facts detail={detail} />
    </div>
  );
}
