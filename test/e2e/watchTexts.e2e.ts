import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/host.ts';
import { onEachHost } from './support/onEachHost.ts';
import { callPoint, choosePreset, rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const FACT = 'the limit of open brackets is 4471';
const QUESTION = 'How does the parser close what it opened?';
/** Index of the result that says it, the next request, and the first one that does not hold it under `retention`. */
const [SOURCE, LAST, LOST] = [2, 17, 14] as const;

function sessionJson(): string {
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"src/p.ts"}' } }],
  };
  const user = (content: string) => ({ role: 'user', content });
  const say = (content: string) => ({ role: 'assistant', content });
  const chat = Array.from({ length: 7 }, (_, turn) => [user(`And then, step ${turn}?`), say('Well.')]).flat();
  const result = { role: 'tool', tool_call_id: 'c1', content: `src/p.ts\n${FACT}\n` };
  return JSON.stringify({ model: 'gpt-4o', messages: [user(QUESTION), call, result, ...chat] });
}

const file = files.write('parser.json', sessionJson());

const strips = ({ page }: RunningApp) =>
  page.getByTestId('watch-strip').evaluateAll((all) => all.map((one) => one.getAttribute('data-states')));
const names = ({ page }: RunningApp) =>
  page.getByTestId('watch-name').evaluateAll((all) => all.map((one) => one.textContent));

onEachHost('a person watches texts along the session', { start: () => ({ files: [file] }) }, (step) => {
  step('pins the text of the find bar: a strip says that each request held it', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(SOURCE)).waitFor();
    await rested(app);
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator(SELECTORS.findInput).fill(FACT);
    await page.getByTestId('find-watch').click();
    await expect.poll(() => strips(app), SOON).toEqual(['not_yet original']);
    await expect.poll(() => names(app), SOON).toEqual([`1${FACT}in this request`]);
    await page.locator(SELECTORS.findInput).press('Escape');
  });

  step('pins a message from its drawer', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(0)).click();
    await page.getByTestId('watch-this').click();
    await expect.poll(() => names(app), SOON).toEqual([`1${FACT}in this request`, `2${QUESTION}in this request`]);
    await expect.poll(() => strips(app), SOON).toEqual(['not_yet original', 'original']);
  });

  step('changes the policy: the strips follow, and say since when and by which rule', async (app) => {
    await choosePreset(app, 'retention');
    await expect.poll(() => strips(app), SOON).toEqual(['not_yet original gone', 'original']);
    await expect.poll(() => names(app), SOON).toEqual([`1${FACT}gone since #${LOST}`, `2${QUESTION}in this request`]);
    const title = await app.page.getByTestId('watch-name').first().locator('button').first().getAttribute('title');
    expect(title).toMatch(new RegExp(`In \\d of \\d requests since it was said\\nFirst lost at #${LOST}: stage 1, `));
  });

  step('clicks the strip where it is gone: the call point is the one where it was lost', async (app) => {
    const { page } = app;
    expect(await callPoint(app)).toBe(LAST);
    const strip = page.getByTestId('watch-strip').first();
    const box = await strip.boundingBox();
    await strip.click({ position: { x: (box?.width ?? 0) - 16, y: 10 } });
    await expect.poll(() => callPoint(app), SOON).toBe(LOST);
    await strip.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => names(app), SOON).toEqual([`1${FACT}not said yet`, `2${QUESTION}in this request`]);
    await page.getByTestId('watch-name').first().locator('button').first().click();
    await expect.poll(() => names(app), SOON).toEqual([`1${FACT}in this request`, `2${QUESTION}in this request`]);
  });

  step('names it, moves it, stops watching it, and takes that back', async (app) => {
    const { page } = app;
    await page.getByTestId('watch-edit').first().click();
    await page.getByTestId('watchpoint-name').fill('the limit');
    await page.getByRole('button', { name: 'Violet' }).click();
    await page.getByRole('button', { name: 'Move down' }).click();
    await page.getByTestId('watchpoint-save').click();
    await expect.poll(() => names(app), SOON).toEqual([`1${QUESTION}in this request`, '2the limitin this request']);
    await page.getByTestId('watch-edit').last().click();
    await page.getByTestId('watchpoint-remove').click();
    await expect.poll(() => names(app), SOON).toEqual([`1${QUESTION}in this request`]);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => names(app), SOON).toEqual([`1${QUESTION}in this request`, '2the limitin this request']);
  });
});
