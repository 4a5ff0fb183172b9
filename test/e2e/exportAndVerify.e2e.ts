import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { runCli } from '../support/cli.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { isDesktop } from './support/launchDesktop.ts';
import { onEachHost } from './support/onEachHost.ts';
import {
  chooseFile,
  choosePreset,
  clipboardText,
  dropFiles,
  nextHash,
  rested,
  SOON,
  shownHash,
  toastWith,
} from './support/person.ts';
import { saveBundle } from './support/saveBundle.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, lampJson, ONLY_IN_DRIVER } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

async function verifyInApp(app: RunningApp, path: string): Promise<string> {
  await chooseFile(app, path, () => app.page.locator(SELECTORS.verifyButton).click());
  const name = path.slice(path.lastIndexOf('/') + 1);
  const result = app.page.locator(SELECTORS.verifyResult).filter({ hasText: name });
  await result.waitFor();
  return `${await result.getAttribute('data-same')}: ${await result.textContent()}`;
}

let hash = '';
const folderOf = (app: RunningApp): string => join(files.path, app.kind);
const bundles = new Map<string, string>();
const bundleOf = (app: RunningApp): string => bundles.get(app.kind) ?? '';
const tamperedOf = (app: RunningApp): string => join(files.path, `tampered-${app.kind}.json`);

onEachHost('a person reports a bug', { start: () => ({ files: [lamp] }) }, (step) => {
  step('exports what the model sees under a policy', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(0)).waitFor();
    const raw = await shownHash(app);
    await choosePreset(app, 'reachability_gc');
    hash = await nextHash(app, raw);
    await page.getByTestId('export-open').click();
    await expect.poll(() => page.locator(SELECTORS.exportDialog).textContent(), SOON).toContain(hash);
    expect(await page.getByTestId('export-policy').textContent()).toBe('Reachability GC');
    mkdirSync(folderOf(app), { recursive: true });
    // The desktop app may run as somebody else.
    chmodSync(folderOf(app), 0o777);
    bundles.set(app.kind, await saveBundle(app, folderOf(app)));
  });

  step('finds the file under the name that the dialog, the command and the issue text say', async (app) => {
    const { page } = app;
    const path = bundleOf(app);
    expect(existsSync(path)).toBe(true);
    const place = await page.getByTestId('export-place').textContent();
    expect(place).toBe(isDesktop(app) ? path : basename(path));
    expect(await page.getByTestId('export-command').textContent()).toBe(`npm run parallax -- verify ${place}`);
    await page.getByRole('button', { name: 'Copy the text for an issue' }).click();
    await page.getByText('Copied').waitFor();
    const issue = await clipboardText(app);
    expect(issue).toContain(hash);
    expect(issue).toContain(`npm run parallax -- verify ${basename(path)}`);
    expect(await page.getByTestId('issue-text').textContent()).toBe(issue);
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.exportDialog).waitFor({ state: 'detached' });
  });

  step('has it verified on the command line: the same', async (app) => {
    const run = await runCli(['verify', bundleOf(app)]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^result\s+the same$/m);
    expect(run.stdout).toContain(hash);
  });

  step('has a tampered copy verified: what differs is said', async (app) => {
    const tampered = readFileSync(bundleOf(app), 'utf8').replaceAll(ONLY_IN_DRIVER, 'heliotrope-4418');
    expect(tampered).toContain('heliotrope-4418');
    files.write(tamperedOf(app).slice(files.path.length + 1), tampered);
    const run = await runCli(['verify', tamperedOf(app)]);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/^result\s+different: \S+/m);
  });

  step('verifies both in the app', async (app) => {
    const { page } = app;
    await page.getByTestId('verify-open').click();
    expect(await verifyInApp(app, bundleOf(app))).toMatch(/^true: Same result/);
    expect(await verifyInApp(app, tamperedOf(app))).toMatch(/^false: Different result/);
    expect(await page.locator(SELECTORS.verifyResult).locator('tbody tr').count()).toBeGreaterThan(0);
    await verifyInApp(app, bundleOf(app));
  });

  step(
    'opens it from there: the same policy, the same call point, the same prefix, and it says where it is from',
    async (app) => {
      const { page } = app;
      await page.getByTestId('verify-open-it').click();
      await page.locator('[data-testid="bundle-chip"][data-state="same"]').waitFor();
      await expect.poll(() => shownHash(app), SOON).toBe(hash);
      expect(await page.locator('h1').textContent()).toMatch(/ \(from a bundle at #\d+\)$/);
      await expect.poll(() => page.locator(SELECTORS.libraryItem).count(), SOON).toBe(2);
      expect(await page.locator('.stage-card').count()).toBe(1);
      expect(await page.getByTestId('bundle-banner').count()).toBe(0);
      await rested(app);
      expect(await page.locator(SELECTORS.drawerTab('problems')).textContent()).toBe('Problems');
    },
  );

  step('drops the same file on the window: nothing is there twice', async (app) => {
    await dropFiles(app, [bundleOf(app)]);
    await toastWith(app, /already in the library/).waitFor();
    expect(await app.page.locator(SELECTORS.libraryItem).count()).toBe(2);
  });

  step('drops the tampered copy: it opens all the same, and what differs is said aloud', async (app) => {
    const { page } = app;
    await dropFiles(app, [tamperedOf(app)]);
    // Who reads one goes on reading it: what was dropped is offered.
    await toastWith(app, 'Imported 1 transcript').getByRole('button', { name: 'Open' }).click();
    await page.locator('[data-testid="bundle-chip"][data-state="differs"]').waitFor();
    expect(await page.getByTestId('bundle-banner').textContent()).toMatch(/^This bundle does not verify: raw messages/);
    await page.getByRole('button', { name: 'Show problems' }).click();
    await expect
      .poll(() => page.locator(SELECTORS.problems).textContent(), SOON)
      .toContain('The bundle does not verify');
  });

  step('has it imported on the command line while the app runs: it is there, and verified', async (app) => {
    const again = readFileSync(bundleOf(app), 'utf8').replace('"transcript":{"id"', '"transcript": {"id"');
    files.write('again.parallax.json', again);
    const run = await runCli(['import', join(files.path, 'again.parallax.json'), '--library', app.library]);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain(`a bundle; verified: ${hash}`);
    await expect.poll(() => app.page.locator(SELECTORS.libraryItem).count(), SOON).toBe(4);
  });

  step('gives it a file that is no report: it says so', async (app) => {
    const { page } = app;
    await page.getByTestId('verify-open').click();
    await chooseFile(app, lamp, () => page.locator(SELECTORS.verifyButton).click());
    await expect
      .poll(() => page.locator(SELECTORS.verifyDialog).getByRole('status').textContent(), SOON)
      .toMatch(/^lamp\.json: ./);
    await page.keyboard.press('Escape');
  });
});
