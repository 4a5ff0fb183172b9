import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { rested, SOON } from './support/person.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

// A session whose second file read is recorded to have lost its cache: 40,000 tokens were there, none were read.
const line = (value: unknown) => JSON.stringify(value);
const ids = { sessionId: 's1', cwd: '/w/harbour', version: '2.0.0' };
const user = (uuid: string, text: string, at: number) =>
  line({ ...ids, type: 'user', uuid, timestamp: time(at), message: { role: 'user', content: text } });
const answer = (uuid: string, at: number, usage: Record<string, number>) =>
  line({
    ...{ ...ids, type: 'assistant', uuid, timestamp: time(at), requestId: `r${uuid}` },
    message: {
      ...{ id: `m${uuid}`, role: 'assistant', model: 'claude-sonnet-4-5', type: 'message', stop_reason: 'end_turn' },
      ...{ content: [{ type: 'text', text: `Answer ${uuid}.` }], usage },
    },
  });
function time(minute: number): string {
  return `2026-03-04T10:${String(minute).padStart(2, '0')}:00.000Z`;
}
const WARM = { input_tokens: 10, cache_read_input_tokens: 40_000, cache_creation_input_tokens: 500, output_tokens: 20 };
const COLD = { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 41_000, output_tokens: 20 };
const turns = Array.from({ length: 12 }, (_, turn) => [
  user(`u${turn}`, `Question ${turn}`, turn * 2),
  answer(`a${turn}`, turn * 2 + 1, turn === 0 || turn === 7 ? COLD : WARM),
]).flat();
const session = files.write('harbour.jsonl', `${turns.join('\n')}\n`);
const plain = files.write(
  'plain.json',
  JSON.stringify({
    model: 'gpt-4o',
    messages: [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Hi.' },
    ],
  }),
);
// As recorded: two cold requests and ten warm ones.
const INPUT = 2 * 41_010 + 10 * 40_510;

onEachHost(
  'a person sees in the library what was found in each session, and what all of them came to',
  { start: () => ({ files: [session, plain] }) },
  (step) => {
    step('the table: findings of the session that has one, none of the other, its cost as recorded', async (app) => {
      const { page } = app;
      await rested(app);
      await page.keyboard.press('ControlOrMeta+Shift+L');
      const cell = (title: string, key: string) =>
        page.locator('.table-row', { hasText: title }).getByTestId(`cell-${key}`).textContent();
      await expect.poll(() => cell('Question 0', 'findings'), SOON).toBe('1');
      await expect.poll(() => cell('Hello.', 'findings'), SOON).toBe('–');
      expect(await cell('Question 0', 'cost')).toMatch(/^\$0\.\d\d$/);
      expect(await page.getByTestId('survey-bar').count()).toBe(0);
    });

    step('finding:cache leads to finding:cache_lost by Tab, and to the one session', async (app) => {
      const { page } = app;
      const field = page.locator('.table-tools input');
      await field.fill('finding:cache');
      await expect.poll(() => page.getByTestId('library-offers').textContent(), SOON).toContain('finding:cache_lost');
      await field.press('Tab');
      await expect.poll(() => field.inputValue()).toBe('finding:cache_lost ');
      await expect.poll(() => page.getByTestId('library-count').textContent()).toBe('1 of 2 transcripts');
      await field.fill('');
    });

    step('analytics: input and findings of both, and the day they were made on', async (app) => {
      const { page } = app;
      await page.getByTestId('analytics-button').click();
      const tiles = () => page.getByTestId('analytics-tiles').textContent();
      await expect.poll(tiles, SOON).toContain('Input recorded487k');
      expect(INPUT).toBe(487_120);
      expect(await tiles()).toContain('1 of 2 transcripts');
      expect(await page.getByTestId('analytics-findings').textContent()).toContain('Cache lost1');
      expect(await page.getByTestId('analytics-partial').textContent()).toContain(
        '1 transcript without recorded usage',
      );
      const row = page.locator('[data-testid="analytics-table"] tr[data-value="2026-03-04"]');
      expect(await row.textContent()).toContain('487k');
    });

    step('by keyboard to a day, and by Enter to its transcripts', async (app) => {
      const { page } = app;
      await page.getByTestId('analytics-chart').focus();
      await page.keyboard.press('Home');
      await expect.poll(() => page.getByTestId('analytics-day').textContent()).toContain('4 Mar');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByTestId('analytics').count()).toBe(0);
      await expect
        .poll(() => page.locator('.table-tools input').inputValue())
        .toContain('after:2026-03-04 before:2026-03-05');
      await expect.poll(() => page.getByTestId('library-count').textContent()).toBe('1 of 2 transcripts');
    });
  },
);
