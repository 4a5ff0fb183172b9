import { join } from 'node:path';
import type { RunningApp } from './forEachHost.ts';
import { isDesktop } from './launchDesktop.ts';
import { SELECTORS } from './selectors.ts';

interface Saved {
  /** What is pressed, what says that it is done, and what names the place. */
  readonly button: string;
  readonly done: string;
  readonly place: string;
}

const BUNDLE: Saved = {
  button: SELECTORS.exportButton,
  done: SELECTORS.exportDone,
  place: '[data-testid="export-place"]',
};
const PAGE: Saved = {
  button: '[data-testid="write-page"]',
  done: '[data-testid="page-done"]',
  place: '[data-testid="page-done"] .export-value',
};

/** The same for the page of a bundle that was just written. */
export function savePage(app: RunningApp, folder: string): Promise<string> {
  return saveBundle(app, folder, PAGE);
}

/**
 * Presses Save and takes the file, from the save dialog or as a download, under the name that is suggested. Gives its
 * path: `folder` and that name.
 */
export async function saveBundle(app: RunningApp, folder: string, saved = BUNDLE): Promise<string> {
  const button = app.page.locator(saved.button);
  if (isDesktop(app)) {
    await app.electron.evaluate(({ dialog }, into) => {
      dialog.showSaveDialog = async (...given: unknown[]) => {
        const asked: unknown = given.at(-1);
        const name = typeof asked === 'object' && asked !== null && 'defaultPath' in asked ? asked.defaultPath : '';
        return { canceled: false, filePath: `${into}/${String(name)}` };
      };
    }, folder);
    await button.click();
    await app.page.locator(saved.done).waitFor();
    return (await app.page.locator(saved.place).textContent()) ?? '';
  }
  const [download] = await Promise.all([app.page.waitForEvent('download'), button.click()]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  await app.page.locator(saved.done).waitFor();
  return path;
}
