import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { CacheStrip } from './CacheStrip.tsx';

const PricesDialog = lazily(() => import('./PricesDialog.tsx').then((file) => file.PricesDialog));

export const cacheFeature: Feature = {
  dialogs: { prices: PricesDialog },
  strips: [{ id: 'cache', Content: CacheStrip }],
};
