import type { Feature } from '../state/feature.ts';
import { UsesStrip } from './UsesStrip.tsx';

/** What later messages relied on. */
export const usesFeature: Feature = { strips: [{ id: 'uses', Content: UsesStrip }] };
