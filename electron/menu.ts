import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../core/protocol/host.ts';

/** Sets the application menu. Entries send commands to the page; the system's own roles stay with the system. */
export function setMenu(send: (command: MenuCommand) => void): void {
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    { label: 'File', submenu: fileMenu(send) },
    { role: 'editMenu' },
    { label: 'View', submenu: viewMenu(send) },
    { label: 'Go', submenu: [entry(send, 'Back', 'go.back'), entry(send, 'Forward', 'go.forward')] },
    { role: 'windowMenu' },
    { role: 'help', submenu: [entry(send, 'Keyboard shortcuts', 'help.shortcuts')] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

function fileMenu(send: (command: MenuCommand) => void): MenuItemConstructorOptions[] {
  return [
    entry(send, 'New window', 'window.new', 'CmdOrCtrl+N'),
    { type: 'separator' },
    entry(send, 'Import transcripts…', 'open', 'CmdOrCtrl+O'),
    entry(send, 'Export bug report…', 'export', 'CmdOrCtrl+E'),
    { type: 'separator' },
    process.platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
  ];
}

function viewMenu(send: (command: MenuCommand) => void): MenuItemConstructorOptions[] {
  const items: MenuItemConstructorOptions[] = [
    entry(send, 'Command palette…', 'palette'),
    entry(send, 'Find: why is it gone?', 'find'),
    entry(send, 'Search all transcripts…', 'search.open'),
    { type: 'separator' },
    entry(send, 'Raw', 'view.raw'),
    entry(send, 'Side by side', 'view.sideBySide'),
    entry(send, 'Model view', 'view.model'),
    { type: 'separator' },
    entry(send, 'Library', 'view.library'),
    entry(send, 'Policy', 'view.policy'),
    entry(send, 'Drawer', 'view.drawer'),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  if (!app.isPackaged) items.push({ role: 'toggleDevTools' });
  return items;
}

// Keys the page itself handles are left out here, so that they are not acted on twice.
function entry(
  send: (command: MenuCommand) => void,
  label: string,
  command: MenuCommand,
  accelerator?: string,
): MenuItemConstructorOptions {
  return { label, click: () => send(command), ...(accelerator === undefined ? {} : { accelerator }) };
}
