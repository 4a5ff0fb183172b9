// The real web host in a process of its own, and a real browser on it, with the figures of both to be read.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { chromiumArgs, findChromium } from '../../e2e/support/chromium.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..', '..');
const VIEWPORT = { width: 1400, height: 900 };

/** A running app. */
export interface BenchApp {
  readonly page: Page;
  readonly cdp: CDPSession;
  /** Resident memory of the host's process, engine and all, in MB: now, and at its peak (null where it is not known). */
  hostMemory(): { readonly now: number; readonly peak: number | null };
  /** Ends page and host in order. */
  stop(): Promise<void>;
}

/** The browser for all measurements of a run; throws if there is none. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium on this machine (PARALLAX_CHROMIUM names one)');
  const chromiumSandbox = process.getuid?.() !== 0;
  return chromium.launch({ executablePath, args: chromiumArgs(), headless: true, chromiumSandbox });
}

/** Starts the host on a library and opens its page, which shows what was open last. */
export async function launchApp(browser: Browser, library: string): Promise<BenchApp> {
  const { child, url } = await startHost(library);
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByTestId('app').waitFor();
  return {
    page,
    cdp: await context.newCDPSession(page),
    hostMemory: () => memoryOf(child),
    async stop() {
      await context.close();
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** A page that only scrolls: what the browser itself can do here. */
export async function launchEmptyPage(browser: Browser): Promise<{ readonly page: Page; readonly cdp: CDPSession }> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  await page.setContent('<body style="margin:0"><div style="height:1000000px"></div></body>');
  return { page, cdp: await context.newCDPSession(page) };
}

function startHost(library: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const start = join('cli', 'start.ts');
  const args = ['--disable-warning=ExperimentalWarning', start, '--web', '--library', library];
  const env = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' };
  const child = spawn(process.execPath, args, { cwd: CHECKOUT, stdio: ['ignore', 'pipe', 'pipe'], env });
  let said = '';
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      const url = /^parallax: (http:\S+)/m.exec(said)?.[1];
      if (url !== undefined) resolve({ child, url });
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the web host ended (${code}): ${said}`)));
  });
}

function memoryOf({ pid }: ChildProcess): { readonly now: number; readonly peak: number | null } {
  const status = `/proc/${pid}/status`;
  if (existsSync(status)) {
    const text = readFileSync(status, 'utf8');
    const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  }
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return { now: Number(kilobytes) / 1024, peak: null };
}
