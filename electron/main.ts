// The desktop host: windows, the engine in a worker thread, and a message port between each and it. The main process
// passes messages on and shows dialogs; it knows nothing of transcripts.
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, session } from 'electron';
import { spawnEngine } from '../core/engine/client.ts';
import { APP_SCHEME } from '../core/protocol/host.ts';
import { decodeLink, type Link, linkAmong } from '../core/protocol/link.ts';
import { PAGE_FILE } from '../core/protocol/page.ts';
import { handleHostCalls } from './hostCalls.ts';
import { setMenu } from './menu.ts';
import { registerAppScheme, serveApp } from './page.ts';
import { createQueue, filesAmong } from './queue.ts';
import { lockDownContents, lockDownSession } from './window.ts';
import { createWindows } from './windows.ts';

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
  const dir = process.env.PARALLAX_LIBRARY || join(app.getPath('userData'), 'library');
  const engine = spawnEngine({ dir, pageShell: join(import.meta.dirname, '..', 'page', PAGE_FILE) });
  const windows = createWindows(() => process.send?.({ parallax: 'ready' }));
  // Who asks before the app is ready gets the window that it opens then.
  const openFirst = (): void => {
    if (windows.current() === null && app.isReady()) windows.open();
  };
  const files = createQueue<string>(() => windows.send('host:files', {}));
  const links = createQueue<Link | null>(() => windows.send('host:links', {}));
  const take = (args: readonly string[], cwd: string): void => {
    files.add(filesAmong(args, cwd));
    const link = linkAmong(args);
    if (link !== undefined) links.add([link]);
  };
  take(process.argv, process.cwd());
  engine.onCrash((crash) => console.error(`parallax: the engine stopped (${crash.exitCode}): ${crash.message}`));
  handleHostCalls({ windows, engine, files, links });

  app.on('second-instance', (_event, argv, cwd) => {
    take(argv, cwd);
    openFirst();
    windows.raise();
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    files.add([path]);
    openFirst();
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    links.add([decodeLink(url)]);
    openFirst();
    windows.raise();
  });
  app.on('activate', openFirst);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  disposeBeforeQuit(() => engine.dispose());
  // For tests: ends the engine as a crash would.
  if (process.env.PARALLAX_TEST_HOOKS) process.on('message', () => void engine.kill());

  void app.whenReady().then(() => {
    lockDownSession(session.defaultSession);
    serveApp(session.defaultSession);
    setMenu((command) => (windows.current() === null ? openFirst() : windows.send('host:menu', { command })));
    // The system's links go to what is installed, not to a checkout.
    if (app.isPackaged) app.setAsDefaultProtocolClient(APP_SCHEME);
    openFirst();
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
