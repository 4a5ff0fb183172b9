import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { requestCommands } from './commands.ts';

const RequestTab = lazily(() => import('./RequestTab.tsx').then((file) => file.RequestTab));

export const requestFeature: Feature = {
  commands: requestCommands,
  tabs: [{ id: 'request', title: 'Request', key: 'r', about: 'request', Content: RequestTab }],
};
