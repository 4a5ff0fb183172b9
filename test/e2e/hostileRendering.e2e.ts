// Every view that shows what a transcript says, over a transcript that is hostile in all it says: no script, no request,
// nothing outside its place.
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DRAWER_TABS } from '../../renderer/state/tabs.ts';
import { cases, isTaken } from '../support/cases.ts';
import { runCli } from '../support/cli.ts';
import { chromiumArgs, findChromium } from './support/chromium.ts';
import type { RunningApp } from './support/host.ts';
import { escapes, hostileDir, hostileName, watchLeaving, watchRefusals } from './support/hostile.ts';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, command, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';

const files = hostileDir();
afterAll(() => files.remove());

const DIALOG = '[role="dialog"]';
const shown = ({ page }: RunningApp, selector: string) => page.locator(selector).first().waitFor();
const left: string[] = [];
/** On the desktop: what is read in the window itself, in the editor and its workers, from pictures, and over the page. */
const ON_DESKTOP = [
  ...['library and rows', 'each row opened, rendered', 'under a policy'],
  ...['drawer: rendered', 'drawer: json'].map((name) => `${name}, of a prompt, a call, a result and images`),
  ...['menu of a row', 'search with hits', 'mode Checks', 'library as a table', 'Export a bug report'],
  ...['the titles of windows are plain text', 'the measure itself reports what leaves its place'],
];
/** Each text makes five or six rows, one of a kind: every seventh is of another kind and of the next text. */
const SOME_ROWS = cases(1, 7);
/** To a prompt, an answer with a call, its result, the next prompt, and at the end to images. */
const KEYS = ['Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End', 'ArrowUp'];

/** What comes late has come: what the engine was asked for, images, and what is drawn of both. */
async function arrived(page: Page): Promise<void> {
  await page.evaluate(drawnOpen);
  await page.waitForFunction((status) => {
    const says = document.querySelector(status)?.textContent ?? 'idle';
    const isThere = [...document.images].every(({ complete, loading }) => complete || loading === 'lazy');
    return says === 'idle' && isThere && document.querySelector('.strip-loading') === null;
  }, SELECTORS.statusActivity);
  await page.evaluate(drawnOpen);
}

/** What was found in the page, twice: at once, and when what comes late has come. */
async function look({ page }: RunningApp): Promise<readonly string[]> {
  const found = new Set(await escapes(page));
  await arrived(page);
  for (const one of await escapes(page)) found.add(one);
  return [...found];
}

/** Opens each row by the keyboard, or each `step`-th, looks at the page, and closes it again; `opened` = rows that did open. */
async function openEachRow(
  page: Page,
  count: number,
  step: number,
): Promise<{ readonly found: readonly string[]; readonly opened: number }> {
  const found = new Set<string>();
  let opened = 0;
  for (let at = 0; at < count; at += step) {
    await page.keyboard.press('Enter');
    if (await page.evaluate(drawnOpen)) opened++;
    for (const one of await escapes(page)) found.add(one);
    await page.keyboard.press('Enter');
    for (let row = 0; row < step; row++) await page.keyboard.press('ArrowDown');
  }
  return { found: [...found], opened };
}

/** In the page: two frames later what follows from a key is drawn. Answers whether a row is open. */
function drawnOpen(): Promise<boolean> {
  return new Promise((done) =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => done(document.querySelector('[data-testid="row"][aria-expanded="true"]') !== null)),
    ),
  );
}

async function nothingEscapes(app: RunningApp): Promise<void> {
  expect(await look(app)).toEqual([]);
  expect(left).toEqual([]);
}

async function leave({ page }: RunningApp): Promise<void> {
  await page.keyboard.press('Escape');
  const discard = page.locator(SELECTORS.modalDiscard);
  if (await discard.isVisible()) await discard.click();
}

