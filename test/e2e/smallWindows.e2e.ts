// A window of half a screen, a still smaller one, a screen at 200%, and a narrow one: on every screen each control can be
// come to, nothing makes the page scroll sideways, and axe finds nothing.
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { ALL_CASES, isTaken } from '../support/cases.ts';
import { OF_COLOR, violations } from './support/axe.ts';
import type { RunningApp } from './support/host.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, rested, SOON } from './support/person.ts';
import { outOfReach } from './support/reach.ts';
import { everyScreen, type Panel, type Screen, takeAway } from './support/screens.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const { welcome, openSession, opened } = everyScreen(files);

interface Size {
  readonly width: number;
  readonly height: number;
  /** Device pixels for each of them. */
  readonly scale?: number;
}

/** At one of these every panel lies over the panes. */
const SMALL: readonly Size[] = [
  { width: 720, height: 480 },
  { width: 640, height: 400 },
];
/** 1440×900 at 200%: laid out as between the two (no sheet asks for a resolution), so of the screens a few. */
const DOUBLED: Size = { width: 720, height: 450, scale: 2 };
const AT_DOUBLED = [
  'welcome',
  'side by side',
  'drawer: json',
  'find',
  'checks with results',
  'palette',
  'all of the chart',
];
/** The policy panel does. */
const NARROW: Size = { width: 1024, height: 700 };
/** Where axe looks, too. */
const LOOKED_AT = '720×480';

const PANELS: Readonly<Record<Panel, { readonly key: string; readonly shown: string }>> = {
  library: { key: 'ControlOrMeta+b', shown: SELECTORS.libraryFilter },
  drawer: { key: 'ControlOrMeta+d', shown: 'section.drawer' },
  policy: { key: 'ControlOrMeta+j', shown: SELECTORS.policyPanel },
};

async function setSize({ page }: RunningApp, { width, height, scale = 1 }: Size): Promise<void> {
  await page.setViewportSize({ width, height });
  if (scale !== 1) {
    const session = await page.context().newCDPSession(page);
    const screen = { width, height, deviceScaleFactor: scale, mobile: false };
    await session.send('Emulation.setDeviceMetricsOverride', screen);
  }
  const taken = () => page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio]);
  await expect.poll(taken).toEqual([width, height, scale]);
  await drawn(page);
}

/** Two frames: what follows from what was done is drawn. */
function drawn(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Calls for a panel where it is not to be seen; answers how it goes again. */
async function callFor({ page }: RunningApp, panel: Panel | undefined): Promise<() => Promise<void>> {
  if (panel === undefined) return async () => undefined;
  const { key, shown } = PANELS[panel];
  if (await page.locator(shown).isVisible()) return async () => undefined;
  await page.keyboard.press(key);
  await page.locator(shown).waitFor();
  return async () => {
    if (await page.locator(shown).isVisible()) await page.keyboard.press(key);
  };
}

/** What is wrong with a screen, size by size; it is brought up at the first and stays open. */
async function check(
  app: RunningApp,
  screen: Screen,
  sizes: readonly Size[],
): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  const { page } = app;
  let putAway: () => Promise<void> = async () => undefined;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  for (const [number, size] of sizes.entries()) {
    await setSize(app, size);
    if (number === 0) {
      putAway = await callFor(app, screen.panel);
      await screen.open(app);
      await drawn(page);
    }
    const name = `${size.width}×${size.height}`;
    const lost = await outOfReach(page, screen.within);
    if (lost.length > 0) found[name] = lost;
    if (name !== LOOKED_AT) continue;
    // Colours do not hang on the size: everyScreen looks at them.
    const minded = await violations(page, null, screen.within, ALL_CASES ? [] : OF_COLOR);
    if (minded.length > 0) found.axe = minded;
  }
  await takeAway(app, screen);
  await putAway();
  return found;
}

