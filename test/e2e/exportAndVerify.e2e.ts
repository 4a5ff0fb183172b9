import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { runCli } from '../support/cli.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { isDesktop } from './support/launchDesktop.ts';
import { onEachHost } from './support/onEachHost.ts';
import { chooseFile, choosePreset, nextHash, SOON, shownHash } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, lampJson, ONLY_IN_DRIVER } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

/** Presses Save and takes the file, from the save dialog or as a download. */
async function save(app: RunningApp, path: string): Promise<void> {
  const button = app.page.locator(SELECTORS.exportButton);
  if (isDesktop(app)) {
    await app.electron.evaluate(({ dialog }, chosen) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen });
    }, path);
    await button.click();
  } else {
    const [download] = await Promise.all([app.page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toMatch(/\.json$/);
    await download.saveAs(path);
  }
  await app.page.locator(SELECTORS.exportDone).waitFor();
}

async function verifyInApp(app: RunningApp, path: string): Promise<string> {
  await chooseFile(app, path, () => app.page.locator(SELECTORS.verifyButton).click());
  const name = path.slice(path.lastIndexOf('/') + 1);
  const result = app.page.locator(SELECTORS.verifyResult).filter({ hasText: name });
  await result.waitFor();
  return `${await result.getAttribute('data-same')}: ${await result.textContent()}`;
}

let hash = '';
const bundleOf = (app: RunningApp): string => join(files.path, `report-${app.kind}.json`);
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
    await save(app, bundleOf(app));
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
    expect(await verifyInApp(app, bundleOf(app))).toMatch(/^true: The same comes out/);
    expect(await verifyInApp(app, tamperedOf(app))).toMatch(/^false: Something else comes out/);
    expect(await page.locator(SELECTORS.verifyResult).locator('tbody tr').count()).toBeGreaterThan(0);
  });

  step('gives it a file that is no report: it says so', async (app) => {
    const { page } = app;
    await chooseFile(app, lamp, () => page.locator(SELECTORS.verifyButton).click());
    await expect
      .poll(() => page.locator(SELECTORS.verifyDialog).getByRole('status').textContent(), SOON)
      .toMatch(/^lamp\.json: ./);
    await page.keyboard.press('Escape');
  });
});
