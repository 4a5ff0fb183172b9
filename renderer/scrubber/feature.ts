import type { Feature } from '../state/feature.ts';
import { chartCommands } from './commands.ts';

/** The chart of a session's requests. */
export const scrubberFeature: Feature = { commands: chartCommands };
