import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { bundleOf } from '../../support/bundles.ts';
import { chromiumArgs, chromiumEnv, findChromium } from './chromium.ts';
import { type LaunchOptions, type RunningApp, watchPage } from './host.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..', '..');

/** Why the web host cannot be tested here, or null. */
export function webMissing(): string | null {
  return findChromium() === null ? 'no Chromium on this machine (PARALLAX_CHROMIUM names one)' : null;
}

let running: Browser | null = null;

/** The browser of this worker. Apps have contexts of their own in it; it ends with the worker, which it is tied to. */
async function theBrowser(): Promise<Browser> {
  if (running?.isConnected() === true) return running;
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium');
  running = await chromium.launch({
    executablePath,
    args: chromiumArgs(),
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    env: chromiumEnv(),
  });
  return running;
}

/** Starts the web host in a process of its own, and a new person's browser on its address. */
export async function launchWeb(options: LaunchOptions = {}): Promise<RunningApp> {
  const library = options.library ?? mkdtempSync(join(tmpdir(), 'parallax-e2e-'));
  const errors: string[] = [];
  const browser = await theBrowser();
  let host = await startHost(library, options.files ?? [], options.env);
  let page = await openPage(browser, host.url, errors);
  return {
    kind: 'web',
    get page() {
      return page;
    },
    library,
    async restart() {
      await page.context().close();
      await stop(host.child);
      host = await startHost(library, [], options.env);
      page = await openPage(browser, host.url, errors);
    },
    async engineKill() {
      host.child.send('kill the engine');
    },
    async crash() {
      const gone = once(host.child, 'exit');
      host.child.kill('SIGKILL');
      await gone;
      await page.context().close();
      host = await startHost(library, [], options.env);
      page = await openPage(browser, host.url, errors);
    },
    errors: () => errors,
    async close() {
      await page.context().close();
      await stop(host.child);
      if (options.library === undefined) rmSync(library, { recursive: true, force: true });
    },
  };
}

async function openPage(browser: Browser, url: string, errors: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, acceptDownloads: true });
  const page = await context.newPage();
  watchPage(page, errors);
  // The driver takes file choosers over while somebody listens for them, and says so to the browser on another way than
  // keys go: a key pressed right after the first listener can open a dialog of the browser's own, which nobody sees.
  page.on('filechooser', () => {});
  await page.goto(url);
  return page;
}

interface Host {
  readonly child: ChildProcess;
  readonly url: string;
}

function startHost(library: string, files: readonly string[], more: LaunchOptions['env']): Promise<Host> {
  const args = [
    '--disable-warning=ExperimentalWarning',
    bundleOf('cli/start.ts'),
    '--web',
    '--library',
    library,
    ...files,
  ];
  const test = { HOME: library, DISPLAY: '', WAYLAND_DISPLAY: '', PARALLAX_TEST_HOOKS: '1' };
  const env = { ...process.env, ...test, ...more };
  const child = spawn(process.execPath, args, { cwd: CHECKOUT, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
  let said = '';
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      const url = /^parallax: (http:\S+)/m.exec(said)?.[1];
      if (url !== undefined) resolve({ child, url });
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the web host ended (${code}): ${said}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
