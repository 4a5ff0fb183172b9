import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { buildIfStale, rendererFolder } from './build.ts';
import { noDisplayReason } from './desktop.ts';
import { defaultLibrary } from './library.ts';
import { makeFolder } from './support/makeFolder.ts';
import { startWebHost } from './webHost.ts';

/** Serves the app on 127.0.0.1 until it is told to stop, and prints the address as `parallax: http://…`. */
export async function serveWeb(options: {
  readonly library?: string;
  readonly port: number;
  readonly files: readonly string[];
  readonly openBrowser: boolean;
}): Promise<void> {
  await buildIfStale(['renderer']);
  const dir = resolve(options.library ?? defaultLibrary());
  await makeFolder(dir, 'the library');
  const host = await startWebHost({ dir, port: options.port, files: options.files, renderer: rendererFolder() });
  console.log(`parallax: ${host.url}`);
  if (options.openBrowser && noDisplayReason() === null) openInBrowser(host.url);
  else console.error('parallax: open this address in a browser of this machine. Ctrl+C ends the program.');
  const stop = (): void => void host.close().then(() => process.exit(0));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  // For tests: ends the engine as a crash would.
  if (process.env.PARALLAX_TEST_HOOKS) process.on('message', () => void host.killEngine());
}

function openInBrowser(url: string): void {
  const [command, args] = browserCommand(url);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.once('error', () => console.error('parallax: no browser could be opened; open the address above yourself.'));
  child.unref();
}

function browserCommand(url: string): [string, string[]] {
  if (process.platform === 'darwin') return ['open', [url]];
  if (process.platform === 'win32') return ['cmd', ['/c', 'start', '', url]];
  return ['xdg-open', [url]];
}
