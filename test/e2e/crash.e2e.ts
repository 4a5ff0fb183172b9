import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { claudeCodeFile } from '../support/generate.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, dropFiles, importFile, SOON, saved, toastWith } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());
const MESSAGES = 20_000;
const long = join(files.path, 'long.jsonl');
writeFileSync(long, claudeCodeFile({ messages: MESSAGES }));

// The page notices that the other side is gone; that is no fault of its own.
const expected = /WebSocket|ERR_CONNECTION|Failed to load resource/;

onEachHost('the app is cut off in the middle of an import', { start: () => ({ files: [lamp] }), expected }, (step) => {
  step('while some of a long file is in the library, and some is not', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await dropFiles(app, [long]);
    const bar = page.locator(SELECTORS.importJob).getByRole('progressbar');
    await expect
      .poll(async () => ((await bar.count()) > 0 ? Number(await bar.getAttribute('aria-valuenow')) : 0), SOON)
      .toBeGreaterThan(5);
    await app.crash();
  });

  step('what was there is there, and the import is gone on with to its end', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.libraryItem).first().waitFor();
    const item = page.locator(`${SELECTORS.libraryItem}:not([title^="The lamp"])`);
    await expect.poll(() => item.getAttribute('data-state'), { timeout: 60_000, interval: 100 }).toBe('ready');
    expect(await page.locator(SELECTORS.libraryItem).count()).toBe(2);
    expect(await item.getAttribute('title')).toContain(`${MESSAGES.toLocaleString('en')} messages`);
  });

  step('the first transcript is whole', async (app) => {
    await command(app, 'The lamp flickers');
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await expect.poll(() => app.page.locator('.breadcrumb').textContent(), SOON).toContain(`${LAMP.messages} messages`);
  });

  step('the same file again is no second entry', async (app) => {
    await importFile(app, long);
    await toastWith(app, /already in the library/).waitFor({ timeout: 60_000 });
    expect(await app.page.locator(SELECTORS.libraryItem).count()).toBe(2);
  });
});

onEachHost('the engine alone dies', { start: () => ({ files: [lamp] }), expected }, (step) => {
  step('the page says so, and a press on Reconnect comes back to the place', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(LAMP.driver)).click();
    await page.locator(`${SELECTORS.rowOf(LAMP.driver)}[aria-selected="true"]`).waitFor();
    await saved(app);
    await app.engineKill();
    const lost = page.getByRole('alertdialog', { name: 'The engine stopped' });
    await lost.waitFor();
    await lost.getByRole('button', { name: 'Reconnect' }).click();
    await page.locator(`${SELECTORS.rowOf(LAMP.driver)}[aria-selected="true"]`).waitFor();
    expect(await page.locator(SELECTORS.libraryItem).count()).toBe(1);
  });
});
