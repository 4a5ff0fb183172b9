import type { Feature } from '../state/feature.ts';
import { followCommands } from './commands.ts';
import { SourcesDialog } from './SourcesDialog.tsx';

export const followFeature: Feature = { commands: followCommands, dialogs: { sources: SourcesDialog } };
