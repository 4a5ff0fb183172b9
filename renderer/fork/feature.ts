import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { forkCommands } from './commands.ts';

const ForkDialog = lazily(() => import('./ForkDialog.tsx').then((file) => file.ForkDialog));

export const forkFeature: Feature = { commands: forkCommands, dialogs: { fork: ForkDialog } };
