import type { Command } from '../state/command.ts';

/** Bug reports. */
export const bundleCommands: readonly Command[] = [
  {
    id: 'verify',
    title: 'Verify a bug-report bundle…',
    group: 'Library',
    run: ({ app }) => app.actions.openDialog({ kind: 'verify' }),
  },
  {
    id: 'export',
    title: 'Export a bug report…',
    group: 'Transcript',
    keys: ['mod+e'],
    inFields: true,
    also: 'bundle save',
    isEnabled: (state) => state.session.id !== null,
    run: ({ app }) => app.actions.openDialog({ kind: 'export' }),
  },
];
