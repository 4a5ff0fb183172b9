// The desktop host: one window, the engine in a worker thread, and a message port between them. The main process
// passes messages on and shows dialogs; it knows nothing of transcripts.
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog, session } from 'electron';
import { spawnEngine } from '../core/engine/client.ts';
import type { HostEvents } from '../core/protocol/host.ts';
import { createFileQueue, filesAmong } from './fileQueue.ts';
import { handleHostCalls } from './hostCalls.ts';
import { setMenu } from './menu.ts';
import { registerAppScheme, serveApp } from './page.ts';
import { lockDownContents, lockDownSession, openWindow } from './window.ts';

// Transcripts hold source code and keys: what this process and its threads write is their user's alone.
process.umask(0o077);
app.setName('Parallax');
// One folder for the profile and, by default, the library; the CLI and the web host look in the same place.
app.setPath('userData', process.env.PARALLAX_PROFILE || join(app.getPath('appData'), 'Parallax'));
closeToOthers(app.getPath('userData'));
registerAppScheme();
lockDownContents();
app.enableSandbox();

// A second launch hands its files to the first. Without that, two engines would share a library.
if (app.requestSingleInstanceLock()) run();
else app.quit();

function run(): void {
  const engine = spawnEngine({ dir: process.env.PARALLAX_LIBRARY || join(app.getPath('userData'), 'library') });
  let window: BrowserWindow | null = null;
  const send = <C extends keyof HostEvents>(channel: C, payload: HostEvents[C]): void => {
    window?.webContents.send(channel, payload);
  };
  const open = (): void => {
    // The app is ready, and somebody asks for a window before it has one: there is one window.
    if (window !== null) return;
    window = openWindow();
    window.on('closed', () => {
      window = null;
    });
    window.webContents.once('did-finish-load', () => process.send?.({ parallax: 'ready' }));
  };
  const files = createFileQueue(() => send('host:files', {}));
  files.add(filesAmong(process.argv, process.cwd()));
  engine.onCrash((crash) => console.error(`parallax: the engine stopped (${crash.exitCode}): ${crash.message}`));
  handleHostCalls({ window: () => window, engine, files });

  app.on('second-instance', (_event, argv, cwd) => {
    files.add(filesAmong(argv, cwd));
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    files.add([path]);
    if (window === null && app.isReady()) open();
  });
  app.on('activate', () => {
    if (window === null && app.isReady()) open();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  disposeBeforeQuit(() => engine.dispose());
  // For tests: ends the engine as a crash would.
  if (process.env.PARALLAX_TEST_HOOKS) process.on('message', () => void engine.kill());

  void app.whenReady().then(() => {
    lockDownSession(session.defaultSession);
    serveApp(session.defaultSession);
    setMenu((command) => send('host:menu', { command }));
    open();
  }, failToStart);
}

// A profile made by an earlier version of another program of ours may be open to other users.
function closeToOthers(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && stats.uid === process.getuid?.() && (stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

const DISPOSE_PATIENCE_MS = 5_000;

// Quitting again from here is ignored by Electron if it happens too soon, so the process is ended instead. An engine
// that does not answer is not waited for: its library is safe, every import batch is a transaction.
function disposeBeforeQuit(dispose: () => Promise<void>): void {
  app.once('will-quit', (event) => {
    event.preventDefault();
    const patience = new Promise((resolve) => setTimeout(resolve, DISPOSE_PATIENCE_MS));
    void Promise.race([dispose(), patience]).finally(() => app.exit(0));
  });
}

function failToStart(error: unknown): void {
  dialog.showErrorBox('Parallax could not start', error instanceof Error ? error.message : String(error));
  app.exit(1);
}
