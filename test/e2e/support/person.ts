// What a person does and sees, in words that hold on both hosts.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { RunningApp } from './host.ts';
import { isDesktop } from './launchDesktop.ts';
import { SELECTORS } from './selectors.ts';

/** Slow enough for a busy machine; nothing here measures time. */
export const SOON = { timeout: 20_000, interval: 50 } as const;

/** Answers the next question for a file with `path`, in whichever way the host asks it, while `ask` makes it ask. */
export async function chooseFile(app: RunningApp, path: string, ask: () => Promise<void>): Promise<void> {
  if (isDesktop(app)) {
    await app.electron.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
    }, path);
    await ask();
    return;
  }
  const [chooser] = await Promise.all([app.page.waitForEvent('filechooser'), ask()]);
  await chooser.setFiles(path);
}

/** Has a file followed: chosen in the desktop's dialog; in a browser it must be one that the app was started with. */
export async function followFile(app: RunningApp, path: string): Promise<void> {
  const { page } = app;
  await page.locator(SELECTORS.sourcesButton).click();
  if (isDesktop(app)) {
    await chooseFile(app, path, () => page.locator(SELECTORS.sourceFile).click());
    await page.locator(SELECTORS.sourceFollow).click();
    return;
  }
  await page
    .locator(SELECTORS.givenRow)
    .filter({ hasText: path })
    .getByRole('button', { name: /^Follow/ })
    .click();
  await page.keyboard.press('Escape');
}

/** Takes the file that `ask` makes the app save, from the save dialog or as a download; of one, the name suggested for it. */
export async function saveFile(app: RunningApp, path: string, ask: () => Promise<void>): Promise<string | null> {
  if (isDesktop(app)) {
    await app.electron.evaluate(({ dialog }, chosen) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen });
    }, path);
    await ask();
    return null;
  }
  const [download] = await Promise.all([app.page.waitForEvent('download'), ask()]);
  await download.saveAs(path);
  return download.suggestedFilename();
}

/** Imports a file by the library's button. */
export async function importFile(app: RunningApp, path: string): Promise<void> {
  await chooseFile(app, path, () => app.page.locator(SELECTORS.importButton).click());
}

/** Opens what an import has just offered, as it does while another transcript is read. */
export async function openOffered(app: RunningApp): Promise<void> {
  await toastWith(app, /^Imported 1 transcript/)
    .getByRole('button', { name: 'Open' })
    .click();
}

/** Two frames: what follows from what was done is drawn. */
function drawn(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Drags files over the window and lets them go, through the browser's own drag handling: they have real paths. */
export async function dropFiles(app: RunningApp, files: readonly string[], over?: () => Promise<void>): Promise<void> {
  const session = await app.page.context().newCDPSession(app.page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const place = { x: 700, y: 400, data };
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...place });
  await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...place });
  await over?.();
  // A hand keeps telling where it is; the browser lets go only over what took the last of these (now the overlay).
  for (let told = 0; told < 3; told++) {
    await drawn(app.page);
    await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...place });
  }
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...place });
  await session.detach();
}

/** Opens a tab of the drawer, and waits until it shows what it has to show. */
export async function openTab({ page }: RunningApp, id: string): Promise<void> {
  await page.locator(SELECTORS.drawerTab(id)).click();
  await page.locator(`${SELECTORS.drawerTab(id)}[aria-selected="true"]`).waitFor();
  const content = page.locator(`${SELECTORS.drawer} [role="tabpanel"]`);
  const isRead = async () => {
    const text = await content.innerText();
    return text.trim() !== '' && !text.includes('Reading…') && (await content.locator('.strip-loading').count()) === 0;
  };
  await expect.poll(isRead, SOON).toBe(true);
}

/** The prefix hash in the status line. */
export function shownHash({ page }: RunningApp): Promise<string | null> {
  return page.locator(SELECTORS.statusHash).getAttribute('data-hash');
}

/** The prefix hash once it is another than `before`, and the engine has come to rest. */
export async function nextHash(app: RunningApp, before: string | null): Promise<string> {
  await expect.poll(() => shownHash(app), SOON).not.toBe(before);
  await rested(app);
  return (await shownHash(app)) ?? '';
}

/** Waits until the engine has nothing to do for what is on screen. */
export async function rested({ page }: RunningApp): Promise<void> {
  await expect.poll(() => page.locator(SELECTORS.statusActivity).textContent(), SOON).toBe('idle');
}

/** Waits until what survives a restart is written: that comes a moment after the last change. */
export async function saved({ page }: RunningApp): Promise<void> {
  await expect.poll(() => page.locator(SELECTORS.status).getAttribute('data-saved'), SOON).toBe('true');
}

/** Source indexes of the messages whose rows carry that fate, in order. The list must be short enough to be drawn. */
export async function indexesWithFate({ page }: RunningApp, fate: string): Promise<readonly number[]> {
  // In one go: a row may be gone the moment after.
  const indexes = await page
    .locator(SELECTORS.rowsWithFate(fate))
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-index'))));
  return [...new Set(indexes)].sort((a, b) => a - b);
}

/** The call point the panes stand at. */
export async function callPoint({ page }: RunningApp): Promise<number> {
  return Number(await page.locator(SELECTORS.scrubber).getAttribute('data-at'));
}

/** Chooses a preset by its name from the panel's menu. */
export async function choosePreset({ page }: RunningApp, name: string): Promise<void> {
  await page.locator(SELECTORS.presetMenu).click();
  await page.locator(`${SELECTORS.pickList} [data-name="${name}"]`).click();
}

/** Opens the command palette, pastes, and takes what is found; `which` counts from 0. */
export async function command({ page }: RunningApp, text: string, which = 0): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.locator(SELECTORS.paletteInput).waitFor();
  // In one piece: the list is filtered and drawn once, not for each letter.
  await page.keyboard.insertText(text);
  // The list follows what is typed a frame later.
  await page.locator(`${SELECTORS.paletteItem}[aria-selected="true"]`).filter({ hasText: text }).waitFor();
  for (let step = 0; step < which; step++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator(SELECTORS.palette).waitFor({ state: 'detached' });
}

/** Says where the keyboard is, and whether that can be seen: an outline, a ring of shadow, or a marked active row. */
export function focusOf(app: RunningApp): Promise<{ readonly what: string; readonly isVisible: boolean }> {
  return app.page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return { what: 'nothing', isVisible: false };
    const pointed = document.getElementById(focused.getAttribute('aria-activedescendant') ?? '');
    const isMarked = (element: Element): boolean => {
      const style = getComputedStyle(element);
      const outlined = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0;
      return outlined || style.boxShadow !== 'none';
    };
    const isText = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement; // has a caret
    const name = focused.getAttribute('aria-label') ?? focused.id;
    const isVisible = isText || isMarked(focused) || (pointed !== null && isMarked(pointed));
    return { what: `${focused.tagName.toLowerCase()} ${name}`, isVisible };
  });
}

/** The one toast with that text. */
export function toastWith({ page }: RunningApp, text: string | RegExp): Locator {
  return page.locator(SELECTORS.toast).filter({ hasText: text });
}

/** The text on the clipboard, as another program would get it. */
export async function clipboardText(app: RunningApp): Promise<string> {
  if (isDesktop(app)) return app.electron.evaluate(({ clipboard }) => clipboard.readText());
  await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return app.page.evaluate(() => navigator.clipboard.readText());
}
