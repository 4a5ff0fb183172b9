import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import {
  callPoint,
  choosePreset,
  command,
  importFile,
  nextHash,
  openOffered,
  rested,
  SOON,
  saved,
  shownHash,
} from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());
const other = files.write('other.json', '[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]');

/** The call before the answer that found the wiring. */
const AT = LAMP.wiring + 1;

let hash = '';

onEachHost('a person closes the app and comes back', { start: () => ({ files: [other] }) }, (step) => {
  step('has set up a view of their own', async (app) => {
    const { page } = app;
    await page.getByText('hello').first().waitFor();
    await importFile(app, lamp);
    await openOffered(app);
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    const raw = await shownHash(app);
    await choosePreset(app, 'reachability_gc');
    const first = await nextHash(app, raw);
    await page.locator(SELECTORS.param('min_chars')).locator('input').fill('100');
    const second = await nextHash(app, first);
    await command(app, String(AT), 1);
    hash = await nextHash(app, second);
    await command(app, 'Theme: dark');
    await command(app, 'Model view');
    await page.locator(SELECTORS.drawerTab('find')).click();
    await command(app, 'Show or hide the library');
    await expect.poll(() => page.locator('html').getAttribute('data-theme'), SOON).toBe('dark');
    await expect.poll(() => page.locator(SELECTORS.libraryItem).count(), SOON).toBe(0);
    await rested(app);
    await saved(app);
  });

  step('finds all of it again', async (app) => {
    await app.restart();
    const { page } = app;
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await expect.poll(() => shownHash(app), SOON).toBe(hash);
    expect(await callPoint(app)).toBe(AT);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.locator(SELECTORS.layoutModel).getAttribute('aria-checked')).toBe('true');
    expect(await page.locator(SELECTORS.param('min_chars')).locator('input').inputValue()).toBe('100');
    expect(await page.locator(SELECTORS.drawerTab('find')).getAttribute('aria-selected')).toBe('true');
    expect(await page.locator(SELECTORS.libraryItem).count()).toBe(0);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('The lamp flickers');
  });

  step('finds the library as it was', async (app) => {
    const { page } = app;
    await command(app, 'Show or hide the library');
    await expect.poll(() => page.locator(SELECTORS.libraryItem).count(), SOON).toBe(2);
    await command(app, 'hello');
    await page.locator(SELECTORS.rowOf(1)).getByText('hi').first().waitFor();
  });
});
