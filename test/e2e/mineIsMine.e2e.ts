import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, command, importFile, openOffered, rested, SOON, saved } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());
const other = files.write('other.json', '[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]');

const WHAT_IF = 'Would be sent next under Reachability GC';
const HISTORY = 'Would be sent next';

const heading = (app: RunningApp) => app.page.locator(SELECTORS.sent).textContent();
const window = (app: RunningApp) => app.page.locator(SELECTORS.windowField).inputValue();

/** What is on screen of a policy and a window: heading, chip, window. */
async function stands(app: RunningApp, title: string, isYours: boolean): Promise<void> {
  await expect.poll(() => heading(app), SOON).toBe(title);
  await expect.poll(() => app.page.locator(SELECTORS.yoursWindow).count(), SOON).toBe(isYours ? 1 : 0);
  await expect.poll(async () => (await window(app)) === '200,000', SOON).toBe(isYours);
}

async function openLamp(app: RunningApp): Promise<void> {
  await command(app, 'The lamp flickers');
  await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
}

async function openOther(app: RunningApp): Promise<void> {
  await command(app, 'hello');
  await app.page.locator(SELECTORS.rowOf(1)).getByText('hi').first().waitFor();
}

onEachHost('a policy and a window belong to their transcript', { start: () => ({ files: [other] }) }, (step) => {
  step('are set for one', async (app) => {
    const { page } = app;
    await page.getByText('hello').first().waitFor();
    await importFile(app, lamp);
    await openOffered(app);
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await stands(app, HISTORY, false);
    await choosePreset(app, 'reachability_gc');
    const field = page.locator(SELECTORS.windowField);
    await field.fill('200k');
    await field.press('Enter');
    await stands(app, WHAT_IF, true);
    expect(await page.locator(SELECTORS.yoursWindow).textContent()).toBe('window 200,000, yours');
  });

  step('do not go along to another, and are there again on the way back', async (app) => {
    await openOther(app);
    await stands(app, HISTORY, false);
    await openLamp(app);
    await stands(app, WHAT_IF, true);
  });

  step('say of a request that was made that it was sent, and of a what-if that it would be', async (app) => {
    await command(app, String(LAMP.wiring + 1), 1);
    await expect.poll(() => heading(app), SOON).toBe(`Would be sent at #${LAMP.wiring + 1} under Reachability GC`);
    await choosePreset(app, 'raw');
    await expect.poll(() => heading(app), SOON).toBe(`Sent at #${LAMP.wiring + 1}`);
    await app.page.locator(SELECTORS.timeline).focus();
    await app.page.keyboard.press('ControlOrMeta+z');
    await app.page.keyboard.press('Shift+End');
    await stands(app, WHAT_IF, true);
    await rested(app);
    await saved(app);
  });

  step('are there after a restart, for the one and not for the other', async (app) => {
    await app.restart();
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await stands(app, WHAT_IF, true);
    await openOther(app);
    await stands(app, HISTORY, false);
  });

  step('go along when asked; one click goes back to the model’s window', async (app) => {
    const { page } = app;
    await command(app, 'here too');
    await stands(app, WHAT_IF, true);
    await page.locator(SELECTORS.yoursWindow).click();
    await stands(app, WHAT_IF, false);
    await openLamp(app);
    await stands(app, WHAT_IF, true);
  });
});
