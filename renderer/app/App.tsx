import './app.css';
import './small.css';
import { Tooltip } from 'radix-ui';
import { Header } from '../header/Header.tsx';
import { useTitle } from '../moving/useTitle.ts';
import { useAppState } from '../state/context.tsx';
import { StatusLine } from '../status/StatusLine.tsx';
import { IconTips } from '../ui/IconTips.tsx';
import { Body } from './Body.tsx';
import { LostLine } from './LostLine.tsx';
import { Overlays } from './Overlays.tsx';
import { SmallBar } from './SmallBar.tsx';
import { useCutTexts } from './useCutTexts.ts';
import { useFailures } from './useFailures.ts';
import { useGlobalKeys } from './useGlobalKeys.ts';
import { useRoom } from './useRoom.ts';
import { useThemeAttribute } from './useThemeAttribute.ts';

/** The whole window. */
export function App() {
  useThemeAttribute();
  useTitle();
  useRoom({ hasOverlays: true });
  useGlobalKeys();
  useCutTexts();
  useFailures();
  const isSmall = useAppState((state) => state.ui.small);
  // How much of the chart there is room for.
  const chart = useAppState(({ ui }) => (ui.low && !ui.chartFull ? 'part' : 'full'));
  const isLost = useAppState((state) => state.disconnected !== null);
  return (
    <Tooltip.Provider delayDuration={350} skipDelayDuration={200}>
      <div className="app" data-testid="app" data-small={isSmall} data-chart={chart} inert={isLost}>
        <Header />
        <Body />
        {isSmall && <SmallBar />}
        <StatusLine />
        <Overlays />
      </div>
      <LostLine />
      <IconTips />
    </Tooltip.Provider>
  );
}
