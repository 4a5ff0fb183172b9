// Links, sessions and other servers in the same browser, on the web host.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale, rendererFolder } from '../../cli/build.ts';
import { startWebHost, type WebHost } from '../../cli/webHost.ts';
import { type ForeignServer, foreignServer } from '../security/foreignServer.ts';
import { tally } from '../security/tally.ts';
import { chromiumArgs, findChromium } from './support/chromium.ts';
import { webMissing } from './support/launchWeb.ts';
import { SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const missing = webMissing();

describe.skipIf(missing !== null)(`links of the web host${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  const attacks = tally('foreign pages in the same browser');
  let dir: string;
  let host: WebHost;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let other: ForeignServer;
  let named: string;

  beforeAll(async () => {
    await buildIfStale(['renderer']);
    dir = mkdtempSync(join(tmpdir(), 'parallax-links-'));
    const library = join(dir, 'library');
    named = join(dir, 'named.json');
    writeFileSync(named, '[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]');
    host = await startWebHost({ dir: library, port: 0, renderer: rendererFolder(), files: [named] });
    mkdirSync(join(library, 'exports'), { recursive: true });
    writeFileSync(join(library, 'exports', 'bug.json'), '{"private":1}');
    const executablePath = findChromium() ?? '';
    const chromiumSandbox = process.getuid?.() !== 0;
    browser = await chromium.launch({ executablePath, args: chromiumArgs(), headless: true, chromiumSandbox });
    context = await browser.newContext();
    other = await foreignServer();
  });

  afterAll(async () => {
    await browser?.close();
    await other?.close();
    await host?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const origin = (): string => `http://127.0.0.1:${host.port}`;
  const isOpen = (tab: Page): Promise<void> => tab.locator(SELECTORS.importButton).waitFor();
  const secretOf = (tab: Page): Promise<string | null> =>
    tab.evaluate(() => sessionStorage.getItem('parallax.session'));

  it('opens a session, and nothing of the link stays in the address', async () => {
    page = await context.newPage();
    await page.goto(host.newLink());
    await isOpen(page);
    await page.locator(SELECTORS.libraryItem).waitFor();
    // What it then names is the place one is at.
    await expect.poll(() => page.url(), SOON).toMatch(new RegExp(`^${origin()}/#/open/[0-9a-f]{24}$`));
    expect(Buffer.from((await secretOf(page)) ?? '', 'base64url')).toHaveLength(32);
    expect(await context.cookies()).toEqual([]);
  });

  it('goes on after a reload', async () => {
    const before = await secretOf(page);
    for (let times = 0; times < 2; times++) {
      await page.reload();
      await isOpen(page);
    }
    expect(await secretOf(page)).toBe(before);
    // What it was started with was imported once, and can still be followed.
    await page.locator(SELECTORS.sourcesButton).click();
    await page.locator(SELECTORS.givenRow).filter({ hasText: named }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator(SELECTORS.libraryItem).count(), SOON).toBe(1);
  });

  it('opens in a second tab, by the address alone', async () => {
    const second = await context.newPage();
    await second.goto(`${origin()}/`);
    await isOpen(second);
    await second.close();
  });

  it('opens once: the same link elsewhere says what to do, and a new one pasted there opens', async () => {
    const link = host.newLink();
    const first = await browser.newContext();
    const one = await first.newPage();
    await one.goto(link);
    await isOpen(one);
    const stranger = await browser.newContext();
    const late = await stranger.newPage();
    await late.goto(link);
    const said = late.getByRole('alert');
    await said.waitFor();
    expect(await said.textContent()).toContain('This page is not connected to Parallax.');
    expect(await said.textContent()).toContain('press Enter for a new link');
    expect(await secretOf(late)).toBe(null);
    // Pasted over the address: only the fragment changes.
    await late.evaluate((next) => location.assign(next), host.newLink());
    await isOpen(late);
    await Promise.all([first.close(), stranger.close()]);
  });

  it('leads from localhost to where the page is, with the token', async () => {
    const elsewhere = await browser.newContext();
    const tab = await elsewhere.newPage();
    await tab.goto(host.newLink().replace('127.0.0.1', 'localhost'));
    await isOpen(tab);
    // Behind it the page keeps its place; the token is gone from the address.
    expect(tab.url().replace(/#\/open\/[0-9a-f]+(\?[^#]*)?$/, '')).toBe(`${origin()}/`);
    await elsewhere.close();
  });

  it('sends nothing of itself to another server of the machine that the person visits', async () => {
    const secret = (await secretOf(page)) ?? '';
    const tab = await context.newPage();
    for (const name of ['127.0.0.1', 'localhost']) {
      for (const path of ['/', '/session', '/ticket', '/engine', '/upload', '/download/bug.json', '/favicon.ico']) {
        await tab.goto(`http://${name}:${other.port}${path}`);
      }
    }
    await tab.close();
    // From the page itself, as a link in it would lead there.
    const away = await context.newPage();
    await away.goto(`${origin()}/`);
    await isOpen(away);
    await away.evaluate((url) => location.assign(url), `http://127.0.0.1:${other.port}/away`);
    await away.waitForURL(/away/);
    await away.close();
    const recorded = other.recorded();
    expect(recorded).toContain('/away');
    expect(recorded.toLowerCase()).not.toMatch(/cookie|authorization|x-parallax/);
    expect(recorded).not.toContain(`:${host.port}`); // no referrer either
    expect(recorded).not.toContain(secret);
  });

  it.each(['127.0.0.1', 'localhost', 'a-name'])('a page of another server at %s gets nothing', async (name) => {
    const tab = await context.newPage();
    if (name === 'a-name') {
      // A foreign site, answered from here: nothing leaves this machine.
      await tab.route('http://foreign.example/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>foreign</title>' }),
      );
      await tab.goto('http://foreign.example/');
    } else await tab.goto(`http://${name}:${other.port}/`);
    const got = await tab.evaluate(attack, { port: host.port, own: origin() });
    for (const [attempt, result] of Object.entries(got)) attacks.tried(`${name} ${attempt}: ${result}`, result === '');
    expect(Object.keys(got).length).toBeGreaterThan(10);
    await tab.close();
    // The session is as it was.
    await page.reload();
    await isOpen(page);
  });

  it('has the browser opened by a file of the person’s own; no token is an argument', async () => {
    const bin = join(dir, 'bin');
    const log = join(dir, 'opened.txt');
    mkdirSync(bin);
    const opener = join(bin, 'xdg-open');
    writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$@" > ${log}\nstat -c %a "$1" >> ${log}\ncat "$1" >> ${log}\n`);
    chmodSync(opener, 0o755);
    const library = join(dir, 'opened');
    const args = ['--disable-warning=ExperimentalWarning', join('cli', 'start.ts'), '--web', '--library', library];
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':0', HOME: dir };
    const child = spawn(process.execPath, args, { cwd: CHECKOUT, env, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8').includes('</a>'), SOON).toBe(true);
      const [file = '', mode, ...html] = readFileSync(log, 'utf8').split('\n');
      expect(file.startsWith(library)).toBe(true);
      expect(mode).toBe('600');
      const link = /url=(http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43})"/.exec(html.join('\n'))?.[1] ?? '';
      const tab = await (await browser.newContext()).newPage();
      await tab.goto(`file://${file}`);
      await isOpen(tab);
      expect(link).toContain(new URL(tab.url()).host);
      // Used: gone.
      await expect.poll(() => readdirSync(library).filter((name) => name.endsWith('.html')), SOON).toEqual([]);
      await tab.context().close();
    } finally {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    }
  });
});

