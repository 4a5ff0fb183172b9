import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, rested, SOON } from './support/person.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const call = (id: string, path: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path }) } }],
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const say = (role: string, content: string) => ({ role, content });
// Forty-six turns; the last reads what the first read. A window of forty turns has lost it by then.
const TURNS = 46;
const messages = Array.from({ length: TURNS }, (_, turn) => {
  const name = `harbour_${turn % (TURNS - 1)}`;
  return [
    say('user', `Look at ${turn}.`),
    call(`c${turn}`, `docs/${name}.md`),
    result(`c${turn}`, `berth_99${turn % (TURNS - 1)} ${`${name} quay `.repeat(60)}`),
    say('assistant', `Seen ${turn}.`),
  ];
}).flat();
const file = files.write('harbour.json', JSON.stringify({ model: 'gpt-4o', messages }));
/** The turns before the last forty. */
const GONE = (TURNS - 40) * 4;

onEachHost(
  'a person compares two policies: what differs, whether it was used later, what the session comes to',
  { start: () => ({ files: [file] }) },
  (step) => {
    step('by key: nothing is chosen for B yet, and the mode says what it is for', async (app) => {
      const { page } = app;
      await rested(app);
      await page.getByTestId('timeline').focus();
      await page.keyboard.press('Control+2');
      expect(await page.getByTestId('compare').textContent()).toContain('Choose B above');
      expect(await page.getByTestId('drawer').count()).toBe(0);
    });

    step('B by typing its name: six turns only A sends, equal ones folded', async ({ page }) => {
      await page.getByTestId('compare-pick-b').click();
      await page.keyboard.type('last 40 turns');
      await page.keyboard.press('Enter');
      const differing = page.getByTestId('compare-differing');
      await expect.poll(() => differing.textContent(), SOON).toBe(String(GONE));
      const rows = page.getByTestId('compared-row');
      expect(await rows.first().getAttribute('data-mark')).toBe('only_a');
      expect(await rows.first().textContent()).toMatch(/Look at 0\..*◀ A.*not in this request/);
      const heads = [page.getByTestId('compare-head-a'), page.getByTestId('compare-head-b')];
      const [a, b] = await Promise.all(heads.map((head) => head.textContent()));
      expect(a).toContain(`${messages.length} messages`);
      expect(b).toContain(`${messages.length - GONE} messages`);
    });

    step('the result that was read again is listed, with who used it; only used ones by a tick', async ({ page }) => {
      const used = page.locator('[data-testid="difference"][data-index="2"]');
      await expect.poll(() => used.textContent(), SOON).toMatch(/◀ A only.*#181/);
      const count = await page.getByTestId('difference').count();
      expect(count).toBe(GONE);
      await page.getByTestId('compare-used').check();
      // While the narrower list is fetched there is none.
      await expect.poll(() => used.count(), SOON).toBe(1);
      expect(await page.getByTestId('difference').count()).toBeLessThan(count);
    });

    step(
      'sums of both: A lost nothing, B what was read again; fewer tokens, and more cache breaks',
      async ({ page }) => {
        const cell = (side: string, column: string) =>
          page.locator(`[data-testid="compare-sums"] [data-side="${side}"] [data-column="${column}"]`);
        await expect.poll(() => cell('b', 'gone').textContent(), SOON).toMatch(/^[1-9]\d* of \d+$/);
        expect(await cell('a', 'gone').textContent()).toMatch(/^0 of /);
        expect(await cell('a', 'breaks').textContent()).toBe('0');
        expect(Number(await cell('b', 'breaks').textContent())).toBeGreaterThan(0);
        expect(await cell('change', 'mean').textContent()).toMatch(/^−\d+%$/);
        expect(await cell('change', 'mean').getAttribute('data-tone')).toBe('better');
      },
    );

    step(
      'N goes to the difference, Shift P to the first request that differs, arrows move, X swaps',
      async ({ page }) => {
        const rows = page.getByTestId('compare-rows');
        await rows.focus();
        await page.keyboard.press('End');
        await page.keyboard.press('p');
        const cursor = page.locator('[data-testid="compared-row"][aria-selected="true"]');
        await expect.poll(() => cursor.getAttribute('data-index'), SOON).toBe('0');
        await page.keyboard.press('ArrowDown');
        expect(await cursor.getAttribute('data-index')).toBe('1');
        await page.keyboard.press('x');
        await expect.poll(() => page.getByTestId('compare-pick-b').textContent(), SOON).toMatch(/^Raw|As recorded/);
        await expect
          .poll(() => page.getByTestId('compared-row').first().getAttribute('data-mark'), SOON)
          .toBe('only_b');
      },
    );

    step('a fold opens with Space: its messages are there', async ({ page }) => {
      const fold = page.locator('[data-testid="compared-row"][data-kind="fold"]');
      await page.getByTestId('compare-rows').focus();
      await page.keyboard.press('End');
      await expect.poll(() => fold.count(), SOON).toBe(1);
      expect(await fold.textContent()).toContain('159 equal messages');
      await page.keyboard.press('Space');
      await expect.poll(() => fold.count(), SOON).toBe(0);
    });

    step('before the last change: by the palette', async (app) => {
      const { page } = app;
      await page.keyboard.press('Control+1');
      await choosePreset(app, 'raw');
      await page.getByTestId('timeline').focus();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('before the last change');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByTestId('compare-pick-b').textContent(), SOON).toBe('Before the last change');
      await expect.poll(() => page.getByTestId('compare-differing').textContent(), SOON).toBe(String(GONE));
    });

    step('a use leads to the timeline', async ({ page }) => {
      const link = page.locator('[data-testid="difference"][data-index="2"] .compare-users button').first();
      await link.click();
      const selected = page.locator('[data-testid="row"][aria-selected="true"]').first();
      await expect.poll(() => selected.getAttribute('data-index'), SOON).toBe('181');
    });
  },
);
