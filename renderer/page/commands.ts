import { goCommands, viewCommands } from '../app/commands.ts';
import type { Command } from '../state/command.ts';
import { foldCommands } from '../timeline/commands.ts';
import { focusFind } from './findField.ts';

const KEPT: ReadonlySet<string> = new Set([
  'change.next',
  'change.previous',
  'region.next',
  'region.previous',
  'view.raw',
  'view.sideBySide',
  'view.model',
  'view.fold',
  'view.shownOnce',
  'view.density',
  'view.rawTexts',
  'view.dimInjected',
  'view.drawer',
  'view.drawerSide',
]);

/** What can be done on a page: the app's commands that change nothing but what is seen. */
export const PAGE_COMMANDS: readonly Command[] = [
  { id: 'page.find', title: 'Find in this page', group: 'Go', keys: ['/', 'mod+f'], run: focusFind },
  ...[...goCommands, ...viewCommands].filter(({ id }) => KEPT.has(id)),
  ...foldCommands,
];
