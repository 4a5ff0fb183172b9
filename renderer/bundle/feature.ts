import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { bundleCommands } from './commands.ts';

const ExportDialog = lazily(() => import('./ExportDialog.tsx').then((file) => file.ExportDialog));
const VerifyDialog = lazily(() => import('./VerifyDialog.tsx').then((file) => file.VerifyDialog));

export const bundleFeature: Feature = {
  commands: bundleCommands,
  dialogs: { export: ExportDialog, verify: VerifyDialog },
};
