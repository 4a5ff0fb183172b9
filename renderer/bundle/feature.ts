import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { bundleCommands } from './commands.ts';

const ReviewDialog = lazily(() => import('../review/ReviewDialog.tsx').then((file) => file.ReviewDialog));
const VerifyDialog = lazily(() => import('./VerifyDialog.tsx').then((file) => file.VerifyDialog));

export const bundleFeature: Feature = {
  commands: bundleCommands,
  dialogs: { export: ReviewDialog, verify: VerifyDialog },
};
