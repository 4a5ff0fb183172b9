// The three jobs on the sample, by two people: one has a keyboard alone, one has what the accessibility tree says alone.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { SAMPLE } from '../../core/sample/facts.ts';
import type { RunningApp } from './support/host.ts';
import { isDesktop } from './support/launchDesktop.ts';
import { onEachHost } from './support/onEachHost.ts';
import { chooseFile, focusOf, rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

/** Saves what `ask` has the app save, and says where it is. */
async function saved(app: RunningApp, ask: () => Promise<void>): Promise<string> {
  const folder = join(files.path, `${app.kind}-${Math.random().toString(36).slice(2)}`);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const path = join(folder, 'report.parallax.json');
  if (isDesktop(app)) {
    await app.electron.evaluate(({ dialog }, chosen) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen });
    }, path);
    await ask();
    return path;
  }
  const [download] = await Promise.all([app.page.waitForEvent('download'), ask()]);
  await download.saveAs(path);
  return path;
}

onEachHost('a person with a keyboard alone does the three jobs', {}, (step) => {
  /** Tab until that has the focus: it is reached, and one sees where one is all the way. */
  const tabTo = async (app: RunningApp, target: Locator) => {
    for (let times = 0; times < 60; times++) {
      if (await target.evaluate((one) => one === document.activeElement)) return;
      await app.page.keyboard.press('Tab');
      const { what, isVisible } = await focusOf(app);
      if (what !== 'nothing') expect(isVisible, `the focus on “${what}”`).toBe(true);
    }
    throw new Error('not reached in 60 steps');
  };

  step('opens the sample', async (app) => {
    await app.page.locator(SELECTORS.openSample).waitFor();
    await app.page.keyboard.press('s');
    await app.page.locator(SELECTORS.goneFold).first().waitFor();
    await rested(app);
  });

  step('why is it gone: types the text, reads who removed it, goes to where it was said', async (app) => {
    const { page } = app;
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type(SAMPLE.forgotten);
    const answer = page.locator(SELECTORS.findAnswer);
    await expect.poll(() => answer.textContent(), SOON).toMatch(/Gone from the request since call #47/);
    await page.keyboard.press('Enter');
    await page.locator(SELECTORS.rowOf(SAMPLE.at.rule)).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await focusOf(app)).isVisible, SOON).toBe(true);
  });

  step('compare policies: chooses one, reads the sums, steps through the differences', async (app) => {
    const { page } = app;
    await page.keyboard.press('ControlOrMeta+2');
    await tabTo(app, page.getByTestId('compare-pick-b'));
    await page.keyboard.press('Enter');
    await page.keyboard.type('Raw');
    await page.keyboard.press('Enter');
    const differing = page.getByTestId('compare-differing');
    await expect.poll(async () => Number(await differing.textContent()), SOON).toBeGreaterThan(40);
    await expect.poll(() => page.getByTestId('compare-sums').textContent(), SOON).toMatch(/B.*\$/);
    await page.keyboard.press('n');
    await page.keyboard.press('ControlOrMeta+1');
  });

  step('report a bug: saves the report and has it verified', async (app) => {
    const { page } = app;
    await page.keyboard.press('ControlOrMeta+e');
    await page.locator(`${SELECTORS.exportButton}:enabled`).waitFor();
    await tabTo(app, page.locator(SELECTORS.exportButton));
    const path = await saved(app, () => page.keyboard.press('Enter'));
    await page.locator(SELECTORS.exportDone).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('Verify a bug-report');
    await page.keyboard.press('Enter');
    await page.locator(`${SELECTORS.verifyButton}:focus`).waitFor();
    await chooseFile(app, path, () => page.keyboard.press('Enter'));
    await expect.poll(() => page.locator(SELECTORS.verifyResult).getAttribute('data-same'), SOON).toBe('true');
    await page.keyboard.press('Escape');
  });
});

onEachHost('a person who has the accessibility tree alone does the three jobs', {}, (step) => {
  step('opens the sample, and hears the columns and what became of each row', async (app) => {
    const { page } = app;
    await page.getByRole('button', { name: /^Open the sample/ }).click();
    const grid = page.getByRole('treegrid', { name: 'Messages' });
    await grid.getByRole('row', { name: /42 messages → summary #42/ }).waitFor();
    await rested(app);
    const heads = await grid.getByRole('columnheader').allInnerTexts();
    expect(heads[0]).toMatch(/^Raw/);
    expect(heads[1]).toMatch(/^(Sent|Would be sent)/);
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(20);
    const row = grid.getByRole('row', { selected: true }).first();
    expect(await row.getAttribute('aria-label')).toMatch(/^message 42, .*sent/);
    expect(await row.getAttribute('aria-expanded')).toBe('false');
    expect(Number(await row.getAttribute('aria-rowindex'))).toBeGreaterThan(1);
    expect(await page.title()).toMatch(/ – Timeline – Parallax$/);
  });

  step('why is it gone: asks by the button of that name, and hears the answer', async ({ page }) => {
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Why is it gone\?/ })
      .click();
    await page.getByRole('textbox', { name: 'Text to find in the requests' }).fill(SAMPLE.forgotten);
    const answer = page.getByRole('region', { name: 'Answer' });
    await expect.poll(() => answer.innerText(), SOON).toMatch(/Gone from the request since call #47/);
    await page.getByRole('button', { name: /^Next place/ }).click();
    const said = page
      .getByRole('treegrid')
      .getByRole('row', { name: /^message 0, user, (not sent|would not be sent): / });
    await said.first().waitFor();
    await page.getByRole('button', { name: /^Close the find bar/ }).click();
  });

  step('compare policies: by the mode of that name', async ({ page }) => {
    const modes = page.getByRole('navigation', { name: 'Modes' });
    await modes.getByRole('button', { name: 'Compare' }).click();
    expect(await modes.getByRole('button', { pressed: true }).innerText()).toBe('Compare');
    await page.getByRole('button', { name: /^Policy B: / }).click();
    await page.getByRole('option', { name: /^Raw/ }).first().click();
    const sums = page.getByRole('table', { name: 'Sums over all requests' });
    await expect.poll(() => sums.getByRole('row', { name: /^B Raw/ }).innerText(), SOON).toMatch(/\$/);
    await modes.getByRole('button', { name: 'Timeline' }).click();
  });

  step('report a bug: saves, and hears that it is done; verifies, and hears that it is the same', async (app) => {
    const { page } = app;
    await page.getByRole('button', { name: /^Bug report/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Report a bug' });
    const path = await saved(app, () => dialog.getByRole('button', { name: 'Write the file…' }).click());
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: /^Verify/ }).click();
    const verify = page.getByRole('dialog', { name: 'Verify a bug report' });
    await chooseFile(app, path, () => verify.getByRole('button', { name: /^Choose/ }).click());
    await expect.poll(() => verify.innerText(), SOON).toMatch(/^Same result$/m);
  });
});
