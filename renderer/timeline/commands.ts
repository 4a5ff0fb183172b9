import type { Command } from '../state/command.ts';

/** Folded runs of messages that are not sent, all at once. */
export const foldCommands: readonly Command[] = [
  {
    id: 'view.unfoldAll',
    title: 'Unfold all messages',
    group: 'View',
    also: 'show expand compaction summary gone every',
    isEnabled: ({ session }) => (session.info?.messages ?? 0) > 0,
    run({ app }) {
      const { session } = app.store.getState();
      app.actions.unfold(0, session.info?.messages ?? 0);
    },
  },
  {
    id: 'view.foldAgain',
    title: 'Fold again what was unfolded',
    group: 'View',
    also: 'collapse compaction summary gone',
    isEnabled: ({ projection }) => projection.unfold.length > 0,
    run: ({ app }) => app.actions.foldAgain(),
  },
];
