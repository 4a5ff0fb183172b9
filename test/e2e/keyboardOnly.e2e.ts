import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { chooseFile, focusOf, importFile, rested, SOON, toastWith } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());
const other = files.write('other.json', '[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]');

const LONG = 'Why does the lamp in the hall flicker when the washer spins?';
const long = files.write('long.json', JSON.stringify([{ role: 'user', content: LONG }]));

const byTestId = (id: string): string => `[data-testid="${id}"]`;

/** Presses keys one after the other. */
async function press({ page }: RunningApp, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function type(app: RunningApp, text: string): Promise<void> {
  await press(app, 'ControlOrMeta+k');
  await app.page.locator(SELECTORS.paletteInput).waitFor();
  await app.page.keyboard.type(text);
  await expect.poll(() => chosen(app), SOON).toContain(text);
  await press(app, 'Enter');
  await app.page.locator(SELECTORS.palette).waitFor({ state: 'detached' });
}

const chosen = ({ page }: RunningApp) =>
  page.locator(`${SELECTORS.paletteItem}[aria-selected="true"]`).first().textContent();

const selected = ({ page }: RunningApp) =>
  page.locator(`${SELECTORS.row}[aria-selected="true"]`).first().getAttribute('data-index');

/** The focus is somewhere, and one can see where. */
async function seesFocus(app: RunningApp): Promise<void> {
  await expect.poll(() => focusOf(app), SOON).toMatchObject({ isVisible: true });
}

onEachHost('a person uses the keyboard alone', { start: () => ({ files: [other] }) }, (step) => {
  step('imports a file', async (app) => {
    await app.page.getByText('hello').first().waitFor();
    await chooseFile(app, lamp, () => press(app, 'ControlOrMeta+o'));
    // The open session stays open.
    await expect.poll(() => app.page.locator(SELECTORS.libraryItem).count(), SOON).toBe(2);
    // Another is being read: the new one is offered, and is in the list.
    const offer = toastWith(app, /^Imported 1 transcript, 25 messages/);
    await offer.waitFor();
    await press(app, 'Escape');
    await offer.waitFor({ state: 'detached' });
    await type(app, 'The lamp flickers');
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await rested(app);
  });

  step('is at the messages with the first arrow, though nothing had the focus', async (app) => {
    await app.page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await press(app, 'ArrowDown');
    // It opens at the end: the first row in sight.
    await expect.poll(() => selected(app), SOON).toMatch(/^\d+$/);
    await expect.poll(async () => (await focusOf(app)).what, SOON).toContain('Messages');
    await press(app, 'Escape');
  });

  step('switches the transcript from the palette', async (app) => {
    await type(app, 'hello');
    await expect.poll(() => app.page.locator(SELECTORS.row).count(), SOON).toBe(2);
    await type(app, 'The lamp flickers');
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await rested(app);
  });

  step('reaches every part of the window with Tab, and sees where the focus is', async (app) => {
    const seen: string[] = [];
    for (let times = 0; times < 90; times++) {
      await press(app, 'Tab');
      const { what, isVisible } = await focusOf(app);
      if (what === 'nothing') continue; // between the last and the first the browser's own frame has it
      expect(isVisible, `the focus on “${what}”`).toBe(true);
      seen.push(what);
    }
    for (const part of ['Library', 'Filter transcripts', 'Transcripts', 'Call point', 'Messages', 'trigger-why']) {
      expect(
        seen.some((what) => what.includes(part)),
        `${part} among ${seen.join(', ')}`,
      ).toBe(true);
    }
  });

  step('moves the selection, and opens a row in its place', async (app) => {
    const { page } = app;
    await type(app, String(LAMP.driver));
    await expect.poll(() => selected(app), SOON).toBe(String(LAMP.driver));
    await expect.poll(async () => (await focusOf(app)).what, SOON).toContain('Messages');
    await press(app, 'ArrowDown');
    await expect.poll(() => selected(app), SOON).toBe(String(LAMP.driver + 1));
    await press(app, 'ArrowUp');
    await expect.poll(() => selected(app), SOON).toBe(String(LAMP.driver));
    await seesFocus(app);
    await press(app, 'Enter');
    await expect
      .poll(() => page.locator(SELECTORS.rowOf(LAMP.driver)).locator(SELECTORS.rowDetail).textContent(), SOON)
      .toContain('src_lamp_driver_ts_step_9');
    await press(app, 'Enter');
    await page.locator(SELECTORS.rowDetail).waitFor({ state: 'detached' });
    await press(app, 'Home');
    await expect.poll(() => selected(app), SOON).toBe('0');
    await press(app, 'End');
    await expect.poll(() => selected(app), SOON).toBe(String(LAMP.messages - 1));
  });

  step('goes through the parts of the window with F6', async (app) => {
    const isAt = (part: string) => app.page.locator(`${part}:focus`).waitFor();
    await app.page.locator(SELECTORS.timeline).focus();
    const parts = [SELECTORS.drawerTab('why'), SELECTORS.presetMenu, '#library-list', SELECTORS.scrubber];
    for (const part of [...parts, SELECTORS.timeline]) {
      await press(app, 'F6');
      await isAt(part);
      await seesFocus(app);
    }
    await press(app, 'Shift+F6');
    await isAt(SELECTORS.scrubber);
  });

  step('changes the mode by its key, and goes on from there with F6', async (app) => {
    const isAt = (part: string) => app.page.locator(`${part}:focus`).waitFor();
    const firsts = { 2: '.compare-bar button', 3: '.tune-bar button', 4: SELECTORS.scrubber, 5: '.checks-bar button' };
    for (const [mode, first] of Object.entries(firsts)) {
      await app.page.locator(SELECTORS.timeline).focus();
      await press(app, `ControlOrMeta+${mode}`);
      await isAt('.workspace');
      // Its code is loaded when it is first shown.
      await app.page.locator(first).first().waitFor();
      await press(app, 'F6');
      await isAt(first);
      await press(app, 'ControlOrMeta+1');
      await isAt(SELECTORS.timeline);
    }
  });

  step('opens the find bar by its key or from the palette, and closes it with Escape', async (app) => {
    const field = app.page.locator(`${SELECTORS.findInput}:focus`);
    const list = app.page.locator(`${SELECTORS.timeline}:focus`);
    await app.page.locator(SELECTORS.timeline).focus();
    await press(app, 'ControlOrMeta+f');
    await field.waitFor();
    await press(app, 'Escape');
    await list.waitFor();
    await type(app, 'why is it gone');
    await field.waitFor();
    await press(app, 'Escape');
    await press(app, 'Alt+5');
    await field.waitFor();
    await press(app, 'Escape');
    await press(app, 'Alt+1');
  });

  step('changes the layout', async (app) => {
    const cells = () => app.page.locator(SELECTORS.row).first().locator(SELECTORS.cell).count();
    await press(app, '1');
    await expect.poll(cells, SOON).toBe(1);
    await press(app, '3');
    await app.page.locator(`${SELECTORS.layoutModel}[aria-checked="true"]`).waitFor();
    await expect.poll(cells, SOON).toBe(1);
    await press(app, '2');
    await expect.poll(cells, SOON).toBe(1);
    await press(app, 'o');
    await expect.poll(cells, SOON).toBe(2);
    await press(app, 'o');
    await seesFocus(app);
  });

  step('hides and shows the panels', async (app) => {
    const { page } = app;
    const panels: readonly (readonly [string, string])[] = [
      ['ControlOrMeta+b', '#library-list'],
      ['ControlOrMeta+j', `aside${SELECTORS.policyPanel}`],
      ['ControlOrMeta+d', `section${SELECTORS.drawer}`],
    ];
    for (const [key, panel] of panels) {
      await press(app, key);
      await page.locator(panel).waitFor({ state: 'hidden' });
      await press(app, key);
      await page.locator(panel).waitFor({ state: 'visible' });
      await seesFocus(app);
    }
  });

  step('opens the library as a table, and is at the messages when it is closed', async (app) => {
    const { page } = app;
    for (const key of ['Escape', 'ControlOrMeta+Shift+l']) {
      await press(app, 'ControlOrMeta+Shift+l');
      await page.locator(SELECTORS.libraryTable).waitFor();
      await seesFocus(app);
      await press(app, key);
      await page.locator(SELECTORS.libraryTable).waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(() => document.activeElement?.id), SOON).toBe('timeline');
      await seesFocus(app);
    }
  });

  step('changes the theme', async (app) => {
    const theme = () => app.page.locator('html').getAttribute('data-theme');
    await type(app, 'Theme: dark');
    await expect.poll(theme, SOON).toBe('dark');
    await seesFocus(app);
    await type(app, 'Theme: light');
    await expect.poll(theme, SOON).toBe('light');
  });

  step('a dialog begins at its field or its main action; Esc gives the focus back to what opened it', async (app) => {
    const { page } = app;
    for (const [button, begins] of [
      [SELECTORS.sourcesButton, SELECTORS.sourceFile],
      [byTestId('verify-open'), SELECTORS.verifyButton],
      [byTestId('export-open'), SELECTORS.exportButton],
    ] as const) {
      await page.locator(button).focus();
      await press(app, 'Enter');
      await page.locator(`${begins}:focus`).waitFor();
      await press(app, 'Escape');
      await page.locator('[role="dialog"]').waitFor({ state: 'detached' });
      await page.locator(`${button}:focus`).waitFor();
    }
    // The button of a menu stands for the entry that was chosen from it.
    await page.locator(SELECTORS.policyMore).focus();
    await press(app, 'Enter');
    await page.locator('[role="menu"]:focus, [role="menu"] :focus').first().waitFor();
    await press(app, 'End');
    await page.locator(`${SELECTORS.policyImport}[data-highlighted]`).waitFor();
    await press(app, 'Enter');
    await page.locator(`${SELECTORS.importDialog} textarea:focus`).waitFor();
    await press(app, 'Escape');
    await page.locator(`${SELECTORS.policyMore}:focus`).waitFor();
  });

  step('opens a tab of the drawer by its key, and closes the drawer with Esc', async (app) => {
    const { page } = app;
    await press(app, 'Alt+3');
    await expect.poll(() => page.locator(SELECTORS.drawerTab('json')).getAttribute('aria-selected'), SOON).toBe('true');
    await press(app, 'Alt+1');
    await page.locator(SELECTORS.drawerTab('why')).focus();
    // Escape closes the topmost thing: the tip of the button that had the focus goes first.
    await expect.poll(() => page.locator('.tooltip').count(), SOON).toBe(0);
    await press(app, 'Escape');
    await page.locator(`section${SELECTORS.drawer}`).waitFor({ state: 'hidden' });
    await expect.poll(async () => (await focusOf(app)).what, SOON).toContain('Messages');
    await seesFocus(app);
  });

  step('reads the map of keys, and leaves it with Esc', async (app) => {
    await press(app, '?');
    await app.page.locator(SELECTORS.keyMap).waitFor();
    await press(app, 'Escape');
    await app.page.locator(SELECTORS.keyMap).waitFor({ state: 'detached' });
    await seesFocus(app);
  });

  step('reads whole what is cut off, and copies it', async (app) => {
    const { page } = app;
    await importFile(app, long);
    const item = page.locator(SELECTORS.libraryItem).filter({ hasText: LONG });
    await item.waitFor();
    const id = await item.getAttribute('id');
    const list = page.locator('[role="tree"]');
    await list.focus();
    await press(app, 'Home');
    for (let lines = 0; lines < 4 && (await list.getAttribute('aria-activedescendant')) !== id; lines++) {
      await press(app, 'ArrowDown');
    }
    const tip = page.locator(SELECTORS.cutTip);
    await expect.poll(() => tip.textContent(), SOON).toBe(LONG);
    await press(app, 'ControlOrMeta+c');
    await expect.poll(() => tip.textContent(), SOON).toBe('Copied');
    const filter = page.locator(SELECTORS.libraryFilter);
    await filter.focus();
    await tip.waitFor({ state: 'detached' });
    await press(app, 'ControlOrMeta+v');
    await expect.poll(() => filter.inputValue(), SOON).toBe(LONG);
    await filter.fill('');
  });
});
