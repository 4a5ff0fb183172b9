import type { Command } from '../state/command.ts';

export const wireCommands: readonly Command[] = [
  {
    id: 'wire',
    title: 'Request on the wire…',
    group: 'Transcript',
    keys: ['mod+shift+e'],
    inFields: true,
    also: 'export body json api anthropic openai responses gemini curl request',
    isEnabled: (state) => state.session.id !== null,
    run: ({ app }) => app.actions.openDialog({ kind: 'wire' }),
  },
];
