import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { callPoint, choosePreset, nextHash, rested, SOON, shownHash } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

const breaks = async ({ page }: RunningApp) =>
  Number(await page.locator(SELECTORS.cacheStrip).getAttribute('data-breaks'));
const cost = async ({ page }: RunningApp) =>
  /\$([\d.]+) more/.exec((await page.locator(SELECTORS.cacheCard).textContent()) ?? '')?.[1];

let first = '';

onEachHost('a person asks what a policy does to the cache', { start: () => ({ files: [lamp] }) }, (step) => {
  step('the raw history only grows: nothing breaks', async (app) => {
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await rested(app);
    expect(await breaks(app)).toBe(0);
  });

  step('Reachability GC breaks it where it takes a result away', async (app) => {
    const raw = await shownHash(app);
    await choosePreset(app, 'reachability_gc');
    await nextHash(app, raw);
    await expect.poll(() => breaks(app), SOON).toBeGreaterThan(0);
  });

  step('the strip says at which message, by which rule, and what it costs', async (app) => {
    const { page } = app;
    const strip = page.locator(SELECTORS.cacheStrip);
    await strip.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await strip.getAttribute('aria-valuetext')).toMatch(/broken by Reachability GC at #\d+ \(redacted\)/);
    await page.keyboard.press('Enter');
    const card = page.locator(SELECTORS.cacheCard);
    await expect.poll(() => card.textContent(), SOON).toMatch(/Broken by Reachability GC at #\d+/);
    expect(await card.textContent()).toMatch(/older than the last 8 messages/);
    expect(await card.textContent()).toMatch(/gpt-4o: \$2\.5 fresh/);
    first = (await cost(app)) ?? '';
    expect(Number(first)).toBeGreaterThan(0);
  });

  step('with other prices it costs something else', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.cachePrices).click();
    const dialog = page.locator(SELECTORS.pricesDialog);
    await dialog.getByLabel('Input, gpt-4o', { exact: true }).fill('250');
    await dialog.getByLabel('Write to cache, gpt-4o', { exact: true }).fill('250');
    await page.locator(SELECTORS.pricesSave).click();
    await dialog.waitFor({ state: 'detached' });
    await rested(app);
    const strip = page.locator(SELECTORS.cacheStrip);
    await strip.focus();
    await expect.poll(() => strip.getAttribute('aria-valuetext'), SOON).toMatch(/\$/);
    await page.keyboard.press('Enter');
    await expect.poll(async () => Number(await cost(app)), SOON).toBeGreaterThan(Number(first) * 50);
  });

  step('goes to that call', async (app) => {
    const { page } = app;
    const at = /Call #(\d+)/.exec((await page.locator(SELECTORS.cacheCard).textContent()) ?? '')?.[1];
    await page.locator(SELECTORS.cacheCard).getByRole('button', { name: 'Go to this call' }).click();
    await expect.poll(() => callPoint(app), SOON).toBe(Number(at));
  });
});
