import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { trailCommands } from './commands.ts';

const UsesStrip = lazily(() => import('./UsesStrip.tsx').then((file) => file.UsesStrip));

/** What later messages relied on. */
export const usesFeature: Feature = { commands: trailCommands, strips: [{ id: 'uses', Content: UsesStrip }] };
