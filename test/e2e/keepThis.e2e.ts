import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, nextHash, SOON, shownHash } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

const ROW = '[data-testid="keep-row"]';

onEachHost('a person keeps what is gone', { start: () => ({ files: [lamp] }) }, (step) => {
  const before: { hash: string | null } = { hash: null };

  step('goes from why it is gone to what would keep it', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    const raw = await shownHash(app);
    await choosePreset(app, 'reachability_gc');
    await nextHash(app, raw);
    before.hash = await shownHash(app);
    await page.locator(SELECTORS.rowOf(LAMP.driver)).click();
    await page.locator(`${SELECTORS.why} [data-testid="keep-this"]`).click();
    await page.locator(ROW).first().waitFor();
    expect(await page.locator('[data-testid="keep-head"]').textContent()).toContain('by stage 1, Reachability GC');
  });

  step('reads the changes with their prices, each proved', async ({ page }) => {
    const words = () => page.locator(`${ROW} .keep-words`).allTextContents();
    await expect
      .poll(() => page.locator('[data-testid="keep-cost"]').count(), SOON)
      .toBe(await page.locator(ROW).count());
    const said = await words();
    expect(said).toContain(`Pin #${LAMP.driver} with its call`);
    expect(said.find((each) => each.startsWith('Reachability GC: Shortest'))).toMatch(
      /500 → 1,601 \(1,600 is too few\)/,
    );
    expect(said).toContain('Reachability GC off');
    const tokens = await page.locator(`${ROW} td:nth-child(3)`).allTextContents();
    for (const each of tokens) expect(each).toMatch(/^[~≈]?\+\d/);
  });

  step('tries the pin: its text is in the request, and the policy shows the stage', async (app) => {
    const { page } = app;
    const pin = page.locator(ROW, { hasText: 'Pin #' });
    await pin.locator('button').click();
    await nextHash(app, before.hash);
    const right = page.locator(SELECTORS.rowOf(LAMP.driver)).locator(`.row-line ${SELECTORS.cell} .cell-text`).last();
    await expect.poll(() => right.textContent(), SOON).toMatch(/^src\/lamp\/driver\.ts/);
    await expect.poll(() => page.locator('.stages').textContent(), SOON).toContain('Pin');
    expect(await pin.locator('button').textContent()).toContain('Undo');
  });

  step('policy and stage are tagged, and chart and strips show what it was before', async ({ page }) => {
    expect(await page.getByTestId('policy-trying').textContent()).toBe('+ 1 try');
    const tagged = page.locator('[data-testid="stage-card"]:has([data-testid="stage-trying"])');
    expect(await tagged.evaluateAll((all) => all.map((card) => card.getAttribute('data-kind')))).toEqual(['pin']);
    const states = (of: string) => page.getByTestId(`keep-strip-${of}`).getAttribute('data-states');
    await expect.poll(() => states('before'), SOON).toMatch(/^not_yet original (partly|gone)/);
    await expect.poll(() => states('tried'), SOON).toBe('not_yet original');
    await expect.poll(() => page.getByTestId('before-line').getAttribute('d'), SOON).toMatch(/^M.*H/);
  });

  step('the banner says what is tried, with the price that the list says', async ({ page }) => {
    const banner = page.getByTestId('trying');
    const row = page.locator(ROW, { hasText: 'Pin #' });
    expect(await banner.textContent()).toContain(`Trying: Pin #${LAMP.driver} with its call.`);
    const here = (await row.locator('td:nth-child(3)').textContent()) ?? '';
    const session = (await row.locator('td:nth-child(4)').textContent()) ?? '';
    const price = page.getByTestId('trying-price');
    await expect.poll(() => price.textContent(), SOON).toContain(`${here} tok in the next request, ${session} tok`);
    const cost = (await row.locator('[data-testid="keep-cost"]').textContent()) ?? '';
    expect(await price.textContent()).toContain(`${cost} over the session.`);
  });

  step('it stays when the call point moves, with the price there', async ({ page }) => {
    const price = page.getByTestId('trying-price');
    await page.locator(SELECTORS.scrubber).focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => price.textContent(), SOON).toMatch(/[+−][\d,]+ tok at call #\d+, .* over the session\.$/);
    await page.keyboard.press('End');
    await expect.poll(() => price.textContent(), SOON).toMatch(/[+−][\d,]+ tok in the next request/);
  });

  step('takes it back by the keyboard', async (app) => {
    const { page } = app;
    const tried = await shownHash(app);
    await page.locator(ROW, { hasText: 'Pin #' }).locator('button').focus();
    await page.keyboard.press('Enter');
    await nextHash(app, tried);
    expect(await shownHash(app)).toBe(before.hash);
    await page.locator(ROW, { hasText: 'Pin #' }).locator('button', { hasText: 'Try' }).waitFor();
    await expect.poll(() => page.getByTestId('trying').count(), SOON).toBe(0);
    for (const id of ['policy-trying', 'stage-trying', 'keep-strip-before', 'keep-strip-tried', 'before-line'])
      await expect.poll(() => page.getByTestId(id).count(), SOON).toBe(0);
  });

  step('chooses how much is pinned: the turn, with its price, and reads why words are not offered', async (app) => {
    const { page } = app;
    const pins = page.getByTestId('keep-pins');
    await pins.locator('[data-way="words"]').press('Enter');
    expect(await page.getByTestId('keep-pin-says').textContent()).toContain('Select words');
    await pins.locator('[data-way="turn"]').click();
    const row = page.locator(ROW, { hasText: 'Pin all of turn' });
    await expect.poll(() => row.locator('[data-testid="keep-cost"]').count(), SOON).toBe(1);
    await row.locator('button').click();
    await nextHash(app, before.hash);
    const right = page.locator(SELECTORS.rowOf(LAMP.driver)).locator(`.row-line ${SELECTORS.cell} .cell-text`).last();
    await expect.poll(() => right.textContent(), SOON).toMatch(/^src\/lamp\/driver\.ts/);
    const tried = await shownHash(app);
    await row.locator('button', { hasText: 'Undo' }).click();
    await nextHash(app, tried);
    expect(await shownHash(app)).toBe(before.hash);
    await pins.locator('[data-way="message"]').click();
    await expect.poll(() => row.count(), SOON).toBe(0);
    expect(await page.getByTestId('keep-pin-says').textContent()).toBe('It is in the list.');
  });

  step('takes it back from the banner, and keeps it there', async (app) => {
    const { page } = app;
    const banner = page.getByTestId('trying');
    await page.locator(ROW, { hasText: 'Pin #' }).locator('button', { hasText: 'Try' }).click();
    await nextHash(app, before.hash);
    const tried = await shownHash(app);
    await banner.getByRole('button', { name: 'Undo' }).click();
    await nextHash(app, tried);
    expect([await shownHash(app), await banner.count()]).toEqual([before.hash, 0]);
    await page.locator(ROW, { hasText: 'Pin #' }).locator('button', { hasText: 'Try' }).click();
    await nextHash(app, before.hash);
    await banner.getByRole('button', { name: 'Keep in policy' }).click();
    await expect.poll(() => banner.count(), SOON).toBe(0);
    expect(await shownHash(app)).toBe(tried);
    expect(await page.locator('.stages').textContent()).toContain('Pin');
  });
});
