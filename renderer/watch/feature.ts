import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { watchCommands } from './commands.ts';
import { WatchStrips } from './WatchStrips.tsx';

const WatchpointDialog = lazily(() => import('./WatchpointDialog.tsx').then((file) => file.WatchpointDialog));

/** Texts that are watched along the session. */
export const watchFeature: Feature = {
  commands: watchCommands,
  strips: [{ id: 'watch', Content: WatchStrips }],
  dialogs: { watchpoint: WatchpointDialog },
};
