// Panes in little room: the sides of a row share a line or stack, the drawer on the right takes the policy panel's place and
// has one menu for its tabs, lists have their numbers and dots, and the budget stays in sight whatever is above it.
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, command, importFile, rested } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const lamp = files.write('lamp.json', lampJson());
const LIST = 'A list of things:\n\n100. one\n101. two\n\n- dot\n- dot\n\n1. three';
const list = files.write('list.json', JSON.stringify([{ role: 'user', content: LIST }]));

/** Of the first row whose two sides differ: what can be seen of each. */
const sides = (page: Page) =>
  page
    .locator('.row[data-fate="redacted"]')
    .first()
    .evaluate((row) => {
      const cells = [...row.querySelectorAll<HTMLElement>('.row-line > .cell')].map((cell) => {
        const { left, right, top, bottom } = cell.getBoundingClientRect();
        const text = cell.querySelector<HTMLElement>('.cell-text');
        const before = text === null ? '' : getComputedStyle(text, '::before').content;
        return { left, right, top, bottom, width: text?.getBoundingClientRect().width ?? 0, before };
      });
      return { cells, height: row.getBoundingClientRect().height };
    });

onEachHost('panes in little room', { start: () => ({ files: [lamp] }) }, (step) => {
  step('(results are cleared)', async (app) => {
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await choosePreset(app, 'clean_then_reclaim');
    await app.page.locator('.row[data-fate="redacted"]').first().waitFor();
    await rested(app);
  });

  step('both sides of a row share its line in a small window', async ({ page }) => {
    await page.setViewportSize({ width: 720, height: 480 });
    await expect.poll(async () => (await sides(page)).cells[1]?.before).toContain('sent as');
    const { cells, height } = await sides(page);
    const [raw, sent] = cells;
    expect(height).toBe(24);
    expect(raw?.width).toBeGreaterThan(150);
    expect(sent?.width).toBeGreaterThan(100);
    expect(sent?.left).toBeGreaterThanOrEqual(raw?.right ?? Number.NaN);
  });

  step('and stack where rows have two lines', async ({ page }) => {
    await page.locator(SELECTORS.timeline).focus();
    await page.keyboard.press('d');
    await expect.poll(async () => (await sides(page)).height).toBe(40);
    const [raw, sent] = (await sides(page)).cells;
    expect(sent?.top).toBeGreaterThanOrEqual(raw?.bottom ?? Number.NaN);
    expect(sent?.width).toBeGreaterThan(300);
    await page.keyboard.press('d');
  });

  step('the find bar says its answer whole, as long as it says it', async ({ page }) => {
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator(SELECTORS.findInput).fill('lamp');
    await page.locator(SELECTORS.findNow).waitFor();
    // The second of many places: the count is at its longest.
    await page.keyboard.press('Enter');
    const bar = page.locator(SELECTORS.findBar);
    const cut = () =>
      bar.evaluate((element) => {
        const words = element.querySelector('[data-testid="find-now"] .ellipsis');
        const room = words?.getBoundingClientRect().width ?? 0;
        if (words === null || room === 0) return 'no answer';
        // A tenth of a pixel is enough for three letters to give way to dots.
        const text = document.createRange();
        text.selectNodeContents(words);
        const isCut = text.getBoundingClientRect().width > room + 0.01 || element.scrollWidth > element.clientWidth;
        return isCut ? 'cut' : 'whole';
      });
    const found: string[] = [];
    for (let width = 1200; width >= 640; width -= 40) {
      await page.setViewportSize({ width, height: 700 });
      await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
      found.push(await cut());
    }
    expect(found).not.toContain('cut');
    expect(found.filter((one) => one === 'whole').length).toBeGreaterThan(5);
    await page.locator(SELECTORS.findClose).click();
  });

  step('a drawer on the right leaves the text its room, and has a menu for its tabs', async (app) => {
    const { page } = app;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator(SELECTORS.policyPanel).waitFor();
    await page.locator(SELECTORS.rowOf(LAMP.driver)).click();
    await page.keyboard.press('Shift+E');
    await page.locator(SELECTORS.policyPanel).waitFor({ state: 'detached' });
    for (const { width } of (await sides(page)).cells) expect(width).toBeGreaterThan(180);
    const menu = page.locator('[data-testid="drawer-menu"]');
    await menu.selectOption('rendered');
    await page.locator('[data-testid="rendered"]').waitFor();
    expect(await menu.locator('option').count()).toBe(await page.locator('[data-testid="drawer-tab"]').count());
    await page.keyboard.press('F6');
    for (let stop = 0; stop < 8; stop++) {
      if (await menu.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('F6');
    }
    expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.locator(SELECTORS.timeline).focus();
    await page.keyboard.press('Shift+E');
    await page.locator(SELECTORS.policyPanel).waitFor();
  });

  step('the budget stays in sight over many stages', async (app) => {
    const { page } = app;
    const pin = page.locator('[data-testid="budget-pin"]');
    expect(await pin.count()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 540 });
    await choosePreset(app, 'all_steps');
    await rested(app);
    await page.locator('.policy-scroll').evaluate((scroll) => scroll.scrollTo(0, 0));
    await pin.waitFor();
    expect(await pin.textContent()).toContain((await page.locator(SELECTORS.budgetTotal).textContent()) ?? '-');
    await pin.click();
    await pin.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  step('lists have their numbers and dots, whole', async (app) => {
    const { page } = app;
    await importFile(app, list);
    await command(app, 'A list of things');
    await page.locator(SELECTORS.rowOf(0)).filter({ hasText: 'dot' }).click();
    await page.locator(SELECTORS.drawerTab('rendered')).click();
    const text = page.locator('[data-testid="rendered"] .markdown');
    await text.locator('li').first().waitFor();
    expect(
      await text.locator('ol, ul').evaluateAll((all) => all.map((one) => getComputedStyle(one).listStyleType)),
    ).toEqual(['decimal', 'disc', 'decimal']);
    const room = await text
      .locator('ol')
      .first()
      .evaluate((one) => Number.parseFloat(getComputedStyle(one).paddingLeft));
    expect(room).toBeGreaterThan(36);
  });
});
