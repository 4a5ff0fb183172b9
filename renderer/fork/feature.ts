import type { Feature } from '../state/feature.ts';
import { forkCommands } from './commands.ts';
import { ForkDialog } from './ForkDialog.tsx';

export const forkFeature: Feature = { commands: forkCommands, dialogs: { fork: ForkDialog } };
