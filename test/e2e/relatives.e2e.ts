import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { CALLS, FORK, relatedGrowth, writeRelatedSessions } from '../support/relatedSessions.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, followFile, rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';

const dir = mkdtempSync(join(tmpdir(), 'parallax-related-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const { session, agent } = writeRelatedSessions(dir);
execFileSync('chmod', ['-R', 'a+rX', dir]); // the app may run as another user

const text = (page: Page, index: number) => page.locator(SELECTORS.rowOf(index)).locator(SELECTORS.cell).first();

/** Distance of a row from the top of the window. */
async function topOf(page: Page, index: number): Promise<number> {
  return (await page.locator(SELECTORS.rowOf(index)).boundingBox())?.y ?? Number.NaN;
}

async function selectedIndex(page: Page): Promise<number> {
  return Number(await page.locator(`${SELECTORS.row}[aria-selected="true"]`).first().getAttribute('data-index'));
}

onEachHost(
  'a person follows a sub-agent and comes back, and opens another branch',
  { start: () => ({ files: [session, agent] }) },
  (step) => {
    step('opens it from the row of the call', async ({ page }) => {
      await page.locator(SELECTORS.relationsButton).waitFor();
      await page.locator(SELECTORS.timeline).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('b');
      await page.locator(SELECTORS.child).first().waitFor();
      await page.keyboard.press('Escape');
      await page.locator(SELECTORS.child).first().waitFor({ state: 'detached' });
      await page.keyboard.press('Home');
      for (let at = 0; at < 2; at++) await page.keyboard.press('PageDown');
      const link = page.locator(SELECTORS.rowOf(CALLS.file)).locator(SELECTORS.spawnLink);
      await link.click();
      await expect.poll(() => text(page, 1).textContent(), SOON).toContain('Lowering the lead line.');
    });

    step('comes back to the very call', async ({ page }) => {
      await page.locator(SELECTORS.parentLink).click();
      await expect.poll(() => selectedIndex(page), SOON).toBe(CALLS.file);
      expect(await text(page, CALLS.file).textContent()).toContain('Sound the depth of the basin');
    });

    step('goes there and back by keys, from the call beside it', async ({ page }) => {
      await page.locator(SELECTORS.timeline).focus();
      for (let at = CALLS.file; at < CALLS.inline; at++) await page.keyboard.press('ArrowDown');
      await expect.poll(() => selectedIndex(page), SOON).toBe(CALLS.inline);
      await page.keyboard.press('Alt+ArrowDown');
      await expect.poll(() => text(page, 1).textContent(), SOON).toContain('The vane points south-west.');
      await page.locator(SELECTORS.parentLink).waitFor();
      await page.keyboard.press('Alt+ArrowUp');
      await expect.poll(() => selectedIndex(page), SOON).toBe(CALLS.inline);
    });

    step('finds the link in the drawer, and the way in the palette', async (app) => {
      const { page } = app;
      await page.locator(SELECTORS.childLink).first().click();
      await expect.poll(() => text(page, 1).textContent(), SOON).toContain('The vane points south-west.');
      await page.locator(SELECTORS.parentLink).waitFor();
      await command(app, 'Go back to the call that started this sub-agent');
      await expect.poll(() => selectedIndex(page), SOON).toBe(CALLS.inline);
    });

    // And another branch.
    step('sees that there are two, and where they part', async ({ page }) => {
      await page.locator(SELECTORS.relationsButton).click();
      const branches = page.locator(SELECTORS.branch);
      await expect.poll(() => branches.count(), SOON).toBe(2);
      expect(await branches.nth(0).textContent()).toContain('Stone it is.');
      expect(await branches.nth(0).getAttribute('data-active')).toBe('true');
      expect(await branches.nth(0).getAttribute('data-here')).toBe('true');
      expect(await branches.nth(1).textContent()).toContain('Oak it is.');
      expect(await branches.nth(1).textContent()).toContain(`forks at #${FORK}`);
    });

    step('chooses the other: it opens where they part', async ({ page }) => {
      await page.locator(SELECTORS.branch).nth(1).click();
      await expect.poll(() => text(page, FORK).textContent(), SOON).toContain('Step 100 of the survey.');
      await expect.poll(() => selectedIndex(page), SOON).toBe(FORK);
    });

    step('goes back by key with that place in sight: nothing shared moves', async (app) => {
      const { page } = app;
      await rested(app);
      const before = await topOf(page, FORK - 2);
      await page.keyboard.press('Shift+B');
      await expect.poll(() => text(page, FORK).textContent(), SOON).toContain('Build the quay of stone.');
      await expect.poll(() => topOf(page, FORK - 2), SOON).toBe(before);
    });

    step('finds it in the library under its session', async ({ page }) => {
      await page.locator(SELECTORS.libraryFold).first().click();
      await page.locator(`${SELECTORS.libraryItem}[data-under="branch"]`).waitFor({ state: 'detached' });
      await page.locator(SELECTORS.libraryFold).first().click();
      await page.locator(`${SELECTORS.libraryItem}[data-under="branch"]`).click();
      await expect.poll(() => text(page, FORK).textContent(), SOON).toContain('Step 100 of the survey.');
    });
  },
);

const { before, rest } = relatedGrowth();
const asText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

const growingOf = (kind: string): string => join(dir, `${kind}.jsonl`);
const atStart = { start: (kind: string) => (kind === 'web' ? { files: [growingOf(kind)] } : {}) };

onEachHost('a person watches a session go back', atStart, (step, kind) => {
  const growing = growingOf(kind);
  writeFileSync(growing, asText(before));
  chmodSync(growing, 0o644);
  chmodSync(dir, 0o755);

  step('has its file followed, and reads near the place', async (app) => {
    const { page } = app;
    await followFile(app, growing);
    await page.locator(SELECTORS.row).first().waitFor();
    await page.locator(SELECTORS.timeline).focus();
    await page.keyboard.press('Home');
    await expect.poll(() => selectedIndex(page), SOON).toBe(0);
    for (let at = 0; at < 2; at++) await page.keyboard.press('PageDown');
    await page.locator(SELECTORS.rowOf(CALLS.inline)).click();
    await expect.poll(() => selectedIndex(page), SOON).toBe(CALLS.inline);
    expect(await page.locator(SELECTORS.branch).count()).toBe(0);
  });

  step('sees the other way it takes at once, and keeps the place', async ({ page }) => {
    await expect.poll(() => text(page, FORK).textContent(), SOON).toContain('Step 100 of the survey.');
    appendFileSync(growing, asText(rest));
    await expect.poll(() => text(page, FORK).textContent(), SOON).toContain('Build the quay of stone.');
    expect(await selectedIndex(page)).toBe(CALLS.inline);
  });

  step('finds what was left as a branch', async ({ page }) => {
    await page.locator(SELECTORS.timeline).focus();
    await page.keyboard.press('b');
    const left = page.locator(`${SELECTORS.branch}[data-here="false"]`);
    await expect.poll(() => left.textContent(), SOON).toContain('Oak it is.');
    await left.click();
    await expect.poll(() => text(page, FORK).textContent(), SOON).toContain('Step 100 of the survey.');
  });
});
