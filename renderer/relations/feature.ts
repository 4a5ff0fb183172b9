import type { Feature } from '../state/feature.ts';
import { relationsCommands } from './commands.ts';

export const relationsFeature: Feature = { commands: relationsCommands };