onEachHost(
  'every view of a hostile transcript',
  { start: () => ({ files: [files.session, files.chat] }) },
  (walk, kind) => {
    const step: typeof walk = (name, each) => {
      if (isTaken(kind === 'web', name, ON_DESKTOP)) walk(name, each);
    };
    /** Brings a view up, looks at it, and leaves it. */
    const view = (
      name: string,
      open: (app: RunningApp) => Promise<unknown>,
      close: (app: RunningApp) => Promise<unknown> = leave,
    ) =>
      step(name, async (app) => {
        await open(app);
        await nothingEscapes(app);
        await close(app);
      });
    const stay = async () => undefined;

    view(
      'library and rows',
      async (app) => {
        left.length = 0;
        watchLeaving(app.page, left);
        await watchRefusals(app.page);
        const item = app.page
          .locator(SELECTORS.libraryItem)
          .filter({ hasText: 'needle' })
          .or(app.page.locator(SELECTORS.libraryItem).filter({ hasText: 'title' }));
        await item.first().click();
        await shown(app, SELECTORS.row);
        await shown(app, '[data-testid="cache-strip"]');
      },
      stay,
    );

    for (const [name, key] of [
      ['raw', '1'],
      ['model view', '3'],
      ['side by side', '2'],
    ] as const)
      view(
        `rows ${name}`,
        async (app) => {
          await app.page.locator(SELECTORS.timeline).focus();
          await app.page.keyboard.press(key);
        },
        stay,
      );

    for (const texts of ['rendered', 'as recorded'] as const)
      step(`each row opened, ${texts}`, async (app) => {
        const { page } = app;
        if (texts === 'as recorded') await command(app, 'Show texts as recorded');
        await page.locator(SELECTORS.timeline).focus();
        await page.keyboard.press('Home');
        const count = Number(await page.locator(SELECTORS.timeline).getAttribute('aria-rowcount'));
        const step = texts === 'rendered' && kind === 'web' ? 1 : SOME_ROWS;
        const { found, opened } = await openEachRow(page, count, step);
        if (texts === 'as recorded') await command(app, 'Show texts as recorded');
        expect(found).toEqual([]);
        expect(left).toEqual([]);
        expect(opened).toBeGreaterThan(count / step / 2);
      });

    view(
      'under a policy',
      async (app) => {
        const shown = await app.page.locator(SELECTORS.timeline).getAttribute('data-projection');
        await choosePreset(app, 'all_steps');
        await expect
          .poll(() => app.page.locator(SELECTORS.timeline).getAttribute('data-projection'), SOON)
          .not.toBe(shown);
      },
      stay,
    );

    for (const id of DRAWER_TABS.filter((one) => one !== 'find'))
      step(`drawer: ${id}, of a prompt, a call, a result and images`, async (app) => {
        const { page } = app;
        await page.locator(SELECTORS.drawerTab(id)).click();
        const found = new Set<string>();
        for (const key of KEYS) {
          await page.locator(SELECTORS.timeline).focus();
          await page.keyboard.press(key);
          await arrived(page);
          for (const one of await escapes(page)) found.add(one);
        }
        expect([...found]).toEqual([]);
        expect(left).toEqual([]);
      });

    view('find', async (app) => {
      await app.page.locator(SELECTORS.timeline).focus();
      await app.page.keyboard.press('ControlOrMeta+f');
      await app.page.locator(SELECTORS.findInput).fill('onerror');
      await shown(app, SELECTORS.findAnswer);
    });
    view('filtered rows', async (app) => {
      await app.page.locator(SELECTORS.timeline).focus();
      await app.page.keyboard.press('l');
      await app.page.keyboard.type('tool:');
    });
    view('menu of a row', async (app) => {
      await app.page.locator(SELECTORS.row).nth(3).click({ button: 'right' });
      await shown(app, '[data-testid="row-menu"]');
    });
    view('palette', async (app) => {
      await app.page.keyboard.press('ControlOrMeta+k');
      await app.page.locator(SELECTORS.paletteInput).fill('title');
      await shown(app, SELECTORS.paletteItem);
    });
    view('search with hits', async (app) => {
      await app.page.keyboard.press('ControlOrMeta+Shift+f');
      await app.page.locator(SELECTORS.searchInput).fill('needle');
      await shown(app, SELECTORS.searchHit);
    });
    view(
      'watch strips',
      async (app) => {
        await app.page.locator(SELECTORS.timeline).focus();
        await app.page.keyboard.press('Home');
        await command(app, 'Watch this message');
        await shown(app, '[data-testid="watch"]');
      },
      stay,
    );
    view(
      'trail, chart and its lanes under the pointer',
      async (app) => {
        await app.page.locator(SELECTORS.row).nth(5).click();
        await app.page.locator('[data-testid="uses-strip"][aria-busy="true"]').waitFor({ state: 'detached' });
        const box = await app.page.locator('[data-testid="scrubber"]').boundingBox();
        if (box === null) throw new Error('no chart');
        for (const share of [0.1, 0.5, 0.9]) {
          await app.page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
          await app.page.evaluate(drawnOpen);
          expect(await escapes(app.page)).toEqual([]);
        }
      },
      stay,
    );

    const mode = (title: string, key: string, then: (app: RunningApp) => Promise<unknown> = stay) =>
      view(
        `mode ${title}`,
        async (app) => {
          await app.page.keyboard.press(`ControlOrMeta+${key}`);
          await shown(app, `.workspace[data-mode="${title.toLowerCase()}"]`);
          await then(app);
        },
        ({ page }) => page.keyboard.press('ControlOrMeta+1'),
      );
    mode('Compare', '2');
    mode('Tune', '3');
    mode('Compactions', '4');
    mode('Checks', '5', async (app) => {
      await app.page.setInputFiles('[data-testid="checks-field"]', files.rules);
      await shown(app, '[data-testid="checks"][data-state="done"]');
    });

    step('A | B: each pair of rows', async (app) => {
      await command(app, 'Compare this policy with the recorded history');
      await shown(app, '[data-testid="compared-row"]');
      await nothingEscapes(app);
      await app.page.keyboard.press('ControlOrMeta+1');
    });

    view(
      'library as a table',
      async (app) => {
        await app.page.keyboard.press('ControlOrMeta+Shift+L');
        await shown(app, SELECTORS.libraryTable);
      },
      ({ page }) => page.keyboard.press('ControlOrMeta+Shift+L'),
    );
    view('facets of the library', async (app) => {
      await app.page.locator(SELECTORS.facets).first().click();
    });

    for (const title of [
      'Library analytics',
      'Export a bug report',
      'Request on the wire',
      'Folders and followed files',
      'Storage',
      'Fork here',
      'Tags…',
      'Rename the transcript',
      'Write a summary',
      'Prices of tokens',
    ])
      view(title, async (app) => {
        await command(app, title);
        await app.page.locator(`${DIALOG}, [data-testid="analytics-tiles"]`).first().waitFor();
        if (title === 'Export a bug report') await shown(app, '[data-testid="review-outcome"]');
      });

    step('the titles of windows are plain text', async ({ page }) => {
      expect(await page.title()).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000-\u001f]/);
      expect(await page.title()).not.toBe('ran');
      expect(hostileName(1)).toContain('onerror');
    });

    step('the measure itself reports what leaves its place', async ({ page }) => {
      await page.evaluate(() => {
        const outside = document.createElement('a');
        outside.setAttribute('href', 'javascript:0');
        outside.style.cssText = 'position:fixed;left:0;top:0;width:9px;height:9px';
        document.querySelector('.drawer')?.append(outside);
      });
      const found = (await escapes(page)).join();
      await page.evaluate(() => document.querySelector('.drawer > a[href="javascript:0"]')?.remove());
      expect(found).toContain('A href');
      expect(found).toContain('paints outside');
    });
  },
);