/** What only a small window has. */
const OF_SMALL: readonly Screen[] = [
  {
    name: 'all of the chart',
    async open({ page }) {
      await page.getByRole('button', { name: 'Chart', exact: true }).click();
      await page.getByTestId('chart-bar').waitFor();
      await page.getByTestId('watch-edit').waitFor();
      await page.getByTestId('cache-strip').waitFor();
    },
    async close({ page }) {
      await page.getByRole('button', { name: 'Chart', exact: true }).click();
      await page.getByTestId('chart-bar').waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'more',
    within: '[role="menu"]',
    async open({ page }) {
      await page.getByTestId('header-more').click();
      await page.getByRole('menuitem', { name: /^Keyboard/ }).waitFor();
    },
  },
];

/** The modes with something in them: of a session that records a compaction. */
const OF_SAMPLE: readonly Screen[] = [
  {
    name: 'the sample',
    async open(app) {
      await command(app, 'Open the sample');
      await app.page.locator('[data-testid="row"][data-index="42"]').first().waitFor();
      await rested(app);
    },
    close: async () => undefined,
  },
  {
    name: 'two policies compared',
    async open(app) {
      await app.page.keyboard.press('ControlOrMeta+2');
      await app.page.getByTestId('compare-pick-b').click();
      await app.page.locator(`${SELECTORS.pickList} [data-name="raw"]`).click();
      await app.page.getByTestId('difference').first().waitFor();
      await rested(app);
    },
    close: ({ page }) => page.keyboard.press('ControlOrMeta+1'),
  },
  {
    name: 'a compaction',
    async open(app) {
      await app.page.keyboard.press('ControlOrMeta+4');
      await app.page.locator('.compactions-columns').waitFor();
      await rested(app);
    },
    close: ({ page }) => page.keyboard.press('ControlOrMeta+1'),
  },
];

const ON_DESKTOP = ['side by side', 'drawer: why', 'palette', 'Export a bug report', 'policies', 'all of the chart'];

onEachHost('everything is in reach in a small window', {}, (step, kind) => {
  const all = (screens: readonly Screen[], sizes: readonly Size[]) => {
    for (const screen of screens) {
      if (!isTaken(kind === 'web', screen.name, ON_DESKTOP)) continue;
      const isDoubled = kind === 'web' && sizes.length > 1 && isTaken(false, screen.name, AT_DOUBLED);
      step(`on ${screen.name}, ${sizes[0]?.width} px wide`, async (app) => {
        expect(await check(app, screen, isDoubled ? [...sizes, DOUBLED] : sizes)).toEqual({});
      });
    }
  };

  all(welcome, [NARROW, ...SMALL]);

  step('(a transcript is opened, and a text of it watched)', async (app) => {
    await app.page.setViewportSize({ width: 1400, height: 900 });
    await openSession(app);
    await app.page.keyboard.press('ControlOrMeta+f');
    await app.page.locator(SELECTORS.findInput).fill('lamp');
    await app.page.getByTestId('find-watch').click();
    await app.page.getByTestId('watch-edit').waitFor();
    await app.page.keyboard.press('ControlOrMeta+f');
    await app.page.keyboard.press('Escape');
  });

  // What is in a panel has to be called for where that is not beside the panes; all else stays open while the window gets smaller.
  const isCalledFor = ({ name, panel }: Screen) => panel !== undefined || name === 'find';
  if (kind === 'web')
    for (const screen of opened) all([screen], screen.panel === undefined ? [NARROW, ...SMALL] : [NARROW]);
  all([...(kind === 'web' ? opened.filter(isCalledFor) : opened), ...OF_SMALL, ...OF_SAMPLE], SMALL);

  step('and eight rows are in sight in half a screen', async (app) => {
    await setSize(app, { width: 720, height: 480 });
    const inSight = () =>
      app.page.locator(SELECTORS.timeline).evaluate((list, row) => {
        const { bottom } = list.getBoundingClientRect();
        const top = list.querySelector('.pane-heads')?.getBoundingClientRect().bottom ?? 0;
        const boxes = [...list.querySelectorAll(row)].map((one) => one.getBoundingClientRect());
        return boxes.filter((box) => box.top >= top - 1 && box.bottom <= bottom + 1).length;
      }, SELECTORS.row);
    await expect.poll(inSight, SOON).toBeGreaterThanOrEqual(8);
    expect((await app.page.locator(SELECTORS.scrubber).boundingBox())?.height).toBeLessThanOrEqual(45);
  });
});
