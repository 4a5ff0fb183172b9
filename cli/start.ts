// `npm start [-- FILE…]`: the desktop app; where there is no Electron binary or no display, the same app in a browser.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { buildIfStale, rendererFolder } from './build.ts';
import { findElectron, noDisplayReason, runDesktop } from './desktop.ts';
import { defaultLibrary } from './library.ts';
import { startWebHost } from './webHost.ts';

interface StartOptions {
  readonly library?: string;
  readonly web?: boolean;
  readonly port: number;
}

/** Parses a port number for commander. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new InvalidArgumentError('a port is 0 to 65535');
  return port;
}

async function start(given: readonly string[], options: StartOptions): Promise<void> {
  const files = given.map((file) => resolve(file));
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) fail(`there is no file ${missing}`, 3);
  const obstacle = options.web ? null : await tryDesktop(files, options.library ?? null);
  if (obstacle === 'ran') return;
  if (obstacle !== null)
    console.error(`parallax: no desktop window: ${obstacle}. Opening the same app in the browser.`);
  await serveWeb({ ...options, files, openBrowser: true });
}

async function tryDesktop(files: readonly string[], library: string | null): Promise<string | 'ran'> {
  const noDisplay = noDisplayReason();
  if (noDisplay !== null) return noDisplay;
  const electron = findElectron({ fetch: true });
  if (electron.path === null) return electron.reason;
  await buildIfStale(['renderer', 'desktop']);
  const run = await runDesktop(electron.path, files, library === null ? null : resolve(library));
  if (!run.shown && run.code !== 0) return `Electron ended with code ${run.code} before its window appeared`;
  process.exitCode = run.code;
  return 'ran';
}

/** Serves the app on 127.0.0.1 until it is told to stop, and prints the address as `parallax: http://…`. */
export async function serveWeb(options: {
  readonly library?: string;
  readonly port: number;
  readonly files: readonly string[];
  readonly openBrowser: boolean;
}): Promise<void> {
  await buildIfStale(['renderer']);
  const dir = resolve(options.library ?? defaultLibrary());
  await mkdir(dir, { recursive: true });
  const host = await startWebHost({ dir, port: options.port, files: options.files, renderer: rendererFolder() });
  console.log(`parallax: ${host.url}`);
  if (options.openBrowser && noDisplayReason() === null) openInBrowser(host.url);
  const stop = (): void => void host.close().then(() => process.exit(0));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  // For tests: ends the engine as a crash would.
  if (process.env.PARALLAX_TEST_HOOKS) process.on('SIGUSR2', () => void host.killEngine());
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

function fail(message: string, code: number): never {
  console.error(`parallax: ${message}`);
  process.exit(code);
}

if (import.meta.main) {
  const program = new Command('parallax-start')
    .description('Starts Parallax: the desktop app, or the same app in a browser where no window can be shown.')
    .argument('[FILE...]', 'transcripts to import; the first is opened')
    .option('--library <dir>', 'folder of the library')
    .option('--web', 'in the browser, even if a window could be shown')
    .option('--port <n>', 'port of the web host; 0 = any free one', parsePort, 0)
    .action((files: string[], options: StartOptions) => start(files, options));
  program.parseAsync().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error), 1));
}
