import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { watchCommands } from './commands.ts';
import { WatchLine } from './WatchLine.tsx';

const WatchpointDialog = lazily(() => import('./WatchpointDialog.tsx').then((file) => file.WatchpointDialog));

/** Texts that are watched along the session. */
export const watchFeature: Feature = {
  commands: watchCommands,
  strips: [{ id: 'watch', Content: WatchLine }],
  dialogs: { watchpoint: WatchpointDialog },
};
