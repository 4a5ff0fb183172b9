import type { Feature } from '../state/feature.ts';
import { tourCommands } from './commands.ts';

export const toursFeature: Feature = { commands: tourCommands };
