import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { callPoint, choosePreset, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const LINE = 'the parser keeps a stack of open brackets and closes them in reverse order';
/** Index of the result that is used, of the quote while it stands, of the read after it has expired. */
const [SOURCE, QUOTE, AGAIN] = [2, 4, 18] as const;

function sessionJson(): string {
  const call = (id: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: '{"path":"src/parser.ts"}' } }],
  });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: `src/parser.ts\n${LINE}\n` });
  const user = (content: string) => ({ role: 'user', content });
  const say = (content: string) => ({ role: 'assistant', content });
  const chat = Array.from({ length: 6 }, (_, turn) => [user(`And then, step ${turn}?`), say('Well.')]).flat();
  const messages = [
    user('How does it parse?'),
    call('c1'),
    result('c1'),
    user('So?'),
    say(`It says that ${LINE}.`),
    ...chat,
    user('Once more.'),
    call('c2'),
    result('c2'),
    say('Done.'),
  ];
  return JSON.stringify({ model: 'gpt-4o', messages });
}

const file = files.write('parser.json', sessionJson());

/** The rows that say they are on a trail. */
function chips(page: Page): Promise<readonly string[]> {
  return page.getByTestId('trail-chip').evaluateAll((all) =>
    all.map((chip) => {
      const { side, outcome } = (chip as HTMLElement).dataset;
      return `${chip.closest<HTMLElement>('[data-testid="row"]')?.dataset['index']} ${side} ${outcome}`;
    }),
  );
}

onEachHost('a person sees what was used later', { start: () => ({ files: [file] }) }, (step) => {
  step('under the raw history every request held it', async ({ page }) => {
    await page.locator(SELECTORS.rowOf(SOURCE)).click();
    const sentence = page.getByTestId('used-by');
    await expect.poll(() => sentence.textContent(), SOON).toBe(`Used later by #${QUOTE}, #${AGAIN}`);
    await expect.poll(() => page.getByTestId('uses-strip').getAttribute('data-gone'), SOON).toBe('0');
  });

  step('under a policy that lets results expire, since when not, and what was fetched again', async (app) => {
    const { page } = app;
    await choosePreset(app, 'retention');
    const sentence = page.getByTestId('used-by');
    await expect
      .poll(() => sentence.textContent(), SOON)
      .toMatch(new RegExp(`^Used later by #${QUOTE}, #${AGAIN} · 1 of \\d gone when used, since call #\\d+$`));
    const lines = page.getByTestId('uses').locator('.uses-line');
    const told = await lines.evaluateAll((all) => all.map((line) => line.getAttribute('data-outcome')));
    expect(told).toContain('original');
    expect(told).toContain('gone');
    expect(await page.getByTestId('uses').textContent()).toMatch(/reads again.*gone since #\d+.*tok fetched again/);
  });

  step('the rows are marked: used by two later messages, one of which did not have it', async ({ page }) => {
    const mark = page.locator(SELECTORS.rowOf(SOURCE)).getByTestId('row-used');
    await expect.poll(() => mark.getAttribute('title'), SOON).toMatch(/^Used later by #4, #18 · 1 of 2 gone when used/);
    expect(await mark.getAttribute('data-later')).toBe('2');
    expect(await mark.locator('.row-used-gone').count()).toBe(1);
    const again = page.locator(SELECTORS.rowOf(AGAIN)).getByTestId('row-used');
    expect(await again.getAttribute('title')).toContain('It used something that was not in its request');
    expect(await page.getByTestId('rows-used-state').count()).toBe(0);
  });

  step('its trail is marked in rows, strip and ruler: one that had it, one that did not', async ({ page }) => {
    const strip = page.getByTestId('uses-strip');
    await expect.poll(() => strip.getAttribute('data-trail'), SOON).toBe(String(SOURCE));
    const marked = `${QUOTE}:user:original ${AGAIN}:user:gone`;
    await expect.poll(() => strip.getAttribute('data-marks'), SOON).toBe(marked);
    expect(await strip.getAttribute('title')).toContain('2 relied on it, 1 while it was not in the request');
    await expect.poll(() => chips(page), SOON).toEqual([`${QUOTE} user original`, `${AGAIN} user gone`]);
    const ruler = page.getByTestId('row-ruler');
    const bars = () =>
      ruler.locator('[data-kind="use"]').evaluateAll((all) => all.map((one) => one.getAttribute('data-outcome')));
    await expect.poll(bars, SOON).toEqual(['original', 'gone']);
    // Nothing is said of marks that belong to rows of before.
    await expect
      .poll(async () => (await ruler.getAttribute('title')) ?? '', SOON)
      .toContain('2 on the trail of the selected message, 1 where the request did not hold it');
  });

  step('U and Shift U go along it, and it stays the trail of the message one began at', async (app) => {
    const { page } = app;
    const strip = page.getByTestId('uses-strip');
    const selected = () => page.locator('.row-selected').first().getAttribute('data-index');
    await page.getByTestId('timeline').focus();
    await page.keyboard.press('u');
    await expect.poll(selected, SOON).toBe(String(QUOTE));
    await page.keyboard.press('u');
    await expect.poll(selected, SOON).toBe(String(AGAIN));
    expect(await strip.getAttribute('data-trail')).toBe(String(SOURCE));
    expect(await page.getByTestId('trail-start').textContent()).toBe(`trail of #${SOURCE}`);
    await page.keyboard.press('u');
    await page.getByText(`No later use on the trail of #${SOURCE}.`).waitFor();
    await page.keyboard.press('Shift+U');
    await page.keyboard.press('Shift+U');
    await expect.poll(selected, SOON).toBe(String(SOURCE));
    expect(await page.getByTestId('trail-start').count()).toBe(0);
  });

  step('a message that relied on earlier ones has them on its trail', async ({ page }) => {
    await page.locator(SELECTORS.rowOf(AGAIN)).first().click();
    const strip = page.getByTestId('uses-strip');
    await expect.poll(() => strip.getAttribute('data-trail'), SOON).toBe(String(AGAIN));
    await expect.poll(() => strip.getAttribute('data-marks'), SOON).toContain(`${SOURCE}:source:gone`);
    await expect.poll(() => chips(page), SOON).toContain(`${SOURCE} source gone`);
  });

  step('the strip under the chart marks the request that did not hold it, and leads there', async (app) => {
    const strip = app.page.getByTestId('uses-strip');
    await expect.poll(() => strip.getAttribute('data-gone'), SOON).toBe('1');
    await strip.focus();
    await app.page.keyboard.press('ArrowLeft');
    await expect.poll(() => callPoint(app), SOON).toBe(AGAIN);
  });
});
