import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { claudeCodeLines } from '../support/generate.ts';
import { onEachHost } from './support/onEachHost.ts';
import { dropFiles, importFile, SOON, toastWith } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const shopping = files.write('shopping.txt', 'milk\nbread\nsoap\n');
const empty = files.write('empty.jsonl', '');
const folder = join(files.path, 'a-folder');
mkdirSync(folder);

const BROKEN_LINE = 7;
const lines = [...claudeCodeLines({ messages: 20 })];
lines.splice(BROKEN_LINE - 1, 0, '{"type":"user","message":{"role":"user","content":"cut off he');
const broken = files.write('broken.jsonl', `${lines.join('\n')}\n`);

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (a === null || b === null) return false;
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

onEachHost('a person imports what is no sound transcript', {}, (step) => {
  step('a shopping list: it says what it is and what is read instead, and nothing is in the library', async (app) => {
    const { page } = app;
    await importFile(app, shopping);
    const toast = toastWith(app, 'Could not import shopping.txt');
    await toast.waitFor();
    expect(await page.getByRole('alert').filter({ has: toast }).count()).toBe(1);
    await toast.getByRole('button', { name: 'Show' }).click();
    const said = await page.locator(SELECTORS.importProblems).textContent();
    expect(said).toContain('shopping.txt');
    expect(said).toContain('Not a transcript: text that begins with "milk');
    expect(said).not.toContain('parallax ');
    const formats = page.locator(SELECTORS.importProblems).locator('details');
    await formats.getByText('Supported formats').click();
    await formats.getByText('Claude Code session').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator(SELECTORS.libraryItem).count()).toBe(0);
  });

  step('an empty file', async (app) => {
    await importFile(app, empty);
    const toast = toastWith(app, 'Could not import empty.jsonl');
    await toast.waitFor();
    expect(await toast.textContent()).toContain('The file is empty.');
    await app.page.keyboard.press('Escape');
    await toast.waitFor({ state: 'detached' });
    expect(await app.page.locator(SELECTORS.libraryItem).count()).toBe(0);
  });

  step('a folder', async (app) => {
    await dropFiles(app, [folder]);
    const toast = app.page
      .locator(SELECTORS.toast)
      .getByText(/a-folder/)
      .first();
    await toast.waitFor();
    expect(await app.page.locator(SELECTORS.libraryItem).count()).toBe(0);
  });

  step('a session with a broken line: the rest is read, the line is named', async (app) => {
    const { page } = app;
    await importFile(app, broken);
    await page.locator(SELECTORS.rowOf(0)).waitFor();
    await toastWith(app, 'Imported 1 transcript, 20 messages').waitFor();
    await page.locator(SELECTORS.drawerTab('problems')).click();
    await expect.poll(() => page.locator(SELECTORS.problems).textContent(), SOON).toContain(`line ${BROKEN_LINE}:`);
    expect(await page.locator(SELECTORS.problems).locator('.problem-row').count()).toBe(1);
  });

  step(
    'a failure that stays lies over nothing that is needed next, at any size, and over no button of a dialog',
    async (app) => {
      const { page } = app;
      await importFile(app, empty);
      const toast = toastWith(app, 'Could not import empty.jsonl');
      await toast.waitFor();
      const sizes =
        app.kind === 'web'
          ? ([
              [1440, 900],
              [1024, 700],
              [900, 600],
            ] as const)
          : [null];
      for (const size of sizes) {
        if (size !== null) await page.setViewportSize({ width: size[0], height: size[1] });
        const buttons = ['export-open', 'wire-open', 'verify-open', 'import-button'];
        if (!(await page.getByTestId('export-open').isVisible())) await page.keyboard.press('ControlOrMeta+j');
        await page.getByTestId('export-open').waitFor();
        expect(await overlap(toast, page.locator('section.drawer')), `the drawer at ${size}`).toBe(false);
        for (const id of buttons) expect(await overlap(toast, page.getByTestId(id)), `${id} at ${size}`).toBe(false);
        await page.getByTestId('export-open').click();
        await page.locator(SELECTORS.exportButton).waitFor();
        expect(await overlap(toast, page.locator('.modal-foot')), `the dialog at ${size}`).toBe(false);
        await page.keyboard.press('Escape');
        await page.locator(SELECTORS.exportDialog).waitFor({ state: 'detached' });
      }
      await page.keyboard.press('Escape');
      await toast.waitFor({ state: 'detached' });
    },
  );
});
