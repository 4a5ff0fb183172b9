import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect } from 'vitest';
import { Library } from '../../core/store/index.ts';
import { onEachHost } from './support/onEachHost.ts';
import { SELECTORS } from './support/selectors.ts';

const root = mkdtempSync(join(tmpdir(), 'parallax-unopened-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function schema(dir: string, change: (version: number) => number): void {
  const db = new Database(join(dir, 'library.sqlite'));
  const version = Number(db.pragma('user_version', { simple: true }));
  db.pragma(`user_version = ${change(version)}`);
  db.close();
}

/** A library that a later version of the program wrote. */
function newerLibrary(): string {
  const dir = mkdtempSync(join(root, 'library-'));
  const opened = Library.open(dir);
  if (!opened.ok) throw new Error(opened.error.text);
  opened.value.close();
  schema(dir, (version) => version + 1000);
  // The window may run as another user than the tests.
  for (const [path, mode] of [
    [root, 0o755],
    [dir, 0o777],
    [join(dir, 'library.sqlite'), 0o666],
  ] as const)
    chmodSync(path, mode);
  return dir;
}

onEachHost('a library that cannot be opened', { start: () => ({ library: newerLibrary() }) }, (step) => {
  step('the page says why, and claims nothing that it does not know', async ({ page }) => {
    const alert = page.getByRole('alert');
    await alert.getByText('The library could not be opened.').waitFor();
    const text = (await alert.textContent()) ?? '';
    expect(text).toContain('was written by a newer version of the program');
    expect(await page.locator('body').textContent()).not.toMatch(/intact|engine stopped|\bat .*\.ts:/);
  });

  step('when the reason is gone, Try again opens it', async ({ page, library }) => {
    schema(library, (version) => version - 1000);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator(SELECTORS.app).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
