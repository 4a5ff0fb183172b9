import type { Command } from '../state/command.ts';

/** What-ifs. */
export const forkCommands: readonly Command[] = [
  {
    id: 'fork.here',
    title: 'Fork here: a what-if…',
    group: 'Transcript',
    keys: ['shift+f'],
    also: 'branch whatif edit message ask instead try other',
    isEnabled: ({ session }) => session.info !== null,
    run: ({ app }) => app.actions.openDialog({ kind: 'fork' }),
  },
];
