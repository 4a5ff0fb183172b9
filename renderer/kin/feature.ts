import type { Feature } from '../state/feature.ts';
import { kinCommands } from './commands.ts';

export const kinFeature: Feature = { commands: kinCommands };
