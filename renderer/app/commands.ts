// Every command of the program. Palette, key map, keyboard and menu are made from this list.

import { findCommands } from '../find/commands.ts';
import { forkCommands } from '../fork/commands.ts';
import { goToRegion } from '../keys/regions.ts';
import { kinCommands } from '../kin/commands.ts';
import { keepCommands } from '../library/commands.ts';
import { importFiles } from '../library/importFiles.ts';
import { mapAFile } from '../mapping/mapAFile.ts';
import { policyCommands } from '../policy/commands.ts';
import type { Command, CommandContext } from '../state/command.ts';
import { RAW_SPEC } from '../state/initial.ts';
import type { AppState, Layout } from '../state/types.ts';
import type { Theme } from '../theme/resolveTheme.ts';
import { foldCommands } from '../timeline/commands.ts';
import { tourCommands } from '../tours/commands.ts';

const isOpen = (state: AppState) => state.session.id !== null;
const hasHits = (state: AppState) => state.search.hits.length > 0;

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

const go: readonly Command[] = [
  {
    id: 'palette',
    title: 'Search commands, messages, transcripts',
    group: 'Go',
    keys: ['mod+k'],
    inFields: true,
    run: ({ app }) => app.actions.openDialog('palette'),
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

const view: readonly Command[] = [
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
  theme('system', 'Theme: as the system'),
  theme('light', 'Theme: light'),
  theme('dark', 'Theme: dark'),
];

const library: readonly Command[] = [
  {
    id: 'open',
    title: 'Import transcripts…',
    group: 'Library',
    keys: ['mod+o'],
    inFields: true,
    also: 'open file add',
    run: (context) => void importFiles(context),
  },
  {
    id: 'sources',
    title: 'Folders and followed files…',
    group: 'Library',
    keys: ['mod+shift+o'],
    inFields: true,
    also: 'follow live watch tail discover import folder',
    run: ({ app }) => app.actions.openDialog('sources'),
  },
  {
    id: 'mapping',
    title: 'Map the fields of a file…',
    group: 'Library',
    also: 'unknown format json custom import generic',
    run: (context) => void mapAFile(context),
  },
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
    id: 'search.open',
    title: 'Search all transcripts…',
    group: 'Library',
    keys: ['mod+shift+f'],
    inFields: true,
    also: 'find text full library words',
    run: ({ app }) => app.actions.openSearch(),
  },
  {
    id: 'search.next',
    title: 'Next hit of the search',
    group: 'Go',
    keys: ['f3', 'n'],
    isEnabled: hasHits,
    run: ({ app }) => void app.actions.stepHit(1),
  },
  {
    id: 'search.previous',
    title: 'Previous hit of the search',
    group: 'Go',
    keys: ['shift+f3', 'shift+n'],
    isEnabled: hasHits,
    run: ({ app }) => void app.actions.stepHit(-1),
  },
  {
    id: 'search.end',
    title: 'End the search and clear its highlights',
    group: 'Go',
    isEnabled: (state) => state.search.isStepping,
    run: ({ app }) => app.actions.endSearch(),
  },
  {
    id: 'verify',
    title: 'Verify a bug-report bundle…',
    group: 'Library',
    run: ({ app }) => app.actions.openDialog('verify'),
  },
  {
    id: 'close',
    title: 'Close this transcript',
    group: 'Transcript',
    isEnabled: isOpen,
    run: ({ app }) => app.actions.close(),
  },
  {
    id: 'export',
    title: 'Export a bug report…',
    group: 'Transcript',
    keys: ['mod+e'],
    inFields: true,
    also: 'bundle save',
    isEnabled: isOpen,
    run: ({ app }) => app.actions.openDialog('export'),
  },
  {
    id: 'wire',
    title: 'Request on the wire…',
    group: 'Transcript',
    keys: ['mod+shift+e'],
    inFields: true,
    also: 'export body json api anthropic openai responses gemini curl request',
    isEnabled: isOpen,
    run: ({ app }) => app.actions.openDialog('wire'),
  },
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
    isEnabled: isOpen,
    run: ({ app }) => app.actions.setPolicy(RAW_SPEC),
  },
  {
    id: 'help.shortcuts',
    title: 'Keyboard',
    group: 'Help',
    keys: ['?'],
    also: 'shortcuts keys map',
    run: ({ app }) => app.actions.openDialog('keys'),
  },
];

/** All commands, in the order of the palette. Ids are unique. */
export const COMMANDS: readonly Command[] = [
  ...findCommands,
  ...tourCommands,
  ...foldCommands,
  ...go,
  ...kinCommands,
  ...forkCommands,
  ...view,
  ...library,
  ...keepCommands,
  ...policyCommands,
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
  if (!app.store.getState().ui.libraryOpen) app.actions.toggleLibrary();
  // The box may be drawn only now.
  setTimeout(() => document.getElementById('library-filter')?.focus(), 0);
}
