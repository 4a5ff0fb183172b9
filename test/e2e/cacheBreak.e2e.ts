import { afterAll, expect } from 'vitest';
import { missedSession } from '../support/missedSession.ts';
import { AFTER_PAUSE, pausedSession } from '../support/pausedSession.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost, type Step } from './support/onEachHost.ts';
import {
  callPoint,
  choosePreset,
  command,
  importFile,
  nextHash,
  openOffered,
  rested,
  SOON,
  shownHash,
} from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());
const paused = files.write('paused.jsonl', pausedSession());
const missed = files.write('missed.jsonl', missedSession());

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
    expect(await strip.getAttribute('aria-valuetext')).toMatch(/broken at #\d+: Reachability GC \(cleared\)/);
    await page.keyboard.press('Enter');
    const card = page.locator(SELECTORS.cacheCard);
    await expect.poll(() => card.textContent(), SOON).toMatch(/Broken at #\d+: Reachability GC/);
    expect(await card.textContent()).toMatch(/older than the last 8 messages/);
    expect(await card.textContent()).toMatch(/gpt-4o: \$2\.50 fresh/);
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

  afterAPause(step);
  asTheProviderSays(step);
});

/** Imports a file and opens it; what is said of that is put away, for it lies over the card. */
async function opens(app: RunningApp, path: string): Promise<void> {
  await importFile(app, path);
  await openOffered(app);
  await rested(app);
  const toasts = app.page.locator(SELECTORS.toast);
  while ((await toasts.count()) > 0) await app.page.keyboard.press('Escape');
}

const late = async ({ page }: RunningApp) => Number(await page.locator(SELECTORS.cacheStrip).getAttribute('data-lost'));

/** Why the cache was missed though nothing changed. */
function afterAPause(step: Step): void {
  step('a pause of twelve minutes is no break of the policy', async (app) => {
    await opens(app, paused);
    await app.page.locator(SELECTORS.rowOf(AFTER_PAUSE)).waitFor();
    await expect.poll(() => late(app), SOON).toBe(1);
    expect(await breaks(app)).toBe(0);
  });

  step('the strip says how long it was, what it costs, and what was recorded', async ({ page }) => {
    const strip = page.locator(SELECTORS.cacheStrip);
    await strip.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await strip.getAttribute('aria-valuetext')).toMatch(
      /not by the policy: 12 min since the request before, the cache lives 5 min; .* \$[\d.]+ more; recorded: 7,400 tok read, 300 written/,
    );
    await page.keyboard.press('Enter');
    const loss = page.locator(SELECTORS.cacheLoss);
    await expect.poll(() => loss.textContent(), SOON).toMatch(/Cache expired/);
    expect(await page.locator(SELECTORS.cacheCard).textContent()).toMatch(/7,400 tok read, 300 written/);
  });

  step('a cache that lives an hour would have kept it', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.cachePrices).click();
    const points = page.locator(SELECTORS.cachePoints);
    await points.selectOption('end1h');
    await expect.poll(() => late(app), SOON).toBe(0);
    await points.selectOption('auto');
    await expect.poll(() => late(app), SOON).toBe(1);
  });

  step('a step for long prompts can be added to a price', async ({ page }) => {
    const dialog = page.locator(SELECTORS.pricesDialog);
    await dialog.getByRole('button', { name: 'Add a step for long prompts to gpt-4o', exact: true }).click();
    await dialog.getByLabel('Tokens of the step, gpt-4o', { exact: true }).fill('100k');
    const save = page.locator(SELECTORS.pricesSave);
    expect(await save.isDisabled()).toBe(true);
    for (const field of ['Input', 'Read from cache', 'Write to cache']) {
      await dialog.getByLabel(`${field}, gpt-4o above 100k tokens`, { exact: true }).fill('5');
    }
    expect(await save.isDisabled()).toBe(false);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  });

  step('what was changed and not saved is asked about; what was not, is not', async (app) => {
    const { page } = app;
    const dialog = page.locator(SELECTORS.pricesDialog);
    await command(app, 'Prices');
    const field = dialog.getByLabel('Input, gpt-4o', { exact: true });
    const before = await field.inputValue();
    await field.fill('7');
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.modalDiscard).click();
    await dialog.waitFor({ state: 'detached' });
    await command(app, 'Prices');
    await expect.poll(() => field.inputValue(), SOON).toBe(before);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });
}

/** What the provider said of a cache that was lost. */
function asTheProviderSays(step: Step): void {
  step('the strip marks the request, and counts no break of the policy', async (app) => {
    await opens(app, missed);
    const strip = app.page.locator(SELECTORS.cacheStrip);
    await expect.poll(() => strip.getAttribute('data-reported'), SOON).toBe('1');
    await rested(app);
    expect(await breaks(app)).toBe(0);
  });

  step('the card says it as the provider’s, beside why by what is recorded', async ({ page }) => {
    const strip = page.locator(SELECTORS.cacheStrip);
    await strip.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await strip.getAttribute('aria-valuetext')).toMatch(
      /call #11: .*provider: system prompt changed, 31,000 tok/,
    );
    await page.keyboard.press('Enter');
    const said = page.getByTestId('cache-recorded');
    await expect
      .poll(() => said.textContent(), SOON)
      .toMatch(/Provider: system prompt changed, 31,000 tok \(its estimate\)/);
    await expect
      .poll(() => said.textContent(), SOON)
      .toMatch(/31,000 of 46,000 cached tok not found: the 15,000 tokens found/);
  });
}
