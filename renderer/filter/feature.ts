import type { Feature } from '../state/feature.ts';
import { filterCommands } from './commands.ts';
import { FilterLines } from './FilterBar.tsx';

export const filterFeature: Feature = { commands: filterCommands, strips: [{ id: 'filter', Content: FilterLines }] };
