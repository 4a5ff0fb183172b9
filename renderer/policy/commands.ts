// The panel's and the drawer's commands.

import { startFind } from '../find/startFind.ts';
import { elsewhereOf } from '../state/choices.ts';
import type { Command } from '../state/command.ts';
import { DRAWER_TABS } from '../state/tabs.ts';
import { setSummaryTarget } from '../summary/summaryTarget.ts';
import { setCustomTarget } from './customTarget.ts';

const tabs: readonly Command[] = DRAWER_TABS.map(({ id, title, key }) => ({
  id: `drawer.${id}`,
  title: `Drawer: ${title}`,
  group: 'View',
  keys: [key],
  isEnabled: (state) => state.session.id !== null,
  run({ app }) {
    // There one types, in the find bar. The other tabs follow the selection, which keeps the focus.
    if (id === 'find') startFind(app);
    else app.actions.showDrawer(id);
  },
}));

export const policyCommands: readonly Command[] = [
  ...tabs,
  {
    id: 'summary.write',
    title: 'Write a summary…',
    group: 'Policy',
    also: 'compaction placeholder',
    isEnabled: (state) => state.session.id !== null,
    run({ app }) {
      const wanting = app.store.getState().projection.info?.reports.find(({ needsSummary }) => needsSummary);
      setSummaryTarget(wanting?.needsSummary ?? null);
      app.actions.openDialog('summary');
    },
  },
  {
    id: 'policy.useHere',
    title: 'Use the last transcript’s policy and window here too',
    group: 'Policy',
    also: 'copy apply same tokenizer',
    isEnabled: (state) => elsewhereOf(state) !== null,
    run: ({ app }) => app.actions.takeOver(),
  },
  {
    id: 'policy.afterRecorded',
    title: 'Presets: on the raw history, or after recorded compaction',
    group: 'Policy',
    also: 'switch compacted',
    isEnabled: (state) => (state.session.info?.compactions ?? 0) > 0,
    run: ({ app }) => app.actions.setAfterRecorded(!app.store.getState().ui.afterRecorded),
  },
  {
    id: 'window.model',
    title: 'Window and tokenizer of the model',
    group: 'Policy',
    also: 'reset own yours',
    isEnabled: ({ projection }) => projection.window !== null || projection.tokenizer !== null,
    run: ({ app }) => app.actions.goByModel(),
  },
  {
    id: 'prices',
    title: 'Prices of tokens…',
    group: 'Policy',
    also: 'cache cost dollars table',
    run: ({ app }) => app.actions.openDialog('prices'),
  },
  {
    id: 'policy.custom',
    title: 'Write a custom policy…',
    group: 'Policy',
    also: 'custom code javascript editor',
    isEnabled: (state) => state.session.id !== null,
    run({ app }) {
      setCustomTarget(null);
      app.actions.openDialog('customPolicy');
    },
  },
];
