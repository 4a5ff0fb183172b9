import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/host.ts';
import { onEachHost } from './support/onEachHost.ts';
import { SOON, saved } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const talk = (at: number) => [
  { role: 'user', content: `Question ${at}` },
  { role: 'assistant', content: `Answer ${at}` },
];
const session = files.write(
  'long.json',
  JSON.stringify({
    model: 'claude-opus-4-5',
    max_tokens: 1000,
    messages: Array.from({ length: 60 }, (_, at) => talk(at)).flat(),
  }),
);

const box = async ({ page }: RunningApp, selector: string) => {
  const found = await page.locator(selector).last().boundingBox();
  if (found === null) throw new Error(`${selector} is not to be seen`);
  return found;
};
const cells = ({ page }: RunningApp, index: number) =>
  page.locator(SELECTORS.rowOf(index)).locator(`.row-line ${SELECTORS.cell}`);

onEachHost('a person makes room for what is read', { start: () => ({ files: [session] }) }, (step) => {
  step('what is sent as it is recorded is there once, across both panes', async (app) => {
    await app.page.locator(SELECTORS.row).first().click();
    await app.page.keyboard.press('Home');
    await expect.poll(() => cells(app, 0).allTextContents(), SOON).toEqual([expect.stringContaining('Question 0')]);
    await app.page.keyboard.press('o');
    await expect
      .poll(() => cells(app, 0).allTextContents(), SOON)
      .toEqual([expect.stringContaining('Question 0'), expect.stringContaining('Question 0')]);
    await app.page.keyboard.press('o');
    await expect.poll(() => cells(app, 0).count(), SOON).toBe(1);
  });

  step('the line above the rows says which turn they lie in', async (app) => {
    const line = app.page.getByTestId('turn-line');
    await app.page.keyboard.press('Home');
    await expect.poll(() => line.innerText(), SOON).toMatch(/^Turn 1\s+1 request/);
    await app.page.keyboard.press('End');
    const scrolled = () => app.page.locator(SELECTORS.timeline).evaluate((list) => list.scrollTop);
    await expect.poll(scrolled, SOON).toBeGreaterThan(0);
    // Two rows a turn; the first row in sight is the one below the heads.
    const expected = async () => Math.floor(Math.floor(((await scrolled()) + 1) / 24) / 2) + 1;
    await expect.poll(async () => Number(await line.getAttribute('data-turn')) - (await expected()), SOON).toBe(0);
    expect(await expected()).toBeGreaterThan(1);
    await app.page.keyboard.press('Home');
  });

  step('the drawer goes to the right, and the list stays where it was', async (app) => {
    await app.page.locator(SELECTORS.drawerTab('rendered')).click();
    await app.page.locator(SELECTORS.row).last().click();
    await app.page.keyboard.press('Home');
    for (let times = 0; times < 30; times++) await app.page.keyboard.press('j');
    await app.page.locator(SELECTORS.rowOf(30)).waitFor();
    await app.page.keyboard.press('Shift+E');
    await expect
      .poll(async () => (await box(app, SELECTORS.drawer)).x >= (await box(app, SELECTORS.timeline)).x + 250, SOON)
      .toBe(true);
    await app.page.locator(SELECTORS.rowOf(30)).waitFor();
    await expect.poll(() => app.page.locator(SELECTORS.drawer).innerText(), SOON).toContain('Question 15');
  });

  step('it is maximised over the panes, and Escape puts it back', async (app) => {
    // Escape closes a toast first.
    await app.page.keyboard.press('Escape');
    await app.page.locator(SELECTORS.rowOf(30)).click();
    const before = await box(app, SELECTORS.drawer);
    await app.page.keyboard.press('e');
    await expect.poll(async () => (await box(app, SELECTORS.drawer)).width > before.width + 200, SOON).toBe(true);
    await expect.poll(() => app.page.locator(SELECTORS.drawer).innerText(), SOON).toContain('Question 15');
    await app.page.keyboard.press('Escape');
    await expect.poll(async () => (await box(app, SELECTORS.drawer)).width, SOON).toBe(before.width);
    // The keys that move are the list's again.
    await app.page.keyboard.press('j');
    await expect.poll(() => app.page.locator(SELECTORS.drawer).innerText(), SOON).toContain('Answer 15');
  });

  step('its place is kept over a restart', async (app) => {
    await saved(app);
    await app.restart();
    await app.page.locator(SELECTORS.drawer).waitFor();
    await expect
      .poll(async () => (await box(app, SELECTORS.drawer)).x >= (await box(app, SELECTORS.timeline)).x + 250, SOON)
      .toBe(true);
  });

  step('what is selected stays in sight, at whatever size', async (app) => {
    const { page } = app;
    const list = page.locator(SELECTORS.timeline);
    await page.setViewportSize({ width: 1440, height: 900 });
    await list.focus();
    for (const [edge, step] of [
      ['Home', 'ArrowDown'],
      ['End', 'ArrowUp'],
    ] as const) {
      await page.keyboard.press(edge);
      for (let times = 0; times < 7; times++) await page.keyboard.press(step);
      const index = Number(
        await page.locator(`${SELECTORS.row}[aria-selected="true"]`).first().getAttribute('data-index'),
      );
      const isWhole = async () => {
        const [own, whole, head] = await Promise.all(
          [SELECTORS.rowOf(index), SELECTORS.timeline, '.pane-heads'].map((one) =>
            page.locator(one).first().boundingBox(),
          ),
        );
        if (!own || !whole || !head) return null;
        return own.y >= head.y + head.height - 1 && own.y + own.height <= whole.y + whole.height + 1;
      };
      for (const [width, height] of [
        [1024, 600],
        [720, 480],
        [1440, 900],
        [720, 450],
        [1440, 900],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expect.poll(isWhole, SOON).toBe(true);
      }
    }
  });

  step('in a window of half a screen rows stay in sight, and every panel comes when it is called', async (app) => {
    const { page } = app;
    await page.setViewportSize({ width: 720, height: 480 });
    const bar = page.getByRole('navigation', { name: 'Panels' });
    await bar.waitFor();
    const list = await box(app, SELECTORS.timeline);
    const inSight = async () => {
      const places = await page
        .locator(SELECTORS.row)
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect()));
      return places.filter(({ top, bottom }) => top >= list.y && bottom <= list.y + list.height).length;
    };
    await expect.poll(inSight, SOON).toBeGreaterThanOrEqual(8);
    for (const [name, panel] of [
      ['Library', '.library-overlay'],
      [/^Message/, SELECTORS.drawer],
      ['Policy', '[data-testid="policy-panel"]'],
    ] as const) {
      const button = bar.getByRole('button', { name });
      await button.click();
      await page.locator(panel).waitFor();
      expect(await button.getAttribute('aria-pressed')).toBe('true');
      // Nothing of it is out of reach.
      const { x, width } = await box(app, panel);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(720);
      await button.click();
      await page.locator(panel).waitFor({ state: 'detached' });
    }
    await bar.getByRole('button', { name: 'Bug report…' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('mode-select').selectOption({ label: 'Compactions' });
    await page.locator('.workspace[data-mode="compactions"]').waitFor();
  });
});
