import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

const ASKED = 'And if the lamp had no driver?';
const chip = '[data-testid="what-if-chip"]';

const rowText = (page: Page, index: number) =>
  page.locator(SELECTORS.rowOf(index)).locator(SELECTORS.cell).first().textContent();

const messages = (page: Page) => page.locator('.breadcrumb-counts').textContent();

onEachHost('a person asks what if', { start: () => ({ files: [lamp] }) }, (step) => {
  let before: string | null = null;

  step('forks by the menu of a message', async ({ page }) => {
    await page.locator(SELECTORS.rowOf(2)).waitFor();
    before = await messages(page);
    await page.locator(SELECTORS.rowOf(2)).click({ button: 'right' });
    await page.locator('[data-command="fork.here"]').click();
    await page.getByText('After #2', { exact: true }).click();
    expect(await page.getByTestId('fork-words').textContent()).toContain('Begins with messages #0 – #2');
    await page.getByTestId('fork-text').fill(ASKED);
    await page.getByTestId('fork-make').click();
  });

  step('sees that it is a what-if, and what was typed', async ({ page }) => {
    await page.locator(chip).waitFor();
    await expect.poll(() => rowText(page, 3), SOON).toContain(ASKED);
    expect(await page.locator(`${SELECTORS.rowOf(3)} [data-badge="typed"]`).count()).toBeGreaterThan(0);
    expect(await page.locator('h1').textContent()).toMatch(/^What if: /);
    await page.locator(`${SELECTORS.libraryItem}[data-under="what_if"]`).waitFor();
  });

  step('goes back: the transcript is as it was', async ({ page }) => {
    await page.locator(chip).click();
    await page.locator(chip).waitFor({ state: 'detached' });
    await expect.poll(() => messages(page), SOON).toBe(before);
    expect(await rowText(page, 3)).not.toContain(ASKED);
  });

  step('edits a user’s message by keyboard alone', async ({ page }) => {
    await page.locator(SELECTORS.timeline).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+F');
    await page.getByTestId('fork-text').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Something else.');
    await page.keyboard.press('Control+Enter');
    await page.locator(chip).waitFor();
    await expect.poll(() => page.locator(`${SELECTORS.libraryItem}[data-under="what_if"]`).count(), SOON).toBe(2);
  });
});
