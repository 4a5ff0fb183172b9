import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { searchCommands } from './commands.ts';

const SearchDialog = lazily(() => import('./SearchDialog.tsx').then((file) => file.SearchDialog));

export const searchFeature: Feature = { commands: searchCommands, dialogs: { search: SearchDialog } };
