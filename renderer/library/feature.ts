import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { libraryCommands } from './commands.ts';
import { ImportProblems } from './ImportProblems.tsx';

const TagsDialog = lazily(() => import('./TagsDialog.tsx').then((file) => file.TagsDialog));
const RenameDialog = lazily(() => import('./RenameDialog.tsx').then((file) => file.RenameDialog));
const StorageDialog = lazily(() => import('./StorageDialog.tsx').then((file) => file.StorageDialog));

export const libraryFeature: Feature = {
  commands: libraryCommands,
  dialogs: { importProblems: ImportProblems, tags: TagsDialog, rename: RenameDialog, storage: StorageDialog },
};
