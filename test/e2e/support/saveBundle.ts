import { join } from 'node:path';
import type { RunningApp } from './forEachHost.ts';
import { isDesktop } from './launchDesktop.ts';
import { SELECTORS } from './selectors.ts';

/**
 * Presses Save and takes the file, from the save dialog or as a download, under the name that is suggested. Gives its
 * path: `folder` and that name.
 */
export async function saveBundle(app: RunningApp, folder: string): Promise<string> {
  const button = app.page.locator(SELECTORS.exportButton);
  if (isDesktop(app)) {
    await app.electron.evaluate(({ dialog }, into) => {
      dialog.showSaveDialog = async (...given: unknown[]) => {
        const asked: unknown = given.at(-1);
        const name = typeof asked === 'object' && asked !== null && 'defaultPath' in asked ? asked.defaultPath : '';
        return { canceled: false, filePath: `${into}/${String(name)}` };
      };
    }, folder);
    await button.click();
    await app.page.locator(SELECTORS.exportDone).waitFor();
    return (await app.page.getByTestId('export-place').textContent()) ?? '';
  }
  const [download] = await Promise.all([app.page.waitForEvent('download'), button.click()]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  await app.page.locator(SELECTORS.exportDone).waitFor();
  return path;
}
