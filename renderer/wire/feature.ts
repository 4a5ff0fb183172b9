import type { Feature } from '../state/feature.ts';
import { wireCommands } from './commands.ts';
import { WireDialog } from './WireDialog.tsx';

export const wireFeature: Feature = { commands: wireCommands, dialogs: { wire: WireDialog } };
