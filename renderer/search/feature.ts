import type { Feature } from '../state/feature.ts';
import { searchCommands } from './commands.ts';

export const searchFeature: Feature = { commands: searchCommands };
