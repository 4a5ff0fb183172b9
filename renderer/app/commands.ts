// The commands of the window itself. Those of a feature are in its folder.

import { goToRegion } from '../keys/regions.ts';
import { importFiles } from '../library/importFiles.ts';
import type { Command, CommandContext } from '../state/command.ts';
import type { AppState, Layout } from '../state/types.ts';
import { isLibraryShown } from '../state/uiActions.ts';
import type { Theme } from '../theme/resolveTheme.ts';
import { openField } from '../ui/openField.ts';

const isOpen = (state: AppState) => state.session.id !== null;

const layout = (id: string, title: string, to: Layout, key: string): Command => ({
  id,
  title,
  group: 'View',
  keys: [key],
  isEnabled: isOpen,
  run: ({ app }) => app.actions.setLayout(to),
});

const theme = (to: Theme, title: string): Command => ({
  id: `theme.${to}`,
  title,
  group: 'View',
  also: 'appearance colour',
  run: ({ app }) => app.actions.setTheme(to),
});

const step = (id: string, title: string, keys: readonly string[], delta: number, by: 'call' | 'turn'): Command => ({
  id,
  title,
  group: 'Go',
  keys,
  isEnabled: isOpen,
  run: ({ app }) => void app.actions.step(delta, by),
});

/** Where one goes in the open transcript and in the window. */
export const goCommands: readonly Command[] = [
  {
    id: 'palette',
    title: 'Search commands, messages, transcripts',
    group: 'Go',
    keys: ['mod+k'],
    inFields: true,
    run: ({ app }) => app.actions.openDialog({ kind: 'palette' }),
  },
  step('call.next', 'Next call point', ['right'], 1, 'call'),
  step('call.previous', 'Previous call point', ['left'], -1, 'call'),
  step('turn.next', 'Next turn', ['shift+right'], 1, 'turn'),
  step('turn.previous', 'Previous turn', ['shift+left'], -1, 'turn'),
  {
    id: 'call.last',
    title: 'Next request (all messages)',
    group: 'Go',
    keys: ['shift+end'],
    isEnabled: isOpen,
    run: ({ app }) => app.actions.setAt(null),
  },
  {
    id: 'call.show',
    title: 'Show the call point in the panes',
    group: 'Go',
    keys: ['g'],
    isEnabled: isOpen,
    run: showCallPoint,
  },
  {
    id: 'call.here',
    title: 'Move the call point to the selected message',
    group: 'Go',
    keys: ['h'],
    isEnabled: (state) => state.selection?.kind === 'message',
    run: callPointHere,
  },
  {
    id: 'region.next',
    title: 'Next part of the window',
    group: 'Go',
    keys: ['f6'],
    inFields: true,
    also: 'focus panel pane library messages drawer policy',
    run: () => goToRegion(1),
  },
  {
    id: 'region.previous',
    title: 'Previous part of the window',
    group: 'Go',
    keys: ['shift+f6'],
    inFields: true,
    also: 'focus panel pane',
    run: () => goToRegion(-1),
  },
  {
    id: 'change.next',
    title: 'Next changed message',
    group: 'Go',
    keys: [']'],
    isEnabled: isOpen,
    run: ({ app }) => void app.actions.goToChange(1),
  },
  {
    id: 'change.previous',
    title: 'Previous changed message',
    group: 'Go',
    keys: ['['],
    isEnabled: isOpen,
    run: ({ app }) => void app.actions.goToChange(-1),
  },
];

