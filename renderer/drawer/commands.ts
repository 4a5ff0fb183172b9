// What is done with the selected message.
import type { Command } from '../state/command.ts';
import type { AppState } from '../state/types.ts';
import { openField } from '../ui/openField.ts';
import { copyMessage, isOtherCopied } from './copyMessage.ts';

const hasMessage = (state: AppState) => state.selection?.kind === 'message';

export const messageCommands: readonly Command[] = [
  {
    id: 'message.copy',
    title: 'Copy the message’s text',
    group: 'Transcript',
    keys: ['mod+c'],
    also: 'clipboard',
    isEnabled: (state) => state.selection !== null && state.selection.kind !== 'fold',
    leaves: isOtherCopied,
    run: ({ app }) => void copyMessage(app),
  },
  {
    id: 'mark.bookmark',
    title: 'Bookmark the message, or remove its bookmark',
    group: 'Transcript',
    keys: ['m'],
    also: 'mark star',
    isEnabled: hasMessage,
    run: ({ app }) => void app.actions.toggleBookmark(),
  },
  {
    id: 'mark.note',
    title: 'Note on the message',
    group: 'Transcript',
    keys: ['shift+m'],
    also: 'comment annotate',
    isEnabled: hasMessage,
    run: ({ app }) => openField(() => app.actions.showDrawer('notes'), 'note-field'),
  },
  {
    id: 'mark.list',
    title: 'Notes and bookmarks of this transcript',
    group: 'Transcript',
    isEnabled: (state) => state.session.id !== null,
    run: ({ app }) => app.actions.showDrawer('notes'),
  },
  {
    id: 'mark.next',
    title: 'Next note or bookmark',
    group: 'Go',
    keys: ['.'],
    isEnabled: (state) => (state.marks.list?.length ?? 0) > 0,
    run: ({ app }) => goToMark(app, 1),
  },
  {
    id: 'mark.previous',
    title: 'Previous note or bookmark',
    group: 'Go',
    keys: [','],
    isEnabled: (state) => (state.marks.list?.length ?? 0) > 0,
    run: ({ app }) => goToMark(app, -1),
  },
];

function goToMark(app: Parameters<Command['run']>[0]['app'], direction: 1 | -1): void {
  const { marks, selection } = app.store.getState();
  const here = selection?.kind === 'message' ? selection.index : direction === 1 ? -1 : Number.POSITIVE_INFINITY;
  const places = (marks.list ?? []).filter(({ state }) => state !== 'gone').map(({ index }) => index);
  const next = direction === 1 ? places.find((index) => index > here) : places.findLast((index) => index < here);
  if (next === undefined) {
    app.actions.toast({
      tone: 'info',
      text: `No note or bookmark ${direction === 1 ? 'below' : 'above'} this message.`,
    });
  } else void app.actions.goToMessage(next);
}
