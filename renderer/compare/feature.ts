import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { compareCommands } from './commands.ts';

const CompareMode = lazily(() => import('./CompareMode.tsx').then((file) => file.CompareMode));

export const compareFeature: Feature = {
  modes: [{ id: 'compare', also: 'a b two policies difference better versus', Content: CompareMode }],
  commands: compareCommands,
};
