import { chosenText, startFind } from '../find/startFind.ts';
import type { Command } from '../state/command.ts';

/** The commands of watched texts. */
export const watchCommands: readonly Command[] = [
  {
    id: 'watch.text',
    title: 'Watch a text',
    group: 'Go',
    keys: ['w'],
    also: 'pin watchpoint fact follow strip remember',
    isEnabled: (state) => state.session.id !== null,
    run({ app }) {
      const { find } = app.store.getState();
      const text = chosenText() ?? (find.isOpen ? find.text.trim() : '');
      // With nothing chosen: the bar is where a text is typed and then watched.
      if (text === '') startFind(app);
      else void app.actions.watchText(text, chosenText() === null ? find : {});
    },
  },
  {
    id: 'watch.here',
    title: 'Watch this message',
    group: 'Go',
    also: 'pin watchpoint',
    isEnabled: (state) => state.selection?.kind === 'message',
    run({ app }) {
      const { selection } = app.store.getState();
      const text = chosenText();
      if (text !== null) void app.actions.watchText(text);
      else if (selection?.kind === 'message') void app.actions.watchMessage(selection.index, selection.part);
    },
  },
];
