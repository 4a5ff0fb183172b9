import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/host.ts';
import { onEachHost } from './support/onEachHost.ts';
import { SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const long = 'The second line of a message says what the first one has no room for. '.repeat(6);
const session = files.write(
  'dense.json',
  JSON.stringify({
    model: 'claude-opus-4-5',
    max_tokens: 1000,
    messages: Array.from({ length: 120 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: at % 4 === 0 ? `${at}: ${long}` : `short ${at}`,
    })),
  }),
);

const place = async ({ page }: RunningApp, index: number) => {
  const box = await page.locator(SELECTORS.rowOf(index)).boundingBox();
  return box && { y: Math.round(box.y), height: Math.round(box.height) };
};
const middleRow = ({ page }: RunningApp) =>
  page.locator(SELECTORS.timeline).evaluate((list) => {
    const { left, top, height } = list.getBoundingClientRect();
    const row = document.elementFromPoint(left + 100, top + height / 2)?.closest<HTMLElement>('[data-testid="row"]');
    return Number(row?.dataset.index);
  });
const lines = ({ page }: RunningApp, index: number) =>
  page
    .locator(SELECTORS.rowOf(index))
    .locator('.cell-text')
    .first()
    .evaluate((text) => Math.round(text.clientHeight / 16));

onEachHost('a person chooses how much of each message is seen', { start: () => ({ files: [session] }) }, (step) => {
  let index = -1;

  step('D shows two lines of each message, and what was selected stays on its line', async (app) => {
    await app.page.locator(SELECTORS.row).first().click();
    await app.page.keyboard.press('Home');
    for (let down = 0; down < 40; down++) await app.page.keyboard.press('ArrowDown');
    await expect.poll(() => middleRow(app), SOON).toBeGreaterThan(10);
    index = Math.floor((await middleRow(app)) / 4) * 4;
    await app.page.locator(SELECTORS.rowOf(index)).click();
    const before = await place(app, index);
    expect(before?.height).toBe(24);
    await app.page.keyboard.press('d');
    await expect.poll(() => place(app, index), SOON).toEqual({ y: before?.y, height: 40 });
    await expect.poll(() => lines(app, index), SOON).toBe(2);
    const short = app.page
      .locator(SELECTORS.rowOf(index + 1))
      .locator('.cell-text')
      .first();
    expect(await short.evaluate((text) => text.clientHeight)).toBeLessThan(24);
  });

  step('no row lies over another, and an opened one begins below its two lines', async (app) => {
    await app.page.keyboard.press('Enter');
    const next = async () => (await place(app, index + 1))?.y ?? 0;
    const own = await place(app, index);
    await expect.poll(async () => (await next()) - (own?.y ?? 0), SOON).toBeGreaterThan(60);
    await app.page.keyboard.press('Enter');
    await expect.poll(async () => (await next()) - (own?.y ?? 0), SOON).toBe(40);
  });

  step('it is so after a reload, and D goes back to one line', async (app) => {
    await app.page.reload();
    const row = app.page.locator(SELECTORS.row).first();
    await expect.poll(async () => Math.round((await row.boundingBox())?.height ?? 0), SOON).toBe(40);
    await row.click();
    await app.page.keyboard.press('d');
    await expect.poll(async () => Math.round((await row.boundingBox())?.height ?? 0), SOON).toBe(24);
  });
});
