import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { findElectron, noDisplayReason } from '../../../cli/desktop.ts';
import { startDisplay } from '../../support/display.ts';
import { noNullReason } from '../../support/nullDevice.ts';
import { type LaunchOptions, type RunningApp, watchPage } from './host.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..', '..');

/** Why the desktop host cannot be tested here, or null. */
export function desktopMissing(): string | null {
  const electron = findElectron({ fetch: false });
  if (electron.path === null) return `no Electron binary: ${electron.reason}`;
  return noDisplayReason() ?? noNullReason();
}

/** The desktop app with its main process, for what only a desktop has: menu, dialogs, windows. */
export interface RunningDesktop extends RunningApp {
  readonly electron: ElectronApplication;
}

/**
 * Starts the built desktop app. The binary may run as another user than the tests do, so its folders are open to all
 * and the library is made by the app itself. Where displays can be made it has one of its own: apps on the same one share
 * the clipboard and the focus.
 */
export async function launchDesktop(options: LaunchOptions = {}): Promise<RunningDesktop> {
  const root = mkdtempSync(join(tmpdir(), 'parallax-e2e-'));
  chmodSync(root, 0o777);
  const library = options.library ?? join(root, 'profile', 'library');
  const errors: string[] = [];
  mkdirSync(join(root, 'profile'));
  chmodSync(join(root, 'profile'), 0o777);
  const display = await startDisplay();
  const env = { ...(display === null ? {} : { DISPLAY: display.name }), ...options.env };
  const start = (files: readonly string[]): Promise<Started> => startApp(root, library, files, errors, env);
  let started = await start(options.files ?? []).catch((error: unknown) => {
    display?.stop();
    throw error;
  });
  return {
    kind: 'desktop',
    get page() {
      return started.page;
    },
    get electron() {
      return started.app;
    },
    library,
    async restart() {
      await started.app.close();
      started = await start([]);
    },
    async engineKill() {
      await started.app.evaluate(() => void process.emit('message', 'kill the engine', undefined));
    },
    async crash() {
      // The started process may be a wrapper; the app knows its own.
      const pid = await started.app.evaluate(() => process.pid);
      const gone = started.app.waitForEvent('close');
      process.kill(pid, 'SIGKILL');
      await gone;
      started = await start([]);
    },
    errors: () => errors,
    async close() {
      await started.app.close();
      display?.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

interface Started {
  readonly app: ElectronApplication;
  readonly page: Page;
}

/** How long each start may take until the driver has attached: an app that is well is there within two seconds. */
const ATTACH_MS = [8_000, 20_000, 60_000];

// The driver sometimes never attaches to an app that is up and well (its window is loaded). A start that hangs is ended
// and made again; the last one that hangs fails the test.
async function startApp(
  root: string,
  library: string,
  files: readonly string[],
  errors: string[],
  env: LaunchOptions['env'],
): Promise<Started> {
  for (const [start, patience] of ATTACH_MS.entries()) {
    const late = setTimeout(patience, null, { ref: false });
    const started = await Promise.race([startOnce(root, library, files, errors, env), late]);
    if (started !== null) return started;
    console.error(`the driver did not attach to the desktop app within ${patience / 1000} s (start ${start + 1})`);
    endStarted(root);
  }
  throw new Error(`the driver did not attach to the desktop app in ${ATTACH_MS.length} starts`);
}

/** Ends the processes of this run by the mark on their command line. */
function endStarted(root: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark(root))) process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/** True of the error for a process that ended while it was looked at. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}

function mark(root: string): string {
  return `--test-run=${root}`;
}

async function startOnce(
  root: string,
  library: string,
  files: readonly string[],
  errors: string[],
  more: LaunchOptions['env'],
): Promise<Started> {
  const electron = findElectron({ fetch: false });
  if (electron.path === null) throw new Error(electron.reason);
  const app = await _electron.launch({
    executablePath: electron.path,
    args: [CHECKOUT, mark(root), ...files],
    timeout: 2 * Math.max(...ATTACH_MS), // whoever started it gives up before
    chromiumSandbox: true,
    env: {
      ...definedEnv(),
      HOME: join(root, 'profile'),
      ELECTRON_SCRATCH: join(root, 'profile'),
      PARALLAX_PROFILE: join(root, 'profile', 'data'),
      PARALLAX_LIBRARY: library,
      PARALLAX_TEST_HOOKS: '1',
      ...more,
    },
  });
  const page = await app.firstWindow();
  watchPage(page, errors);
  return { app, page };
}

function definedEnv(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  return env;
}

/** Whether an app is the desktop one. */
export function isDesktop(app: RunningApp): app is RunningDesktop {
  return app.kind === 'desktop';
}
