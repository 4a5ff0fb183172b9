import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { followCommands } from './commands.ts';

const SourcesDialog = lazily(() => import('./SourcesDialog.tsx').then((file) => file.SourcesDialog));

export const followFeature: Feature = { commands: followCommands, dialogs: { sources: SourcesDialog } };
