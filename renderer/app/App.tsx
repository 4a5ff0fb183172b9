import './app.css';
import { Tooltip } from 'radix-ui';
import { Header } from '../header/Header.tsx';
import { useTitle } from '../moving/useTitle.ts';
import { useAppState } from '../state/context.tsx';
import { StatusLine } from '../status/StatusLine.tsx';
import { Body } from './Body.tsx';
import { LostLine } from './LostLine.tsx';
import { Overlays } from './Overlays.tsx';
import { useCutTexts } from './useCutTexts.ts';
import { useFailures } from './useFailures.ts';
import { useGlobalKeys } from './useGlobalKeys.ts';
import { useNarrow } from './useNarrow.ts';
import { useThemeAttribute } from './useThemeAttribute.ts';

/** The whole window. */
export function App() {
  useThemeAttribute();
  useTitle();
  useNarrow();
  useGlobalKeys();
  useCutTexts();
  useFailures();
  const isLost = useAppState((state) => state.disconnected !== null);
  return (
    <Tooltip.Provider delayDuration={350} skipDelayDuration={200}>
      <div className="app" data-testid="app" inert={isLost}>
        <Header />
        <Body />
        <StatusLine />
        <Overlays />
      </div>
      <LostLine />
    </Tooltip.Provider>
  );
}
