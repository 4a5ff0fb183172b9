import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const LINE = 'the parser keeps a stack of open brackets and closes them in reverse order';

/** Eight messages with one call of each of two tools, the first again at the end; ten rows. */
function sessionJson(): string {
  const call = (id: string, name: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: '{"path":"src/parser.ts"}' } }],
  });
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
  const user = (content: string) => ({ role: 'user', content });
  const say = (content: string) => ({ role: 'assistant', content });
  const chat = Array.from({ length: 6 }, (_, turn) => [user(`And then, step ${turn}?`), say('Well.')]).flat();
  const messages = [
    user('How does it parse?'),
    call('c1', 'read_file'),
    result('c1', `src/parser.ts\n${LINE}\n`),
    call('c2', 'run_tests'),
    result('c2', '12 passed'),
    say('It works.'),
    ...chat,
    user('Once more.'),
    call('c3', 'read_file'),
    result('c3', `src/parser.ts\n${LINE}\n`),
    say('Done.'),
  ];
  return JSON.stringify({ model: 'gpt-4o', messages });
}

const file = files.write('parser.json', sessionJson());
const ROWS = 22;

onEachHost('a person filters the rows', { start: () => ({ files: [file] }) }, (step) => {
  const shown = (page: Parameters<Parameters<typeof step>[1]>[0]['page']) =>
    page
      .locator(`${SELECTORS.row}:not([data-kind="fold"])`)
      .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-index'))));

  step('typing a field offers its values with counts, and Enter takes one', async ({ page }) => {
    await page.locator(SELECTORS.rowOf(0)).waitFor();
    await page.getByTestId('timeline').focus();
    await page.keyboard.press('l');
    await page.getByTestId('filter-input').pressSequentially('tool:');
    const offers = page.getByTestId('filter-offers').locator('[role="option"]');
    await expect.poll(() => offers.allTextContents(), SOON).toEqual(['tool:read_file4', 'tool:run_tests2']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByTestId('filter-count').textContent(), SOON).toBe(`4 of ${ROWS} rows`);
    expect(await shown(page)).toEqual([1, 2, 19, 20]);
    expect(await page.getByTestId('filter-strip').getAttribute('data-matched')).toBe('4');
    expect(await page.locator(`${SELECTORS.row}[data-kind="fold"]`).first().textContent()).toContain('1 row not shown');
  });

  step('a slip is told with what was probably meant', async ({ page }) => {
    await page.getByTestId('filter-input').fill('fate:droped');
    const problem = page.getByTestId('filter-problem');
    await expect.poll(() => problem.textContent(), SOON).toContain('Did you mean fate:dropped?');
    await problem.getByRole('button').click();
    expect(await page.getByTestId('filter-input').inputValue()).toBe('fate:dropped');
  });

  step('what was used later and is gone, under a policy', async (app) => {
    const { page } = app;
    await choosePreset(app, 'retention');
    await page.getByTestId('filter-input').fill('used:gone kind:result');
    await expect.poll(() => page.getByTestId('filter-count').textContent(), SOON).toBe(`1 of ${ROWS} rows`);
    await expect.poll(() => shown(page), SOON).toEqual([2]);
  });

  step('kept as a named colour it marks rows and the chart without hiding any', async ({ page }) => {
    await page.getByTestId('filter-save').click();
    await page.getByTestId('filter-name').fill('lost');
    await page.keyboard.press('Enter');
    // The buttons move when the field for the name goes.
    await page.getByTestId('filter-name').waitFor({ state: 'hidden' });
    await page.getByTestId('filter-close').click();
    await page.getByTestId('filter-bar').waitFor({ state: 'hidden' });
    const marked = page.locator(`${SELECTORS.row}[data-colors]`);
    await expect
      .poll(() => marked.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-index'))), SOON)
      .toEqual(['2']);
    await expect.poll(() => page.locator(SELECTORS.row).count(), SOON).toBe(ROWS);
    const strip = page.getByTestId('filter-strip');
    expect([await strip.getAttribute('data-name'), await strip.getAttribute('data-matched')]).toEqual(['lost', '1']);
  });

  step('a value of a row is offered as a filter by its menu', async ({ page }) => {
    await page.locator(SELECTORS.rowOf(3)).click({ button: 'right' });
    await page.locator('[data-command="filter.tool"]').click();
    await expect.poll(() => page.getByTestId('filter-input').inputValue(), SOON).toBe('tool:run_tests');
    await expect.poll(() => shown(page), SOON).toEqual([3, 4]);
    await page.getByTestId('filter-others').click();
    await expect.poll(() => page.locator(SELECTORS.row).count(), SOON).toBe(2);
  });

  step('a click on the rule or the stage that decided adds it, and the row is among those that fit', async (app) => {
    const { page } = app;
    const input = page.getByTestId('filter-input');
    await page.getByTestId('filter-others').click();
    await page.getByTestId('filter-close').click();
    await page.locator(SELECTORS.rowOf(2)).click();
    const why = page.getByTestId('why');
    await why.locator('[data-filter^="rule:"]').click();
    await expect.poll(() => input.inputValue(), SOON).toMatch(/^rule:\w+$/);
    await expect.poll(() => shown(page), SOON).toEqual([2, 4]);
    await page.getByTestId('filter-close').click();
    await why.getByTestId('why-fate').locator('[data-filter]').click();
    await expect.poll(() => input.inputValue(), SOON).toBe('stage:tool_result_retention');
    await expect.poll(() => shown(page), SOON).toContain(2);
  });

  step('so does a mark of a used row, and the card of a stage', async ({ page }) => {
    const input = page.getByTestId('filter-input');
    await page.getByTestId('filter-close').click();
    await page.locator(SELECTORS.rowOf(2)).getByTestId('row-used').getByRole('button', { includeHidden: true }).click();
    await expect.poll(() => input.inputValue(), SOON).toBe('used:gone');
    await expect.poll(() => shown(page), SOON).toContain(2);
    await page.getByTestId('stage-summary').getByRole('button').click();
    await expect.poll(() => input.inputValue(), SOON).toBe('used:gone stage:tool_result_retention');
    await page.getByTestId('filter-close').click();
    await page.getByTestId('stage-card').hover();
    await page.getByTestId('stage-card').locator('.stage-menu').click();
    await page.getByTestId('stage-filter').click();
    await expect.poll(() => input.inputValue(), SOON).toBe('stage:tool_result_retention');
    await page.getByTestId('filter-close').click();
    await page.locator(SELECTORS.rowOf(2)).click({ button: 'right' });
    await page.locator('[data-command="filter.used"]').click();
    await expect.poll(() => input.inputValue(), SOON).toBe('used:gone');
    await page.getByTestId('filter-close').click();
  });

  step('after a restart the colour is there, the filter is not', async (app) => {
    await app.restart();
    const { page } = app;
    await expect.poll(() => page.locator(`${SELECTORS.row}[data-colors]`).count(), SOON).toBe(1);
    expect(await page.getByTestId('filter-bar').count()).toBe(0);
  });
});
