import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, rested, SOON } from './support/person.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const read = (id: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: '{"path":"docs/harbour.md"}' } }],
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: `berth_9917 ${'quay '.repeat(60)}` });
const say = (role: string, content: string) => ({ role, content });
// The file is read again forty-five turns after it was read: a window of forty turns has lost it by then.
const between = Array.from({ length: 45 }, (_, turn) => [
  say('user', `And ${turn}?`),
  say('assistant', `It is ${turn}.`),
]);
const messages = [
  ...[say('user', 'Read it.'), read('a'), result('a'), say('assistant', 'Yes.')],
  ...between.flat(),
  ...[say('user', 'Read it again.'), read('b'), result('b'), say('assistant', 'Done.')],
];
const AGAIN = 4 + 2 * between.length + 1;
const file = files.write('harbour.json', JSON.stringify({ model: 'gpt-4o', messages }));

onEachHost(
  'a person sees what a session forgot, and under which presets it would not have',
  { start: () => ({ files: [file] }) },
  (step) => {
    step('raw: nothing was forgotten, and what was looked for is said', async (app) => {
      const { page } = app;
      await rested(app);
      await page.getByTestId('timeline').focus();
      await page.keyboard.press('Shift+I');
      await expect
        .poll(() => page.getByTestId('findings').textContent(), SOON)
        .toContain('No findings in this session.');
    });

    step('under a window of 40 turns: the file that was read twice, its tokens, its place', async (app) => {
      const { page } = app;
      await choosePreset(app, 'window_40');
      const finding = page.locator('[data-testid="finding"][data-kind="forgotten"]');
      await expect.poll(() => finding.count(), SOON).toBe(1);
      expect(await finding.getAttribute('data-at')).toBe(String(AGAIN));
      expect(await finding.textContent()).toContain('docs/harbour.md');
      await expect.poll(() => page.getByTestId('findings-sum').textContent(), SOON).toMatch(/fetched again [~≈]?\d/);
    });

    step('which presets hold it: Raw does; and by Enter to the message', async (app) => {
      const { page } = app;
      await expect.poll(() => page.getByTestId('finding-prevented').textContent(), SOON).toContain('Raw');
      await page.getByTestId('finding').first().focus();
      await page.keyboard.press('Enter');
      const selected = page.locator('[data-testid="row"][aria-selected="true"]').first();
      await expect.poll(() => selected.getAttribute('data-index'), SOON).toBe(String(AGAIN));
    });
  },
);
