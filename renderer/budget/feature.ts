import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const PresetsTab = lazily(() => import('./PresetsTab.tsx').then((file) => file.PresetsTab));

export const budgetFeature: Feature = {
  tabs: [{ id: 'presets', title: 'Presets', key: 'alt+p', about: 'transcript', Content: PresetsTab }],
};
