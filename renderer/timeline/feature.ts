import type { Feature } from '../state/feature.ts';
import { foldCommands } from './commands.ts';

export const timelineFeature: Feature = { commands: foldCommands };
