import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const FindingsTab = lazily(() => import('./FindingsTab.tsx').then((file) => file.FindingsTab));

export const findingsFeature: Feature = {
  tabs: [{ id: 'findings', title: 'Findings', key: 'shift+i', about: 'transcript', Content: FindingsTab }],
};
