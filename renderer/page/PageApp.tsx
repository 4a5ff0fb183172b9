import '../app/app.css';
import { Tooltip } from 'radix-ui';
import { Group, Panel } from 'react-resizable-panels';
import type { PageAbout } from '../../core/page/types.ts';
import { DrawerPanel } from '../app/DrawerPanel.tsx';
import { useCutTexts } from '../app/useCutTexts.ts';
import { useGlobalKeys } from '../app/useGlobalKeys.ts';
import { useRoom } from '../app/useRoom.ts';
import { useThemeAttribute } from '../app/useThemeAttribute.ts';
import { Scrubber } from '../scrubber/Scrubber.tsx';
import { useAppState } from '../state/context.tsx';
import { DetailProvider } from '../state/useDetail.tsx';
import { SafetyBanner } from '../timeline/SafetyBanner.tsx';
import { Timeline } from '../timeline/Timeline.tsx';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { IconTips } from '../ui/IconTips.tsx';
import { WatchStrips } from '../watch/WatchStrips.tsx';
import { PageDrawer } from './PageDrawer.tsx';
import { PageFoot } from './PageFoot.tsx';
import { PageHeader } from './PageHeader.tsx';
import { PageNote } from './PageNote.tsx';

/** The whole page: what it is, chart, panes, and why. */
export function PageApp({ about }: { readonly about: PageAbout }) {
  useThemeAttribute();
  useRoom({ hasOverlays: false });
  useGlobalKeys();
  useCutTexts();
  return (
    <Tooltip.Provider delayDuration={350} skipDelayDuration={200}>
      <div className="app page" data-testid="page" onContextMenuCapture={(event) => event.stopPropagation()}>
        <PageHeader about={about} />
        <div className="page-body">
          <PageNote about={about} />
          <PageBody />
        </div>
        <PageFoot about={about} />
      </div>
      <IconTips />
    </Tooltip.Provider>
  );
}

/** Chart and panes, the answers on their right; below them where there is no room. */
function PageBody() {
  const { drawerOpen, drawerSide, narrow } = useAppState((state) => state.ui);
  const isBelow = narrow || drawerSide === 'bottom';
  return (
    <DetailProvider isWanted={drawerOpen}>
      <div className="app-body">
        <Group key={String(isBelow)} orientation={isBelow ? 'vertical' : 'horizontal'} className="app-columns">
          <Panel id="main" minSize={isBelow ? 200 : 320}>
            <main className="workspace" aria-label="Transcript">
              <h2 className="visually-hidden">Timeline</h2>
              <FailureBoundary what="The transcript">
                <Scrubber />
                <WatchStrips isReadOnly />
                <SafetyBanner />
                <Timeline />
              </FailureBoundary>
            </main>
          </Panel>
          {drawerOpen && (
            <DrawerPanel isBelow={isBelow}>
              <PageDrawer />
            </DrawerPanel>
          )}
        </Group>
      </div>
    </DetailProvider>
  );
}
