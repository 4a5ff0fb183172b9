import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { findCommands } from './commands.ts';
import { FindStrip } from './FindStrip.tsx';
import { startFind } from './startFind.ts';

const FindTab = lazily(() => import('./FindTab.tsx').then((file) => file.FindTab));

export const findFeature: Feature = {
  commands: findCommands,
  strips: [{ id: 'find', Content: FindStrip }],
  tabs: [
    // There one types, in the find bar. The other tabs follow the selection, which keeps the focus.
    { id: 'find', title: 'Find', key: 'alt+5', about: 'transcript', Content: FindTab, open: (app) => startFind(app) },
  ],
};
