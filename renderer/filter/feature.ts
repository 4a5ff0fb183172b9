import type { Feature } from '../state/feature.ts';
import { filterCommands } from './commands.ts';

export const filterFeature: Feature = { commands: filterCommands };
