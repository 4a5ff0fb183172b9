import type { Feature } from '../state/feature.ts';
import { PricesDialog } from './PricesDialog.tsx';

export const cacheFeature: Feature = { dialogs: { prices: PricesDialog } };