const executablePath = findChromium();

describe.skipIf(executablePath === null)('the page of a hostile report', () => {
  let browser: Browser | null = null;
  let page: Page;
  const left: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    const out = join(dirname(files.session), 'page.html');
    const run = await runCli(['export', files.session, '-o', join(dirname(out), 'report.json'), '--html', out]);
    expect(run).toMatchObject({ code: 0 });
    if (executablePath === null) return;
    browser = await chromium.launch({ executablePath, args: chromiumArgs(), headless: true });
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    watchLeaving(page, left);
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(pathToFileURL(out).href);
    await page.locator(SELECTORS.row).first().waitFor();
    await watchRefusals(page);
  });
  afterAll(() => browser?.close());

  it('keeps rows, opened, in their place', async () => {
    await page.locator('#timeline').focus();
    await page.keyboard.press('Home');
    const count = Number(await page.locator(SELECTORS.timeline).getAttribute('aria-rowcount'));
    const { found, opened } = await openEachRow(page, count, SOME_ROWS);
    expect(found).toEqual([]);
    expect(opened).toBeGreaterThan(count / SOME_ROWS / 2);
  });

  it('keeps each tab in its place', async () => {
    const found = new Set<string>();
    for (const tab of await page.locator('[data-testid="drawer-tab"]').all()) {
      await tab.click();
      for (const key of KEYS) {
        await page.locator('#timeline').focus();
        await page.keyboard.press(key);
        await arrived(page);
        for (const one of await escapes(page)) found.add(one);
      }
    }
    expect([...found]).toEqual([]);
  });

  it('asked nobody for anything, and had nothing to say', () => {
    expect(left).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
