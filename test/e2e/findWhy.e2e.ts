import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { callPoint, choosePreset, nextHash, SOON, shownHash } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson, ONLY_IN_DRIVER } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

onEachHost('a person asks why the agent forgot', { start: () => ({ files: [lamp] }) }, (step) => {
  step('selects a cleared message: stage, rule and threshold are said', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    const raw = await shownHash(app);
    await choosePreset(app, 'reachability_gc');
    await nextHash(app, raw);
    await page.locator(SELECTORS.rowOf(LAMP.driver)).click();
    const why = page.locator(SELECTORS.why);
    await expect.poll(() => why.textContent(), SOON).toContain('Cleared by stage 1, Reachability GC');
    const said = await why.textContent();
    expect(said).toContain('1,600 chars ≥ 500');
    expect(said).toContain('older than the last 8 messages');
    expect(await why.locator('dt', { hasText: 'Rule' }).count()).toBe(1);
  });

  step('reads on the left what happened, on the right what would be sent in its place', async ({ page }) => {
    const row = page.locator(SELECTORS.rowOf(LAMP.driver));
    const [left, right] = await row.locator(`.row-line ${SELECTORS.cell} .cell-text`).allTextContents();
    expect(left).toMatch(/^src\/lamp\/driver\.ts/);
    expect(right).toMatch(/^\[tool result reclaimed/);
    const call = page.locator(SELECTORS.rowOf(LAMP.driverCall)).locator('.cell-text');
    expect(new Set(await call.allTextContents()).size).toBe(1);
  });

  step('sees that the pointer leads to the very bytes', async ({ page }) => {
    expect(await page.locator(SELECTORS.pointer).getAttribute('data-verified')).toBe('true');
    await page.locator(SELECTORS.pointer).locator('.pointer-source').click();
    await expect
      .poll(() => page.locator(SELECTORS.drawer).locator('.view-lines').textContent(), SOON)
      .toContain('tool_call_id');
    await page.locator(SELECTORS.drawerTab('why')).click();
  });

  step('jumps from the result to its call and back', async ({ page }) => {
    const why = page.locator(SELECTORS.why);
    const selected = page.locator(`${SELECTORS.row}[aria-selected="true"]`).first();
    await why.getByRole('button', { name: `#${LAMP.driverCall}`, exact: true }).click();
    await expect.poll(() => selected.getAttribute('data-index'), SOON).toBe(String(LAMP.driverCall));
    await expect.poll(() => why.locator('dt').allTextContents(), SOON).toContain('Its result');
    await why.getByRole('button', { name: `#${LAMP.driver}`, exact: true }).click();
    await expect.poll(() => selected.getAttribute('data-index'), SOON).toBe(String(LAMP.driver));
    await expect.poll(() => why.locator('dt').allTextContents(), SOON).toContain('Its call');
  });

  step('sees on the strip since when, and goes there', async (app) => {
    const { page } = app;
    const cells = page.locator(SELECTORS.strip).locator('i');
    await expect.poll(() => cells.count(), SOON).toBeGreaterThan(3);
    const states = await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute('data-state')));
    // Of its identifiers some are named later on: its words are partly there.
    expect(states[0]).toBe('not_yet');
    expect(states).toContain('original');
    expect(states.at(-1)).toMatch(/^(partly|gone)$/);
    const visible = page.locator(SELECTORS.strip).locator('i[data-state="original"]').first();
    const at = Number(await visible.getAttribute('data-at'));
    const before = await shownHash(app);
    await visible.click();
    await expect.poll(() => callPoint(app), SOON).toBe(at);
    await nextHash(app, before);
    expect(await page.locator(SELECTORS.rowOf(LAMP.driver)).getAttribute('data-fate')).toBe('kept');
    await expect.poll(() => visible.getAttribute('data-current'), SOON).toBe('true');
  });

  step('finds a text: its place, where it was lost, by what, and what stands there', async (app) => {
    const { page } = app;
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator(`${SELECTORS.findInput}:focus`).waitFor();
    await page.locator(SELECTORS.findInput).fill(ONLY_IN_DRIVER);
    const place = page.locator(SELECTORS.findPlace);
    await expect.poll(() => place.count(), SOON).toBe(1);
    expect(await place.locator('mark').textContent()).toBe(ONLY_IN_DRIVER);
    expect(await place.getAttribute('data-index')).toBe(String(LAMP.driver));
    const loss = page.locator(SELECTORS.findLoss).first();
    expect(await loss.textContent()).toContain('stage 1, Reachability GC');
    const call = loss.getByRole('button', { name: /^call #\d+$/ });
    const at = Number((await call.textContent())?.replace('call #', ''));
    await call.click();
    await expect.poll(() => callPoint(app), SOON).toBe(at);
    await expect
      .poll(() => page.locator(SELECTORS.rowOf(LAMP.driver)).getAttribute('data-fate'), SOON)
      .toBe('redacted');
    await expect.poll(() => page.locator(SELECTORS.find).getAttribute('data-state'), SOON).toBe('gone');
    expect(await place.getAttribute('data-present')).toBe('false');
    await expect
      .poll(() => page.locator(SELECTORS.findInstead).textContent(), SOON)
      .toContain('[tool result reclaimed by reachability_gc');
  });

  step('finds nothing where nobody said it', async ({ page }) => {
    await page.locator(SELECTORS.findInput).fill('nobody said this');
    await expect
      .poll(() => page.locator(SELECTORS.findNowhere).textContent(), SOON)
      .toContain('Nowhere in this transcript.');
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.findBar).waitFor({ state: 'detached' });
  });
});
