import { BundleBanner } from '../bundle/BundleBanner.tsx';
import { CacheStrip } from '../cache/CacheStrip.tsx';
import { FindBar } from '../find/FindBar.tsx';
import { FindStrip } from '../find/FindStrip.tsx';
import { Scrubber } from '../scrubber/Scrubber.tsx';
import { SearchBar } from '../search/SearchBar.tsx';
import { useAppState } from '../state/context.tsx';
import { SafetyBanner } from '../timeline/SafetyBanner.tsx';
import { Timeline } from '../timeline/Timeline.tsx';
import { UsesStrip } from '../uses/UsesStrip.tsx';
import { Welcome } from '../welcome/Welcome.tsx';

/** Scrubber, banner and panes of the open transcript; what can be done if none is open. */
export function Workspace() {
  const isOpen = useAppState((state) => state.session.id !== null);
  if (!isOpen) return <Welcome />;
  return (
    <main className="workspace" aria-label="Transcript">
      <Scrubber />
      <CacheStrip />
      <UsesStrip />
      <FindStrip />
      <FindBar />
      <SearchBar />
      <BundleBanner />
      <SafetyBanner />
      <Timeline />
    </main>
  );
}
