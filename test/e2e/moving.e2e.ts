import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/host.ts';
import { isDesktop } from './support/launchDesktop.ts';
import { onEachHost } from './support/onEachHost.ts';
import { chooseFile, clipboardText, command, rested, SOON, toastWith } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());
const other = files.write('other.json', '[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]');
const third = files.write('third.json', '[{"role":"user","content":"a third"},{"role":"assistant","content":"yes"}]');

const selected = (page: Page) =>
  page.locator(`${SELECTORS.row}[aria-selected="true"]`).first().getAttribute('data-index');
const isAtLamp = (page: Page) => page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
const place = (page: Page) => page.evaluate(() => location.hash);

/** The window that is opened by what `ask` does. */
async function newWindow(app: RunningApp, ask: () => Promise<void>): Promise<Page> {
  const opened = isDesktop(app) ? app.electron.waitForEvent('window') : app.page.context().waitForEvent('page');
  await ask();
  return opened;
}

onEachHost('a person goes from place to place', { start: () => ({ files: [lamp] }) }, (step, kind) => {
  let link = '';
  let second: Page;

  step('copies the link to a message by its key', async (app) => {
    await isAtLamp(app.page);
    await rested(app);
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).click();
    await app.page.keyboard.press('y');
    await toastWith(app, `Copied the link to message #${LAMP.driver}`).waitFor();
    link = await clipboardText(app);
    const base = isDesktop(app) ? 'parallax:\\/\\/' : 'http:\\/\\/127\\.0\\.0\\.1:\\d+\\/#\\/';
    expect(link).toMatch(new RegExp(`^${base}open\\/[0-9a-f]{24}\\?message=${LAMP.driver}$`));
    await expect.poll(() => place(app.page), SOON).toBe(link.replace(/^.*(?=open\/)/, '#/'));
    expect(await app.page.title()).toMatch(/^The lamp flickers.* – Timeline – Parallax$/);
  });

  step('goes to another transcript, and back and forward by keys', async (app) => {
    const { page } = app;
    await chooseFile(app, other, () => page.keyboard.press('ControlOrMeta+o'));
    await toastWith(app, /^Imported 1 transcript/)
      .getByRole('button', { name: 'Open' })
      .click();
    await expect.poll(() => page.locator(SELECTORS.row).count(), SOON).toBe(2);
    await expect.poll(() => place(page), SOON).not.toContain(link.slice(-20));
    await page.keyboard.press('Alt+ArrowLeft');
    await isAtLamp(page);
    await expect.poll(() => selected(page), SOON).toBe(String(LAMP.driver));
    await page.keyboard.press('Alt+ArrowRight');
    await expect.poll(() => page.locator(SELECTORS.row).count(), SOON).toBe(2);
    expect(await page.title()).toMatch(/^hello.* – Timeline – Parallax$/);
  });

  step('goes back from a mode, even when the chart has the focus', async (app) => {
    const { page } = app;
    await page.keyboard.press('Alt+ArrowLeft');
    await isAtLamp(page);
    await rested(app);
    await page.keyboard.press('ControlOrMeta+2');
    await expect.poll(() => page.title(), SOON).toContain(' – Compare – ');
    await expect.poll(() => place(page), SOON).toContain('mode=compare');
    await page.keyboard.press('ControlOrMeta+1');
    await page.locator(SELECTORS.scrubber).focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => page.title(), SOON).toContain(' – Compare – ');
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => page.title(), SOON).toContain(' – Timeline – ');
    await expect.poll(() => selected(page), SOON).toBe(String(LAMP.driver));
  });

  step('opens the link from the palette, from wherever they are', async (app) => {
    const { page } = app;
    await command(app, 'hello');
    await expect.poll(() => page.locator(SELECTORS.row).count(), SOON).toBe(2);
    await page.keyboard.press('ControlOrMeta+k');
    await page.locator(SELECTORS.paletteInput).fill(link);
    await page.locator(SELECTORS.paletteItem).filter({ hasText: 'Open this link' }).waitFor();
    await page.keyboard.press('Enter');
    await isAtLamp(page);
    await expect.poll(() => selected(page), SOON).toBe(String(LAMP.driver));
  });

  step('is told of a link to what the library has not, and stays where they are', async (app) => {
    const { page } = app;
    await page.keyboard.press('ControlOrMeta+k');
    await page.locator(SELECTORS.paletteInput).fill(`parallax://open/${'f'.repeat(24)}?message=1`);
    await page.locator(SELECTORS.paletteItem).filter({ hasText: 'Open this link' }).click();
    await toastWith(app, 'This library does not have the transcript of the link.').waitFor();
    await page.keyboard.press('Escape');
    expect(await selected(page)).toBe(String(LAMP.driver));
  });

  step('opens a menu where the keyboard is, in messages and in the library, and one over the chart', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.timeline).focus();
    await page.keyboard.press('Shift+F10');
    const menu = page.locator('[data-testid="row-menu"]');
    await menu.waitFor();
    expect(await menu.textContent()).toContain(`Message #${LAMP.driver}`);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await page.locator(`${SELECTORS.timeline}:focus`).waitFor();
    await page.locator('#library-list').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Copy link to the transcript' }).click();
    await toastWith(app, 'Copied the link to the transcript').waitFor();
    expect(await clipboardText(app)).toMatch(/open\/[0-9a-f]{24}$/);
    await page.locator(SELECTORS.scrubber).click({ button: 'right', position: { x: 300, y: 30 } });
    await page.getByRole('menuitem', { name: 'Copy link to the call point' }).click();
    await toastWith(app, 'Copied the link to the next request').waitFor();
  });

  step('opens another window at the same place', async (app) => {
    await app.page.locator(SELECTORS.timeline).focus();
    second = await newWindow(app, () => app.page.keyboard.press('Alt+n'));
    await isAtLamp(second);
    await expect.poll(() => selected(second), SOON).toBe(String(LAMP.driver));
    expect(await second.title()).toMatch(/^The lamp flickers/);
  });

  step('sees in each window what is done in the other: it is one library', async (app) => {
    await app.page.locator(SELECTORS.timeline).focus();
    await app.page.keyboard.press('m');
    await second.locator(`${SELECTORS.rowOf(LAMP.driver)} ${SELECTORS.rowMark}`).waitFor();
    const inSecond = { ...app, page: second } as RunningApp;
    if (!isDesktop(app)) second.on('filechooser', () => {});
    await chooseFile(inSecond, third, () => second.locator(SELECTORS.importButton).click());
    await app.page.locator(SELECTORS.libraryItem).filter({ hasText: 'a third' }).waitFor();
    expect(await selected(app.page)).toBe(String(LAMP.driver));
    // Where the one is, is not where the other is.
    await second.locator(SELECTORS.libraryItem).filter({ hasText: 'hello' }).click();
    await expect.poll(() => second.locator(SELECTORS.row).count(), SOON).toBe(2);
    await isAtLamp(app.page);
    await second.close();
  });

  // Links from other programs.
  const row = SELECTORS.rowOf(LAMP.fuse);
  let id = '';

  step('an address that is typed or pasted leads to its place', async ({ page }) => {
    await isAtLamp(page);
    await expect.poll(() => place(page), SOON).toMatch(/^#\/open\/[0-9a-f]{24}/);
    id = /open\/([0-9a-f]{24})/.exec(await place(page))?.[1] ?? '';
    await page.evaluate((to) => location.assign(to), `#/open/${id}?message=${LAMP.fuse}`);
    await expect.poll(() => selected(page), SOON).toBe(String(LAMP.fuse));
    await page.reload();
    await page.locator(row).waitFor();
    await expect.poll(() => selected(page), SOON).toBe(String(LAMP.fuse));
  });

  step('an address that is not one is said to be none, and does nothing', async (app) => {
    await app.page.evaluate(() => location.assign('#/open/../../etc/passwd?run=1'));
    await toastWith(app, 'The link could not be read.').waitFor();
    expect(await selected(app.page)).toBe(String(LAMP.fuse));
    await app.page.keyboard.press('Escape');
  });

  if (kind !== 'desktop') return;

  step('the system hands over a link: the window that was last in use goes there', async (app) => {
    if (!isDesktop(app)) return;
    const text = `parallax://open/${id}?message=${LAMP.wiring}&at=${LAMP.wiring + 1}`;
    await app.electron.evaluate(({ app: self }, url) => self.emit('open-url', { preventDefault() {} }, url), text);
    await expect.poll(() => selected(app.page), SOON).toBe(String(LAMP.wiring));
    await expect.poll(() => app.page.locator(SELECTORS.scrubber).getAttribute('data-at'), SOON).toBe('16');
  });

  step('a second launch hands over its link', async (app) => {
    if (!isDesktop(app)) return;
    const argv = ['parallax', '--some-switch', `parallax://open/${id}?message=${LAMP.timer}`];
    await app.electron.evaluate(({ app: self }, args) => self.emit('second-instance', {}, args, '/'), argv);
    await expect.poll(() => selected(app.page), SOON).toBe(String(LAMP.timer));
    expect(app.electron.windows()).toHaveLength(1);
  });

  step('the mouse’s back button goes back', async (app) => {
    await expect.poll(() => place(app.page), SOON).toContain(`message=${LAMP.timer}`);
    await app.page.evaluate(() => {
      for (const type of ['mousedown', 'mouseup']) {
        document.body.dispatchEvent(new MouseEvent(type, { button: 3, bubbles: true, cancelable: true }));
      }
    });
    await expect.poll(() => app.page.locator(SELECTORS.scrubber).getAttribute('data-at'), SOON).toBe('16');
  });

  step('hostile links do nothing: no page, no file, no window, no switch', async (app) => {
    if (!isDesktop(app)) return;
    const before = app.page.url();
    const hostile = [
      'parallax://app/index.html',
      'parallax://app/../../../etc/passwd',
      'parallax://open/../../etc/passwd',
      'parallax://evil.example/open',
      `parallax://open/${id}?run=calc`,
      `parallax://open/${id}" --inspect=0.0.0.0`,
      `parallax://open/${'f'.repeat(24)}?spec=PHNjcmlwdD4`,
      'parallax:javascript:alert(1)',
      `parallax://open/${'f'.repeat(24)}?message=1`,
    ];
    for (const url of hostile) {
      const ways = [
        ['open-url', { preventDefault() {} }, url],
        ['second-instance', {}, ['parallax', url], '/'],
      ];
      for (const [event, ...args] of ways) {
        await app.electron.evaluate(
          ({ app: self }, [name, rest]) => {
            const [first, ...others] = rest as unknown[];
            self.emit(name as string, { ...(first as object), preventDefault() {} }, ...others);
          },
          [event, JSON.parse(JSON.stringify(args))] as const,
        );
      }
    }
    // A link that is none of these, behind them: when it is followed, all have been looked at.
    const link = `parallax://open/${id}?message=${LAMP.fuse}`;
    await app.electron.evaluate(({ app: self }, url) => self.emit('open-url', { preventDefault() {} }, url), link);
    await expect.poll(() => selected(app.page), SOON).toBe(String(LAMP.fuse));
    expect(app.page.url().split('#')[0]).toBe(before.split('#')[0]);
    expect(app.electron.windows()).toHaveLength(1);
    expect(await app.page.locator(SELECTORS.row).count()).toBeGreaterThan(2);
  });
});
