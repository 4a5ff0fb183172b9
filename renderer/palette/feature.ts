import type { Feature } from '../state/feature.ts';
import { Palette } from './Palette.tsx';

export const paletteFeature: Feature = { dialogs: { palette: Palette } };
