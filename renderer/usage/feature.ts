import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const UsageTab = lazily(() => import('./UsageTab.tsx').then((file) => file.UsageTab));

export const usageFeature: Feature = {
  tabs: [{ id: 'usage', title: 'Usage', key: 'alt+9', about: 'transcript', Content: UsageTab }],
};
