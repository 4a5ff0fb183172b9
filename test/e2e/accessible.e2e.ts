import { afterAll, expect } from 'vitest';
import { isTaken } from '../support/cases.ts';
import { OF_COLOR, violations } from './support/axe.ts';
import { onEachHost } from './support/onEachHost.ts';
import { filesDir, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

/** What a person opens by a key, and what says that it is there. */
const DIALOGS = [
  ['keys', '?', '[data-testid="key-map"]'],
  ['palette', 'Control+k', '[role="dialog"]'],
  ['search', 'Control+Shift+F', '[role="dialog"]'],
  ['export', 'Control+e', '[role="dialog"]'],
  ['wire', 'Control+Shift+E', '[role="dialog"]'],
  ['tags', 't', '[role="dialog"]'],
  ['sources', 'Control+Shift+O', '[role="dialog"]'],
] as const;

/** Whole: the screens of everyScreen.e2e.ts, which a browser has. */
const NAMED = ['keys', 'export'];

const seen = 'a person who hears the screen, or sees it in few colors';

onEachHost(seen, { start: () => ({ files: [lamp] }) }, (step, kind) => {
  // The page is the same on both hosts: everyScreen.e2e.ts looks at all of it in a browser.
  const onDesktop = kind === 'desktop' ? step : () => undefined;
  onDesktop('finds nothing that axe minds, in both themes', async ({ page }) => {
    await page.locator('[data-testid="row"]').first().click();
    // The other theme has the same elements in other colors.
    for (const [colorScheme, rules] of [
      ['light', null],
      ['dark', OF_COLOR],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect.poll(() => violations(page, rules), { timeout: 15_000 }).toEqual([]);
      for (const [name, key, shown] of DIALOGS.filter(([name]) => isTaken(false, name, NAMED))) {
        await page.locator('[data-testid="timeline"]').focus();
        await page.keyboard.press(key);
        await page.locator(shown).first().waitFor();
        await expect.poll(async () => [name, await violations(page, rules)], { timeout: 15_000 }).toEqual([name, []]);
        await page.keyboard.press('Escape');
        await page.locator(shown).first().waitFor({ state: 'detached' });
      }
      await page.keyboard.press('Control+Shift+L');
      await page.locator('[data-testid="library-table"]').waitFor();
      await expect.poll(() => violations(page, rules), { timeout: 15_000 }).toEqual([]);
      await page.keyboard.press('Control+Shift+L');
      await page.locator('[data-testid="timeline"]').waitFor();
    }
  });

  step('is told which side is raw: columns are named, cells know theirs', async ({ page }) => {
    await page.locator('[data-testid="row"]').first().click();
    const heads = page.locator('[role="treegrid"] [role="columnheader"]');
    await expect.poll(() => heads.allTextContents()).toHaveLength(2);
    expect((await heads.allTextContents())[0]).toMatch(/^Raw/);
    const cells = page.locator('[data-testid="row"]').nth(1).locator('[role="gridcell"]');
    const places = () =>
      cells.evaluateAll((all) =>
        all.map((one) => ['aria-colindex', 'aria-colspan'].map((name) => one.getAttribute(name))),
      );
    // What is the same on both sides is one cell over both columns.
    await expect.poll(places).toEqual([['1', '2']]);
    await page.keyboard.press('o');
    await expect.poll(places).toEqual([
      ['1', null],
      ['2', null],
    ]);
    const children = await page
      .locator('[role="treegrid"]')
      .evaluate((grid) => [...grid.children].map((one) => one.getAttribute('role')));
    expect(children.every((role) => role === 'row' || role === 'presentation')).toBe(true);
  });

  step('sees in forced colors what is selected, current and switched on', async ({ page }) => {
    await page.locator('[data-testid="row"]').nth(2).click();
    await page.emulateMedia({ forcedColors: 'active' });
    const looks = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => {
          const { outlineStyle, backgroundColor } = getComputedStyle(one);
          return { outlineStyle, backgroundColor };
        });
    expect((await looks('.row-selected .row-line')).outlineStyle).toBe('solid');
    const on = await looks('.drawer-tab[data-state="active"]');
    const off = await looks('.drawer-tab[data-state="inactive"]');
    expect(on.backgroundColor).not.toBe(off.backgroundColor);
    const chosen = await looks('.layout-choice[data-state="on"]');
    expect(chosen.backgroundColor).toBe(on.backgroundColor);
    const pieces = await page.locator('.budget-bar i').evaluateAll((all) => {
      return new Set(all.map((one) => getComputedStyle(one).backgroundColor)).size;
    });
    expect(pieces).toBeGreaterThan(1);
  });
});
