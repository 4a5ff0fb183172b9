// What `npm start` does; start.ts loads it once Node keeps what it compiles.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { buildIfStale } from './build.ts';
import { findElectron, noDisplayReason, runDesktop } from './desktop.ts';
import { serveWeb } from './serveWeb.ts';
import { beginWithSmallMalloc } from './support/mallocSettings.ts';
import { note } from './support/output.ts';
import { parsePort } from './support/port.ts';

interface StartOptions {
  readonly library?: string;
  readonly web?: boolean;
  readonly port: number;
}

async function start(given: readonly string[], options: StartOptions): Promise<void> {
  const files = given.map((file) => resolve(file));
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) fail(`there is no file ${missing}`, 3);
  const obstacle = options.web ? null : await tryDesktop(files, options.library ?? null);
  if (obstacle === 'ran') return;
  if (obstacle !== null) note(`no desktop window: ${obstacle}. Opening the same app in the browser.`);
  beginWithSmallMalloc();
  await serveWeb({ ...options, files, openBrowser: true });
}

async function tryDesktop(files: readonly string[], library: string | null): Promise<string | 'ran'> {
  const noDisplay = noDisplayReason();
  if (noDisplay !== null) return noDisplay;
  const electron = findElectron({ fetch: true });
  if (electron.path === null) return electron.reason;
  await buildIfStale(['renderer', 'page', 'desktop']);
  const run = await runDesktop(electron.path, files, library === null ? null : resolve(library));
  if (!run.shown && run.code !== 0) return `Electron ended with code ${run.code} before its window appeared`;
  process.exitCode = run.code;
  return 'ran';
}

function fail(message: string, code: number): never {
  note(message);
  process.exit(code);
}

/** Reads the command line and starts the app. */
export function runStart(): void {
  const program = new Command('parallax-start')
    .description('Starts Parallax: the desktop app, or the same app in a browser where no window can be shown.')
    .argument('[FILE...]', 'transcripts to import; the first is opened')
    .option('--library <dir>', 'folder of the library')
    .option('--web', 'in the browser, even if a window could be shown')
    .option('--port <n>', 'port of the web host; 0 = any free one', parsePort, 0)
    .action((files: string[], options: StartOptions) => start(files, options));
  program.parseAsync().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error), 1));
}