/** What is seen of it, and how. */
export const viewCommands: readonly Command[] = [
  layout('view.raw', 'Raw', 'raw', '1'),
  layout('view.sideBySide', 'Side by side', 'side', '2'),
  layout('view.model', 'Model view', 'model', '3'),
  {
    id: 'view.fold',
    title: 'Fold or show unchanged messages',
    group: 'View',
    keys: ['f'],
    isEnabled: isOpen,
    run: ({ app }) => app.actions.setFold(!app.store.getState().ui.fold),
  },
  {
    id: 'view.shownOnce',
    title: 'Show unchanged rows once, or on both sides',
    group: 'View',
    keys: ['o'],
    also: 'wide column twice same panes',
    isEnabled: isOpen,
    run: ({ app }) => app.actions.toggleShownOnce(),
  },
  {
    id: 'view.density',
    title: 'Show one or two lines of each message',
    group: 'View',
    keys: ['d'],
    also: 'density compact comfortable row height dense lines',
    isEnabled: isOpen,
    run: ({ app }) => void app.actions.toggleDensity(),
  },
  {
    id: 'view.rawTexts',
    title: 'Show texts as recorded or rendered',
    group: 'View',
    keys: ['shift+r'],
    also: 'raw markdown source rendered plain tool json',
    isEnabled: isOpen,
    run: ({ app }) => app.actions.toggleRawTexts(),
  },
  {
    id: 'view.dimInjected',
    title: 'Dim injected context',
    group: 'View',
    keys: ['i'],
    also: 'injected reminders context attachments command output people',
    isEnabled: isOpen,
    run: ({ app }) => app.actions.toggleDimInjected(),
  },
  {
    id: 'view.library',
    title: 'Show or hide the library',
    group: 'View',
    keys: ['mod+b'],
    inFields: true,
    run: ({ app }) => app.actions.toggleLibrary(),
  },
  {
    id: 'view.policy',
    title: 'Show or hide the policy panel',
    group: 'View',
    keys: ['mod+j'],
    inFields: true,
    run: ({ app }) => app.actions.togglePolicy(),
  },
  {
    id: 'view.drawer',
    title: 'Show or hide the drawer',
    group: 'View',
    keys: ['mod+d'],
    inFields: true,
    run: ({ app }) => app.actions.toggleDrawer(),
  },
  {
    id: 'view.drawerSide',
    title: 'Drawer on the right, or at the bottom',
    group: 'View',
    keys: ['shift+e'],
    also: 'dock place panel side',
    isEnabled: isOpen,
    run: ({ app }) => app.actions.toggleDrawerSide(),
  },
  {
    id: 'view.drawerMax',
    title: 'Maximise or restore the drawer',
    group: 'View',
    keys: ['e'],
    also: 'full large enlarge zoom panel',
    isEnabled: isOpen,
    run: ({ app }) => app.actions.toggleDrawerMax(),
  },
  theme('system', 'Theme: as the system'),
  theme('light', 'Theme: light'),
  theme('dark', 'Theme: dark'),
];

export const importCommands: readonly Command[] = [
  {
    id: 'open',
    title: 'Import transcripts…',
    group: 'Library',
    keys: ['mod+o'],
    inFields: true,
    also: 'open file add',
    run: (context) => void importFiles(context),
  },
];

export const windowCommands: readonly Command[] = [
  {
    id: 'end',
    title: 'Go to the newest message',
    group: 'Go',
    keys: ['shift+g'],
    also: 'last end tail new',
    isEnabled: isOpen,
    run: ({ app }) => app.actions.goToEnd(),
  },
  { id: 'library.filter', title: 'Filter the library', group: 'Library', keys: ['/'], run: focusFilter },
  {
    id: 'close',
    title: 'Close this transcript',
    group: 'Transcript',
    isEnabled: isOpen,
    run: ({ app }) => app.actions.close(),
  },
  {
    id: 'help.shortcuts',
    title: 'Keyboard',
    group: 'Help',
    keys: ['?'],
    also: 'shortcuts keys map',
    run: ({ app }) => app.actions.openDialog({ kind: 'keys' }),
  },
];

function showCallPoint({ app }: CommandContext): void {
  const { projection, session } = app.store.getState();
  const at = projection.info?.at ?? 0;
  void app.actions.goToMessage(Math.max(0, Math.min(at, (session.info?.messages ?? 1) - 1)));
}

function callPointHere({ app }: CommandContext): void {
  const { selection } = app.store.getState();
  if (selection?.kind === 'message') app.actions.setAt(selection.index);
}

function focusFilter({ app }: CommandContext): void {
  const show = () => (isLibraryShown(app.store.getState().ui) ? undefined : app.actions.toggleLibrary());
  openField(show, 'library-filter');
}
