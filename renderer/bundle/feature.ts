import type { Feature } from '../state/feature.ts';
import { bundleCommands } from './commands.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { VerifyDialog } from './VerifyDialog.tsx';

export const bundleFeature: Feature = {
  commands: bundleCommands,
  dialogs: { export: ExportDialog, verify: VerifyDialog },
};
