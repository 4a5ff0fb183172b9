import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const CompactionsMode = lazily(() => import('./CompactionsMode.tsx').then((file) => file.CompactionsMode));

export const compactionsFeature: Feature = {
  modes: [{ id: 'compactions', also: 'autopsy summary lost survived dropped after', Content: CompactionsMode }],
};
