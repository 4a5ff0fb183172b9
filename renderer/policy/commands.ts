// The panel's commands.

import { elsewhereOf } from '../state/choices.ts';
import type { Command } from '../state/command.ts';
import { RAW_SPEC } from '../state/initial.ts';

export const policyCommands: readonly Command[] = [
  {
    id: 'policy.undo',
    title: 'Undo policy change',
    group: 'Policy',
    keys: ['mod+z'],
    isEnabled: (state) => state.projection.past.length > 0,
    run: ({ app }) => app.actions.undoSpec(),
  },
  {
    id: 'policy.redo',
    title: 'Redo policy change',
    group: 'Policy',
    keys: ['mod+shift+z'],
    isEnabled: (state) => state.projection.future.length > 0,
    run: ({ app }) => app.actions.redoSpec(),
  },
  {
    id: 'policy.raw',
    title: 'Policy: raw, nothing changed',
    group: 'Policy',
    isEnabled: (state) => state.session.id !== null,
    run: ({ app }) => app.actions.setPolicy(RAW_SPEC),
  },
  {
    id: 'summary.write',
    title: 'Write a summary…',
    group: 'Policy',
    also: 'compaction placeholder',
    isEnabled: (state) => state.session.id !== null,
    run({ app }) {
      const wanting = app.store.getState().projection.info?.reports.find(({ needsSummary }) => needsSummary);
      app.actions.openDialog({ kind: 'summary', span: wanting?.needsSummary ?? null });
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
    run: ({ app }) => app.actions.openDialog({ kind: 'prices' }),
  },
  {
    id: 'policy.custom',
    title: 'Write a custom policy…',
    group: 'Policy',
    also: 'custom code javascript editor',
    isEnabled: (state) => state.session.id !== null,
    run: ({ app }) => app.actions.openDialog({ kind: 'customPolicy', target: null }),
  },
];