/** Runs in a foreign page; what each attempt got, '' = nothing. */
async function attack({ port, own }: { port: number; own: string }): Promise<Record<string, string>> {
  const paths = ['/', '/session', '/ticket', '/upload?name=x', '/download/bug.json', '/engine'];
  const got: Record<string, string> = {};
  const within = <T>(promise: Promise<T>, otherwise: T): Promise<T> =>
    Promise.race([promise, new Promise<T>((resolve) => setTimeout(resolve, 1_500, otherwise))]);
  const read = async (url: string, init: RequestInit): Promise<string> => {
    try {
      const answer = await fetch(url, init);
      return answer.type === 'opaque' ? '' : `${answer.status} ${(await answer.text()).slice(0, 40)}`;
    } catch {
      return '';
    }
  };
  for (const path of paths) {
    got[`fetch ${path}`] = await read(own + path, { credentials: 'include' });
    got[`post ${path}`] = await read(own + path, { method: 'POST', credentials: 'include', body: 'x' });
    got[`opaque ${path}`] = await read(own + path, { method: 'POST', credentials: 'include', mode: 'no-cors' });
    got[`header ${path}`] = await read(own + path, { method: 'POST', headers: { Authorization: 'Parallax x' } });
  }
  for (const url of [`ws://127.0.0.1:${port}/engine`, `ws://localhost:${port}/engine`]) {
    const opened = new Promise<string>((resolve) => {
      try {
        const socket = new WebSocket(url);
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('');
      } catch {
        resolve('');
      }
    });
    got[`socket ${url}`] = await within(opened, '');
  }
  const element = (name: 'script' | 'img' | 'iframe', path: string): Promise<string> =>
    within(
      new Promise<string>((resolve) => {
        const made = document.createElement(name);
        made.onload = () => {
          if (name !== 'iframe') return resolve('loaded');
          try {
            resolve((made as HTMLIFrameElement).contentWindow?.document.title ? 'read' : '');
          } catch {
            resolve('');
          }
        };
        made.onerror = () => resolve('');
        made.src = own + path;
        document.body.append(made);
      }),
      '',
    );
  got['as a script'] = await element('script', '/download/bug.json');
  got['as an image'] = await element('img', '/favicon.ico');
  got['in a frame'] = await element('iframe', '/');
  const heard = new Promise<string>((resolve) => {
    const channel = new BroadcastChannel('parallax.session');
    channel.onmessage = ({ data }) => resolve(JSON.stringify(data));
    channel.postMessage('ask');
  });
  got['over a channel'] = await within(heard, '');
  const popup = window.open(`${own}/`);
  // Until it is of another origin, closed, or read: then it can be asked for what it holds.
  await within(
    new Promise<void>((resolve) => {
      const look = () => {
        try {
          const isHere = popup !== null && !popup.closed && popup.location.href === 'about:blank';
          if (!isHere && (popup === null || popup.closed || popup.document.readyState === 'complete')) return resolve();
        } catch {
          return resolve();
        }
        setTimeout(look, 20);
      };
      look();
    }),
    undefined,
  );
  try {
    got['of a window it opened'] = popup === null || popup.closed ? '' : popup.sessionStorage.length > 0 ? 'read' : '';
  } catch {
    got['of a window it opened'] = '';
  }
  popup?.close();
  got.cookies = document.cookie;
  got['what is kept'] = sessionStorage.getItem('parallax.session') ?? '';
  return got;
}
