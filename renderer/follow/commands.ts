import type { Command } from '../state/command.ts';

export const followCommands: readonly Command[] = [
  {
    id: 'sources',
    title: 'Folders and followed files…',
    group: 'Library',
    keys: ['mod+shift+o'],
    inFields: true,
    also: 'follow live watch tail discover import folder',
    run: ({ app }) => app.actions.openDialog({ kind: 'sources' }),
  },
];
