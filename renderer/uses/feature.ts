import type { Feature } from '../state/feature.ts';
import { trailCommands } from './commands.ts';
import { UsesStrip } from './UsesStrip.tsx';

/** What later messages relied on. */
export const usesFeature: Feature = { commands: trailCommands, strips: [{ id: 'uses', Content: UsesStrip }] };
