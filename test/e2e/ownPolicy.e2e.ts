import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, indexesWithFate, nextHash, SOON, shownHash } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson, lampMessages } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

const DROPS_RESULTS = `function project(messages) {
  return messages.filter((message) => message.role !== 'user');
}`;

const LOOPS = `function project(messages) {
  const kept = messages;
  for (;;) {}
}`;

const THROWS = `function project(messages) {
  const first = messages[0];
  first.nothing.here();
}`;

// At once, not bit by bit: on a busy machine the time would be over before the memory.
const ALLOCATES = `function project(messages) {
  const size = 1e9;
  return [new Uint8Array(size)];
}`;

const USERS = lampMessages().flatMap((message, index) => (message.role === 'user' ? [index] : []));

const editor = ({ page }: RunningApp) => page.locator(SELECTORS.customEditor);

/** Replaces the code in the open editor by typing, as a person does, or by pasting: each letter typed is a policy to project. */
async function write(app: RunningApp, code: string, how: 'type' | 'insertText' = 'insertText'): Promise<void> {
  const { page } = app;
  const lines = editor(app).locator('.view-lines').first();
  await lines.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await expect.poll(() => lines.textContent(), SOON).toBe('');
  await page.keyboard[how](code);
  // Braces that the editor closed by itself come after the cursor.
  await page.keyboard.press('ControlOrMeta+Shift+End');
  await page.keyboard.press('Delete');
}

async function openEditor(app: RunningApp): Promise<void> {
  await command(app, 'Write a custom policy');
  await editor(app).waitFor();
}

async function closeEditor(app: RunningApp): Promise<void> {
  await editor(app).getByRole('button', { name: 'Done' }).click();
  await editor(app).waitFor({ state: 'detached' });
}

/** What the editor says of the code, once that matches. */
async function saysError(app: RunningApp, expected: RegExp): Promise<string> {
  const error = app.page.locator(SELECTORS.customError).first();
  await expect.poll(async () => ((await error.count()) > 0 ? error.textContent() : ''), SOON).toMatch(expected);
  return (await error.textContent()) ?? '';
}

/** Lines that the editor has underlined as wrong. */
const marks = (app: RunningApp) => editor(app).locator('.squiggly-error').count();

let raw = '';

onEachHost('a person writes a policy of their own', { start: () => ({ files: [lamp] }) }, (step) => {
  step('one that leaves out what the user said: those rows are dropped', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    raw = (await shownHash(app)) ?? '';
    await openEditor(app);
    await editor(app)
      .getByRole('button', { name: /Everything/ })
      .click();
    await write(app, DROPS_RESULTS);
    await nextHash(app, raw);
    await closeEditor(app);
    await expect.poll(() => indexesWithFate(app, 'dropped'), SOON).toEqual(USERS);
  });

  step('one that never ends: it is told with its line, and the history is as it was', async (app) => {
    await openEditor(app);
    await write(app, LOOPS);
    const said = await saysError(app, /too many steps/);
    expect(said).toMatch(/at line [123]\b/);
    await expect.poll(() => marks(app), SOON).toBeGreaterThan(0);
    expect(await shownHash(app)).toBe(raw);
    await closeEditor(app);
  });

  step('and the app is usable meanwhile', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(LAMP.timer)).click();
    await expect.poll(() => page.locator(SELECTORS.why).textContent(), SOON).toMatch(/lamp\.json/);
    // Another call point: the endless policy begins to run again, and nothing waits for it.
    await page.locator(SELECTORS.scrubber).press('ArrowLeft');
    await page.locator(SELECTORS.drawerTab('rendered')).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Details' }).textContent(), SOON)
      .toContain('src_lamp_timer_ts_step_1');
    await page.locator(SELECTORS.rowOf(LAMP.fuse)).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Details' }).textContent(), SOON)
      .toContain('src_lamp_fuse_ts_step_1');
    await page.locator(SELECTORS.drawerTab('why')).click();
    await page.locator(SELECTORS.scrubber).press('End');
  });

  step('one that throws: line and column are told and marked', async (app) => {
    await openEditor(app);
    await write(app, THROWS);
    const said = await saysError(app, /threw an error/);
    expect(said).toMatch(/at line 3, column \d+/);
    expect(said).toMatch(/undefined/);
    await expect.poll(() => marks(app), SOON).toBeGreaterThan(0);
  });

  step('one that takes all memory: it is told', async (app) => {
    await write(app, ALLOCATES);
    await saysError(app, /too much memory/);
    expect(await shownHash(app)).toBe(raw);
  });

  step('one that is not JavaScript: the error names its line', async (app) => {
    await write(app, 'function project(messages) {\n  return messages.filter(;\n}');
    expect(await saysError(app, /not a function yet/)).toMatch(/at line 2/);
  });

  step('and corrects it: the rows are dropped again', async (app) => {
    await write(app, DROPS_RESULTS, 'type');
    await nextHash(app, raw);
    await expect.poll(() => editor(app).locator(SELECTORS.customError).count(), SOON).toBe(0);
    await expect.poll(() => marks(app), SOON).toBe(0);
    await closeEditor(app);
    await expect.poll(() => indexesWithFate(app, 'dropped'), SOON).toEqual(USERS);
  });
});
