import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { wireCommands } from './commands.ts';

const WireDialog = lazily(() => import('./WireDialog.tsx').then((file) => file.WireDialog));

export const wireFeature: Feature = { commands: wireCommands, dialogs: { wire: WireDialog } };
