import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, indexesWithFate, rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

/** The messages with calls, but for the last, which `keep` of the stage leaves alone. */
const OLD_CALLS = [2, 4, 8, 10];

onEachHost('a person caps what calls may take', { start: () => ({ files: [lamp] }) }, (step) => {
  step('puts a cap on the tier: it is over, and what would help is offered', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await choosePreset(app, 'raw');
    await page.locator(SELECTORS.budgetMore).click();
    await page.locator(SELECTORS.addCap).click();
    await page.locator('[data-tier="tool_call"][role="menuitem"]').click();
    const cap = page.locator(SELECTORS.capOf('tool_call'));
    await cap.fill('12');
    await cap.press('Enter');
    const note = page.locator(SELECTORS.capNotes).locator('[data-tier="tool_call"]');
    await expect.poll(() => note.textContent(), SOON).toMatch(/over its cap of 12/);
    expect(await indexesWithFate(app, 'rewritten')).toEqual([]);
    await rested(app);
  });

  step('takes the offer: the oldest calls lose their arguments, and say why', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.addActing('tier_caps')).click();
    await expect.poll(() => indexesWithFate(app, 'rewritten'), SOON).toEqual(OLD_CALLS);
    await page.locator(SELECTORS.rowOf(OLD_CALLS[0]!)).first().click();
    await expect.poll(() => page.locator(SELECTORS.why).textContent(), SOON).toMatch(/Tier caps.*12/s);
  });

  step('raises the cap: all of them are there again, and no tier is over', async (app) => {
    const { page } = app;
    const cap = page.locator(SELECTORS.capOf('tool_call'));
    await cap.fill('5000');
    await cap.press('Enter');
    await expect.poll(() => indexesWithFate(app, 'rewritten'), SOON).toEqual([]);
    await expect.poll(() => page.locator(SELECTORS.capNotes).count(), SOON).toBe(0);
    expect(app.errors()).toEqual([]);
  });
});
