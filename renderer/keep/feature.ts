import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const KeepTab = lazily(() => import('./KeepTab.tsx').then((file) => file.KeepTab));
const TriedStrips = lazily(() => import('./TriedStrips.tsx').then((file) => file.TriedStrips));

export const keepFeature: Feature = {
  tabs: [{ id: 'keep', title: 'Keep', key: 'shift+k', about: 'message', Content: KeepTab }],
  strips: [{ id: 'tried', Content: TriedStrips }],
};
