import './app.css';
import { Tooltip } from 'radix-ui';
import { Header } from '../header/Header.tsx';
import { StatusLine } from '../status/StatusLine.tsx';
import { useThemeAttribute } from '../theme/useThemeAttribute.ts';
import { Body } from './Body.tsx';
import { Overlays } from './Overlays.tsx';
import { useGlobalKeys } from './useGlobalKeys.ts';
import { useNarrow } from './useNarrow.ts';

/** The whole window. */
export function App() {
  useThemeAttribute();
  useNarrow();
  useGlobalKeys();
  return (
    <Tooltip.Provider delayDuration={350} skipDelayDuration={200}>
      <div className="app" data-testid="app">
        <Header />
        <Body />
        <StatusLine />
        <Overlays />
      </div>
    </Tooltip.Provider>
  );
}
