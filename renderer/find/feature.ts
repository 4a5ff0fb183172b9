import type { Feature } from '../state/feature.ts';
import { findCommands } from './commands.ts';
import { FindTab } from './FindTab.tsx';
import { startFind } from './startFind.ts';

export const findFeature: Feature = {
  commands: findCommands,
  tabs: [
    // There one types, in the find bar. The other tabs follow the selection, which keeps the focus.
    { id: 'find', title: 'Find', key: 'alt+5', about: 'transcript', Content: FindTab, open: (app) => startFind(app) },
  ],
};
