import { BundleBanner } from '../bundle/BundleBanner.tsx';
import { CacheStrip } from '../cache/CacheStrip.tsx';
import { FilterBar, FilterLines } from '../filter/FilterBar.tsx';
import { FindBar } from '../find/FindBar.tsx';
import { FindStrip } from '../find/FindStrip.tsx';
import { CallPointMenu } from '../moving/CallPointMenu.tsx';
import { Scrubber } from '../scrubber/Scrubber.tsx';
import { SearchBar } from '../search/SearchBar.tsx';
import { SafetyBanner } from '../timeline/SafetyBanner.tsx';
import { Timeline } from '../timeline/Timeline.tsx';
import { UsesStrip } from '../uses/UsesStrip.tsx';

/** The mode that everything begins with: scrubber and strips, banners, and the panes. */
export function TimelineMode() {
  return (
    <>
      <CallPointMenu>
        <Scrubber />
        <CacheStrip />
        <UsesStrip />
        <FilterLines />
        <FindStrip />
      </CallPointMenu>
      <FindBar />
      <FilterBar />
      <SearchBar />
      <BundleBanner />
      <SafetyBanner />
      <Timeline />
    </>
  );
}
