// What only the desktop window has: its walls, its menu, its dialogs, its memory.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { desktopMissing, launchDesktop, type RunningDesktop } from './support/launchDesktop.ts';
import { command, SOON } from './support/person.ts';

const missing = desktopMissing();
const title = `the desktop window${missing === null ? '' : ` (skipped: ${missing})`}`;

describe.skipIf(missing !== null)(title, () => {
  let dir: string;
  let file: string;
  let app: RunningDesktop;

  beforeAll(async () => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'parallax-desktop-')));
    file = join(dir, 'session.json');
    writeFileSync(file, '[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]');
    app = await launchDesktop();
    await app.page.locator('#root > *').first().waitFor();
  });

  afterAll(async () => {
    await app?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const extra: RunningDesktop[] = [];
  afterEach(async () => {
    for (const each of extra.splice(0)) await each.close();
  });

  it('is isolated, sandboxed and without Node', async () => {
    const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0];
      return window === undefined
        ? null
        : Reflect.apply(Reflect.get(window.webContents, 'getLastWebPreferences'), window.webContents, []);
    });
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    });
    const globals = await app.page.evaluate(() => Object.keys(window.parallax ?? {}).sort());
    expect(globals).toEqual([
      'connect',
      'dropped',
      'initialFiles',
      'onFiles',
      'onLinks',
      'onMenu',
      'openWindow',
      'pickFiles',
      'pickFolder',
      'platform',
      'saveFile',
      'setTheme',
      'takeLinks',
    ]);
  });

  it('frames the window in the theme that a person chooses', async () => {
    const framed = () => app.electron.evaluate(({ nativeTheme }) => nativeTheme.themeSource);
    expect(await framed()).toBe('system');
    for (const theme of ['dark', 'light', 'system'] as const) {
      await command(app, `Theme: ${theme === 'system' ? 'as the system' : theme}`);
      await expect.poll(framed, SOON).toBe(theme);
    }
  });

  it('serves the built page and nothing else under its scheme', async () => {
    const statuses = await app.page.evaluate(async () => {
      const paths = [
        '/index.html',
        '/nothing.js',
        '/../electron/main.js',
        '/%2e%2e/electron/main.js',
        '/.x',
        '/assets/',
      ];
      return Promise.all(paths.map(async (path) => (await fetch(`parallax://app${path}`)).status));
    });
    expect(statuses).toEqual([200, 404, 404, 404, 404, 404]);
  });

  it('lets no other page call the main process', async () => {
    const answer = await app.electron.evaluate(async ({ BrowserWindow, app: self }) => {
      const stranger = new BrowserWindow({
        show: false,
        webPreferences: {
          preload: `${self.getAppPath()}/dist/electron/preload.cjs`,
          sandbox: true,
          contextIsolation: true,
        },
      });
      await stranger.loadURL('data:text/html,<title>stranger</title>');
      const said = await stranger.webContents.executeJavaScript(
        `Promise.all(['pickFiles', 'initialFiles'].map((name) => window.parallax[name]().then(() => 'answered', (error) => error.message)).concat(window.parallax.connect('x').then(() => 'answered', (error) => error.message)))`,
      );
      stranger.destroy();
      return said;
    });
    expect(answer).toHaveLength(3);
    for (const said of answer) expect(said).toContain('refused');
  });

  it('has a menu whose entries reach the page', async () => {
    const labels = await app.electron.evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? []).map((item) => item.label || item.role),
    );
    expect(labels).toEqual(expect.arrayContaining(['File', 'View']));
    await app.page.evaluate(() => {
      const heard = new Promise((resolve) => window.parallax?.onMenu(resolve));
      Reflect.set(window, 'heard', heard);
    });
    await app.electron.evaluate(({ Menu }) => {
      const view = Menu.getApplicationMenu()?.items.find((item) => item.label === 'View');
      view?.submenu?.items.find((item) => item.label === 'Model view')?.click();
    });
    expect(await app.page.evaluate(() => Reflect.get(window, 'heard'))).toBe('view.model');
  });

  it('asks for files and for a place by the system’s dialogs', async () => {
    const asked = await app.electron.evaluate(({ dialog }) => {
      const calls: unknown[] = [];
      Reflect.set(globalThis, 'asked', calls);
      dialog.showOpenDialog = async (...args: unknown[]) => {
        calls.push(args.at(-1));
        return { canceled: false, filePaths: ['/some/where.jsonl'] };
      };
      dialog.showSaveDialog = async (...args: unknown[]) => {
        calls.push(args.at(-1));
        return { canceled: true, filePath: '' };
      };
      return true;
    });
    expect(asked).toBe(true);
    const answers = await app.page.evaluate(async () => {
      const host = window.parallax;
      return [await host?.pickFiles(), await host?.saveFile('../../bug.json')];
    });
    expect(answers).toEqual([[{ handle: expect.any(String), name: 'where.jsonl' }], null]);
    expect(JSON.stringify(answers)).not.toContain('/some');
    const calls = await app.electron.evaluate(() => Reflect.get(globalThis, 'asked'));
    expect(calls).toMatchObject([{ properties: ['openFile', 'multiSelections'] }, { defaultPath: 'bug.json' }]);
  });

  it('gives a handle for a file that a person drops, and none for one that a script made', async () => {
    await app.page.evaluate(() => {
      const input = document.createElement('input');
      input.type = 'file';
      input.id = 'dropped';
      document.body.append(input);
    });
    await app.page.setInputFiles('#dropped', file);
    const given = await app.page.evaluate(async () => {
      const input = document.querySelector<HTMLInputElement>('#dropped');
      const chosen = input?.files?.[0];
      input?.remove();
      const made = new File(['x'], '/etc/passwd');
      if (chosen === undefined) return null;
      return [await window.parallax?.dropped(chosen), await window.parallax?.dropped(made)];
    });
    expect(given).toEqual([{ handle: expect.any(String), name: 'session.json' }, null]);
  });

  it('comes back as wide as it was closed', async () => {
    const own = await launchDesktop();
    extra.push(own);
    await own.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(912, 640));
    await own.restart();
    const size = await own.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize());
    expect(size?.[0]).toBe(912); // the height depends on when the menu bar is laid out
  });

  // Last: the test driver takes a refused navigation for one that is still under way.
  it('cannot be led away, and opens no other window', async () => {
    const before = app.page.url();
    await app.electron.evaluate(({ BrowserWindow }) => {
      const asked: string[] = [];
      Reflect.set(globalThis, 'askedToNavigate', asked);
      BrowserWindow.getAllWindows()[0]?.webContents.on('will-navigate', ({ url }) => asked.push(url));
    });
    for (const url of ['https://example.com/', 'file:///etc/passwd', 'data:text/html,hello', 'parallax://other/']) {
      await app.page.evaluate((to) => {
        const link = document.createElement('a');
        link.href = to;
        document.body.append(link);
        link.click();
        link.remove();
      }, url);
    }
    expect(await app.page.evaluate(() => window.open('parallax://app/') === null)).toBe(true);
    // The page itself refuses the other two; the last was asked for last.
    await expect
      .poll(() => app.electron.evaluate(() => Reflect.get(globalThis, 'askedToNavigate')), SOON)
      .toEqual(['https://example.com/', 'parallax://other/']);
    expect(app.page.url()).toBe(before);
    expect(app.electron.windows()).toHaveLength(1);
  });
});
