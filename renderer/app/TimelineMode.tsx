import { use } from 'react';
import { BundleBanner } from '../bundle/BundleBanner.tsx';
import { FilterBar } from '../filter/FilterBar.tsx';
import { FindBar } from '../find/FindBar.tsx';
import { CallPointMenu } from '../moving/CallPointMenu.tsx';
import { Scrubber } from '../scrubber/Scrubber.tsx';
import { SearchBar } from '../search/SearchBar.tsx';
import { SafetyBanner } from '../timeline/SafetyBanner.tsx';
import { Timeline } from '../timeline/Timeline.tsx';
import { lazily } from '../ui/lazily.tsx';
import { StripContext } from './stripContext.ts';

const TryingBanner = lazily(() => import('../keep/TryingBanner.tsx').then((file) => file.TryingBanner));

/** The mode that everything begins with: scrubber and strips, banners, and the panes. */
export function TimelineMode() {
  const strips = use(StripContext);
  return (
    <>
      <CallPointMenu>
        <Scrubber />
        {strips.map(({ id, Content }) => (
          <Content key={id} />
        ))}
      </CallPointMenu>
      <FindBar />
      <FilterBar />
      <SearchBar />
      <BundleBanner />
      <SafetyBanner />
      <TryingBanner />
      <Timeline />
    </>
  );
}
