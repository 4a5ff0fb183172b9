import type { Feature } from '../state/feature.ts';
import { searchCommands } from './commands.ts';
import { SearchDialog } from './SearchDialog.tsx';

export const searchFeature: Feature = { commands: searchCommands, dialogs: { search: SearchDialog } };
