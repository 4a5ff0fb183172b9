import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { claudeCodeFile } from '../support/generate.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, dropFiles, SOON, toastWith } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());
const long = join(files.path, 'long.jsonl');
const LONG_MESSAGES = 8_000;
writeFileSync(long, claudeCodeFile({ messages: LONG_MESSAGES }));

onEachHost('a person drops files on the window', {}, (step) => {
  step('sees where they may be let go, and then the rows and the entry in the library', async (app) => {
    const { page } = app;
    await dropFiles(app, [lamp], () => page.locator(SELECTORS.dropOverlay).waitFor());
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    expect(await page.locator(SELECTORS.dropOverlay).count()).toBe(0);
    expect(await page.locator(SELECTORS.libraryItem).count()).toBe(1);
    await toastWith(app, `Imported 1 transcript, ${LAMP.messages} messages`).waitFor();
  });

  step('drops the same again: no second entry, and it is said', async (app) => {
    await dropFiles(app, [lamp]);
    await toastWith(app, /already in the library/).waitFor();
    expect(await app.page.locator(SELECTORS.libraryItem).count()).toBe(1);
  });

  step('drops a long one: its progress is shown, rows come before the end', async (app) => {
    const { page } = app;
    await command(app, 'Close this transcript');
    await dropFiles(app, [long]);
    const bar = page.locator(SELECTORS.importJob).getByRole('progressbar');
    await expect
      .poll(async () => Number((await bar.count()) && (await bar.getAttribute('aria-valuenow'))), SOON)
      .toBeGreaterThan(0);
    await page.locator(SELECTORS.rowOf(0)).waitFor();
    await toastWith(app, `Imported 1 transcript, ${LONG_MESSAGES.toLocaleString('en')} messages`).waitFor({
      timeout: 60_000,
    });
    await page.locator(SELECTORS.importJob).waitFor({ state: 'detached' });
    await expect.poll(() => page.locator(SELECTORS.libraryItem).count(), SOON).toBe(2);
  });
});
