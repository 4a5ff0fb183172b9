import type { Feature } from '../state/feature.ts';
import { moveCommands } from './commands.ts';

export const movingFeature: Feature = { commands: moveCommands };
