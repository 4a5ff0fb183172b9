import type { Feature } from '../state/feature.ts';
import { libraryCommands } from './commands.ts';
import { RenameDialog } from './RenameDialog.tsx';
import { StorageDialog } from './StorageDialog.tsx';
import { TagsDialog } from './TagsDialog.tsx';

export const libraryFeature: Feature = {
  commands: libraryCommands,
  dialogs: { tags: TagsDialog, rename: RenameDialog, storage: StorageDialog },
};
