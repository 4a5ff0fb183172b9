import type { Feature } from '../state/feature.ts';
import { UsageTab } from './UsageTab.tsx';

export const usageFeature: Feature = {
  tabs: [{ id: 'usage', title: 'Usage', key: 'alt+9', about: 'transcript', Content: UsageTab }],
};
