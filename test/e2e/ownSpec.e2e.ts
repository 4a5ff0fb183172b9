import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { runCli } from '../support/cli.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import {
  choosePreset,
  command,
  indexesWithFate,
  nextHash,
  rested,
  SOON,
  saved,
  saveFile,
  shownHash,
} from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

const NAME = 'Lamp, thinned';
/** What the person builds on screen, as the command line is given it. */
const SPEC = JSON.stringify({
  version: 1,
  stages: [
    { kind: 'clean_tool_repair' },
    { kind: 'reachability_gc', options: { min_chars: 1000, root_window: 2 } },
    { kind: 'tool_result_retention', options: { value: 5 } },
  ],
});

/** Types a parameter of a stage, and waits for what it does. */
async function change(app: RunningApp, kind: string, name: string, value: number, redacted: readonly number[]) {
  const field = app.page.locator(SELECTORS.paramOf(kind, name)).locator('input');
  await field.fill(String(value));
  await expect.poll(() => indexesWithFate(app, 'redacted'), SOON).toEqual(redacted);
}

const policy = (app: RunningApp) => app.page.locator(SELECTORS.presetMenu).textContent();

let hash = '';

onEachHost('a person builds a spec of their own', { start: () => ({ files: [lamp] }) }, (step) => {
  step('begins with a preset', async (app) => {
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    const raw = await shownHash(app);
    await choosePreset(app, 'clean_then_reclaim');
    await nextHash(app, raw);
    expect(await indexesWithFate(app, 'redacted')).toEqual([LAMP.driver, LAMP.fuse, LAMP.wiring]);
  });

  step('changes two parameters: fates follow', async (app) => {
    await change(app, 'reachability_gc', 'min_chars', 1000, [LAMP.driver]);
    await change(app, 'reachability_gc', 'root_window', 2, [LAMP.driver, LAMP.timer]);
  });

  step('adds a stage from the list, and changes a third', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.addStage).click();
    await page.keyboard.type('retention');
    await page.locator(`${SELECTORS.pickList} [aria-selected="true"][data-name="tool_result_retention"]`).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator(SELECTORS.stageCard).count(), SOON).toBe(3);
    const expired = [LAMP.driver, LAMP.timer, LAMP.fuse, LAMP.tests];
    await change(app, 'tool_result_retention', 'value', 5, expired);
    await rested(app);
    hash = (await shownHash(app)) ?? '';
    expect(await policy(app)).toContain('edited');
  });

  step('moves a stage out of the stated order and is told; one click puts it back', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.stageToggle).nth(2).press('Alt+ArrowUp');
    const warning = page.locator(`${SELECTORS.stageCard}[data-kind="reachability_gc"] [data-code="spec.order"]`);
    await expect.poll(() => warning.textContent(), SOON).toMatch(/Reachability GC \(stage 3\).*Tool-result retention/);
    await page.locator(SELECTORS.stagesSort).click();
    await expect.poll(() => warning.count(), SOON).toBe(0);
    await expect.poll(() => shownHash(app), SOON).toBe(hash);
  });

  step('saves it under a name', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.savePolicy).click();
    await page.locator(SELECTORS.policyName).fill(NAME);
    await page.keyboard.press('Enter');
    await expect.poll(() => policy(app), SOON).toBe(NAME);
    await rested(app);
    await saved(app);
  });

  step('restarts, and finds it as it was', async (app) => {
    await app.restart();
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await expect.poll(() => shownHash(app), SOON).toBe(hash);
    expect(await policy(app)).toBe(NAME);
  });

  step('finds it again in the list, after another', async (app) => {
    await choosePreset(app, 'raw');
    await nextHash(app, hash);
    await choosePreset(app, NAME);
    await expect.poll(() => shownHash(app), SOON).toBe(hash);
    expect(await indexesWithFate(app, 'redacted')).toEqual([LAMP.driver, LAMP.timer, LAMP.fuse, LAMP.tests]);
  });

  step('sees all presets side by side: sorted by tokens, and one applied by a click', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.drawerTab('presets')).click();
    const rows = page.locator(`${SELECTORS.presetsTab} tbody tr`);
    await expect.poll(() => rows.count(), SOON).toBeGreaterThan(10);
    await expect.poll(() => page.locator(SELECTORS.presetsTab).textContent(), SOON).toContain('every call fits');
    await page.locator(`${SELECTORS.presetsTab} [data-sort="tokens"]`).dblclick();
    await expect.poll(() => rows.first().getAttribute('data-name'), SOON).toBe('raw');
    await page.locator(`${SELECTORS.presetsTab} [data-name="reachability_gc"]`).click();
    await nextHash(app, hash);
    expect(await indexesWithFate(app, 'redacted')).toEqual([LAMP.driver, LAMP.fuse, LAMP.wiring]);
    await choosePreset(app, NAME);
    await expect.poll(() => shownHash(app), SOON).toBe(hash);
  });

  step('exports the body of the request: that of the command line', async (app) => {
    const { page } = app;
    await command(app, 'Request on the wire');
    await page.locator(`${SELECTORS.wirePanes}[aria-busy="false"]`).waitFor();
    const path = join(files.path, `body-${app.kind}.json`);
    await saveFile(app, path, () => page.locator(SELECTORS.wireSave).click());
    await expect.poll(() => page.locator(SELECTORS.wireSaved).textContent(), SOON).toContain('Written');
    const run = await runCli(['export', lamp, '--wire', 'openai', '--spec', SPEC]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(run.stdout));
  });
});
