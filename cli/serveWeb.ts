import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { buildIfStale, pageShell, rendererFolder } from './build.ts';
import { noDisplayReason } from './desktop.ts';
import { defaultLibrary } from './library.ts';
import { makeFolder } from './support/makeFolder.ts';
import { writeRedirect } from './web/redirectFile.ts';
import { startWebHost, type WebHost } from './webHost.ts';

/** Serves the app on 127.0.0.1 until it is stopped, and prints the address as `parallax: http://…`. */
export async function serveWeb(options: {
  readonly library?: string;
  readonly port: number;
  readonly files: readonly string[];
  readonly openBrowser: boolean;
}): Promise<void> {
  await buildIfStale(['renderer', 'page']);
  const dir = resolve(options.library ?? defaultLibrary());
  await makeFolder(dir, 'the library');
  const host = await startWebHost({
    dir,
    port: options.port,
    files: options.files,
    renderer: rendererFolder(),
    pageShell: pageShell(),
  });
  console.log(`parallax: ${host.newLink()}`);
  const opened =
    options.openBrowser && noDisplayReason() === null ? await openInBrowser(dir, host) : { remove: async () => {} };
  const hint = process.stdin.isTTY ? ' Each link opens one session; press Enter for another.' : '';
  console.error(`parallax: open the link above in a browser of this machine.${hint} Ctrl+C ends the program.`);
  if (process.stdin.isTTY) process.stdin.on('data', () => console.log(`parallax: ${host.newLink()}`));
  const stop = (): void => void Promise.all([host.close(), opened.remove()]).then(() => process.exit(0));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  // For tests: ends the engine as a crash would.
  if (process.env.PARALLAX_TEST_HOOKS) process.on('message', () => void host.killEngine());
}

// The browser gets a separate link, so that the one in the terminal is still good if it shows nothing.
async function openInBrowser(dir: string, host: WebHost): Promise<{ remove(): Promise<void> }> {
  const file = await writeRedirect(
    dir,
    host.newLink(() => void file.remove()),
  );
  const [command, args] = browserCommand(file.path);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.once('error', () => console.error('parallax: no browser could be opened; open the link above yourself.'));
  child.unref();
  return file;
}

function browserCommand(page: string): [string, string[]] {
  if (process.platform === 'darwin') return ['open', [page]];
  if (process.platform === 'win32') return ['cmd', ['/c', 'start', '', page]];
  return ['xdg-open', [page]];
}
