// From an empty library, without a file: the sample and its tours, and the choice among the sessions found here. What
// is asserted is what the answer says.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { SAMPLE } from '../../core/sample/index.ts';
import { onEachHost } from './support/onEachHost.ts';
import { callPoint, command, rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';

const textOf = (page: import('playwright-core').Page, selector: string) =>
  page.locator(selector).first().textContent({ timeout: 5000 });

const home = realpathSync(mkdtempSync(join(tmpdir(), 'parallax-found-')));
// The window may belong to another user.
chmodSync(home, 0o755);
const folder = join(home, '.claude', 'projects', '-home-ada-app');
mkdirSync(folder, { recursive: true });
const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'claude-code', 'session.jsonl');
for (const name of ['one.jsonl', 'two.jsonl']) copyFileSync(FIXTURE, join(folder, name));

const atStart = { start: () => ({ env: { CLAUDE_CONFIG_DIR: join(home, '.claude') } }) };

onEachHost('a person opens the sample and finds what was forgotten', atStart, (step) => {
  step('opens it with one key: the compaction is one row, the summary is selected', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.openSample).waitFor();
    await page.keyboard.press('s');
    await expect
      .poll(() => page.locator(SELECTORS.goneFold).allTextContents(), SOON)
      .toEqual([expect.stringContaining('42 messages'), expect.stringMatching(/^→ summary #42, [~≈]?\d+ tok$/)]);
    const selected = page.locator(`${SELECTORS.row}[aria-selected="true"]`).first();
    await expect.poll(() => selected.getAttribute('data-index'), SOON).toBe(String(SAMPLE.at.summary));
  });

  step('asks why the rule is gone: since which request, removed by what, what was sent instead', async (app) => {
    const { page } = app;
    await rested(app);
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator(SELECTORS.findInput).fill(SAMPLE.forgotten);
    const answer = page.locator(SELECTORS.findAnswer);
    await expect.poll(() => answer.textContent(), SOON).toMatch(/^.?Gone from the request since call #47/);
    await expect.poll(() => answer.textContent(), SOON).toContain('put the summary #42 in its place');
    expect(await textOf(page, SELECTORS.findNow)).toContain('not in this request');
    await page.locator(SELECTORS.findInput).fill(SAMPLE.quoted);
    // The other rule is quoted by the summary: it is still sent.
    await expect.poll(() => page.locator(SELECTORS.findNow).textContent(), SOON).not.toContain('not in this request');
  });

  step('goes to where it was said: the fold opens there', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.findInput).fill(SAMPLE.forgotten);
    await expect.poll(() => page.locator(SELECTORS.findCount).textContent(), SOON).toContain('1 place');
    await page.keyboard.press('Enter');
    await page.locator(SELECTORS.rowOf(SAMPLE.at.rule)).waitFor();
    expect(await page.locator(SELECTORS.goneFold).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  // The three tours.
  const next = async (page: import('playwright-core').Page, title: string) => {
    await page.locator(SELECTORS.tourNext).click();
    await page.locator(SELECTORS.tour).filter({ hasText: title }).waitFor();
  };

  step('“Why is it gone?”: each step does the real thing', async (app) => {
    const { page } = app;
    await command(app, 'Close this transcript');
    await page.locator(SELECTORS.openSample).waitFor();
    await page.keyboard.press('1');
    await page.locator(SELECTORS.tour).filter({ hasText: '42 messages became one summary' }).waitFor();
    await next(page, 'Find: why is it gone?');
    expect(await page.locator(SELECTORS.findInput).inputValue()).toBe(SAMPLE.forgotten);
    await next(page, 'Sent until the compaction');
    await expect.poll(() => textOf(page, SELECTORS.findAnswer), SOON).toContain('Gone from the request since');
    await next(page, 'The summary does not say it');
    await expect.poll(() => textOf(page, SELECTORS.drawer), SOON).toContain(SAMPLE.quoted);
    // The answer of the step before gives way to the summary.
    await expect.poll(() => textOf(page, SELECTORS.drawer), SOON).not.toContain(SAMPLE.forgotten);
    await next(page, 'So it took 8080');
    await expect.poll(() => textOf(page, SELECTORS.drawer), SOON).toContain(SAMPLE.violation);
    await page.locator(SELECTORS.tourNext).click();
    await page.locator(SELECTORS.tour).waitFor({ state: 'detached' });
  });

  step('“Compare policies” from the palette: the request grows under Raw, and is as it was', async (app) => {
    const { page } = app;
    const tokens = async () =>
      Number(/→ [~≈]?([\d,]+)/.exec((await textOf(page, SELECTORS.statusTokens)) ?? '')?.[1]?.replaceAll(',', '') ?? 0);
    await command(app, 'Tour: Compare policies');
    await page.locator(SELECTORS.tour).filter({ hasText: 'A policy decides what is sent' }).waitFor();
    await rested(app);
    const kept = await tokens();
    await next(page, 'This call under each policy');
    await page.locator(SELECTORS.presetsTab).waitFor();
    await next(page, 'Raw: everything would be sent');
    await expect.poll(() => page.locator(SELECTORS.presetMenu).textContent(), SOON).toContain('Raw');
    await page.locator(SELECTORS.rowOf(SAMPLE.at.summary)).waitFor();
    await expect.poll(() => page.locator(SELECTORS.goneFold).count(), SOON).toBe(0);
    await next(page, 'Every change can be undone');
    await expect.poll(tokens, SOON).toBe(kept);
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.tour).waitFor({ state: 'detached' });
  });

  step('“Report a bug”: at the request where it went wrong, up to the dialog', async (app) => {
    const { page } = app;
    await command(app, 'Tour: Report a bug');
    await page.locator(SELECTORS.tour).filter({ hasText: 'Go to where it went wrong' }).waitFor();
    await expect.poll(() => callPoint(app), SOON).toBe(SAMPLE.at.violation);
    await next(page, 'A file that proves itself');
    await page.locator(SELECTORS.tourNext).click();
    await page
      .locator('[role="dialog"]')
      .filter({ hasText: /report a bug/i })
      .waitFor();
    await page.keyboard.press('Escape');
  });

  // The sessions found here.
  step('looks inside, takes one of two, and is told which is imported', async (app) => {
    const { page } = app;
    await command(app, 'Close this transcript');
    const before = await page.locator(SELECTORS.libraryItem).count();
    const place = page.locator(`${SELECTORS.placeRow}[data-tool="Claude Code"]`);
    await place.getByText('2 sessions').waitFor();
    await place.locator(SELECTORS.lookInside).click();
    const rows = place.locator(SELECTORS.insideRow);
    await expect.poll(() => rows.count(), SOON).toBe(2);
    await rows.nth(1).getByRole('checkbox').uncheck();
    await place.locator(SELECTORS.importChosen).click();
    await page.locator(SELECTORS.row).first().waitFor();
    await expect.poll(() => page.locator(SELECTORS.libraryItem).count(), SOON).toBeGreaterThan(before);
  });

  step('where a tool was not found it says where it looked; formats are there for who asks', async (app) => {
    const { page } = app;
    await command(app, 'Close this transcript');
    const missing = page.locator(SELECTORS.missing);
    await missing.getByRole('button', { name: 'Where it looked' }).click();
    await expect.poll(() => missing.textContent(), SOON).toMatch(/Gemini CLI: looked in .*\.gemini/);
    expect(await page.locator(SELECTORS.formats).count()).toBe(0);
    await page.locator(SELECTORS.showFormats).click();
    await expect.poll(() => page.locator(SELECTORS.formats).textContent(), SOON).toContain('Claude Code session');
  });
});
