import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, nextHash, SOON, saved, shownHash } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

/** Wants a summary of all but the last two turns. */
const SPEC = JSON.stringify({ version: 1, stages: [{ kind: 'summary', options: { when: 'always' } }] });
const TEXT = 'The lamp flickered; a loose wire was found behind the fuse.';

const placeholder = ({ page }: RunningApp) => page.locator(`${SELECTORS.row}[data-kind="synthetic"]`);
const card = ({ page }: RunningApp) => page.locator(SELECTORS.stageCard);

onEachHost('a person writes a summary', { start: () => ({ files: [lamp] }) }, (step) => {
  step('chooses a policy that wants one: a labelled placeholder stands there', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    const raw = await shownHash(app);
    await page.locator(SELECTORS.policyMore).click();
    await page.locator(SELECTORS.policyImport).click();
    await page.locator(SELECTORS.importDialog).locator('textarea').fill(SPEC);
    await page.locator(SELECTORS.importApply).click();
    await nextHash(app, raw);
    await expect.poll(() => placeholder(app).textContent(), SOON).toMatch(/\[\d+ earlier messages summarized\]/);
    await expect.poll(() => card(app).textContent(), SOON).toContain('Write summary of #');
  });

  step('begins one and leaves it: what is typed is not lost by a key', async (app) => {
    const { page } = app;
    const [dialog, text] = [page.locator(SELECTORS.summaryDialog), page.locator(SELECTORS.summaryText)];
    await placeholder(app).locator(SELECTORS.writeSummary).click();
    await text.fill('Half a thought');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.textContent(), SOON).toContain('The text is not saved.');
    expect(await page.locator(SELECTORS.modalKeep).evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.modalKeep).waitFor({ state: 'detached' });
    expect(await text.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await text.inputValue()).toBe('Half a thought');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.locator(SELECTORS.modalDiscard).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await placeholder(app).textContent()).toMatch(/\[\d+ earlier messages summarized\]/);
  });

  step('writes it from the row of the placeholder: it stands there instead', async (app) => {
    const { page } = app;
    const before = await shownHash(app);
    await placeholder(app).locator(SELECTORS.writeSummary).click();
    await page.locator(SELECTORS.summaryText).fill(TEXT);
    expect(await page.locator(SELECTORS.summaryDialog).textContent()).toMatch(/~14 tok, estimated/);
    await page.locator(SELECTORS.summarySave).click();
    await nextHash(app, before);
    await expect.poll(() => placeholder(app).textContent(), SOON).toContain(TEXT.slice(0, 20));
    await expect.poll(() => card(app).textContent(), SOON).toMatch(/written summary/);
    expect(await page.locator(SELECTORS.writeSummary).count()).toBe(0);
    await saved(app);
  });

  step('finds it again after a restart', async (app) => {
    await app.restart();
    await app.page.locator(SELECTORS.row).first().waitFor();
    await expect.poll(() => placeholder(app).textContent(), SOON).toContain(TEXT.slice(0, 20));
  });

  step('and takes it away: the placeholder is back', async (app) => {
    const { page } = app;
    await command(app, 'Write a summary');
    await page
      .locator(SELECTORS.summaryDialog)
      .getByRole('button', { name: /^Delete the summary of/ })
      .click();
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.summaryDialog).waitFor({ state: 'detached' });
    await expect.poll(() => placeholder(app).textContent(), SOON).toMatch(/earlier messages summarized/);
  });
});
