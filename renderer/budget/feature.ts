import type { Feature } from '../state/feature.ts';
import { PresetsTab } from './PresetsTab.tsx';

export const budgetFeature: Feature = {
  tabs: [{ id: 'presets', title: 'Presets', key: 'alt+p', about: 'transcript', Content: PresetsTab }],
};
