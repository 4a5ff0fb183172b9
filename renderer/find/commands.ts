import type { Command } from '../state/command.ts';
import { chosenText, startFind } from './startFind.ts';

/** The commands of the find bar. */
export const findCommands: readonly Command[] = [
  {
    id: 'find',
    title: 'Find: why is it gone?',
    group: 'Go',
    keys: ['mod+f'],
    inFields: true,
    also: 'forgot forgotten forget lost missing gone trace text why search request',
    isEnabled: (state) => state.session.id !== null,
    run({ app }) {
      // The menu of the desktop window asks at any time: with nothing open, the library is what can be searched.
      if (app.store.getState().session.id === null) app.actions.openSearch();
      else startFind(app);
    },
  },
  {
    id: 'find.here',
    title: 'Why is it gone? (this message)',
    group: 'Go',
    isEnabled: (state) => state.selection?.kind === 'message',
    run({ app }) {
      const text = chosenText();
      if (text === null) app.actions.showDrawer('why');
      else startFind(app, text);
    },
  },
  {
    id: 'find.next',
    title: 'Next place of the text in the find bar',
    group: 'Go',
    keys: ['mod+g'],
    inFields: true,
    isEnabled: (state) => state.find.isOpen && (state.find.trace?.places.length ?? 0) > 0,
    run: ({ app }) => void app.actions.stepPlace(1),
  },
  {
    id: 'find.previous',
    title: 'Previous place of the text in the find bar',
    group: 'Go',
    keys: ['mod+shift+g'],
    inFields: true,
    isEnabled: (state) => state.find.isOpen && (state.find.trace?.places.length ?? 0) > 0,
    run: ({ app }) => void app.actions.stepPlace(-1),
  },
];
