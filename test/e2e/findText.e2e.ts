import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/host.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson, ONLY_IN_DRIVER } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());
/** A word far down in a long session: its row is not drawn until one goes there. */
const DEEP = 'palimpsest';
const DEEP_AT = [412, 1377] as const;
const long = files.write(
  'long.json',
  JSON.stringify({
    model: 'gpt-4o',
    messages: Array.from({ length: 1_500 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: DEEP_AT.some((at) => at === i)
        ? `${'a few words before it '.repeat(30)}then the ${DEEP} itself`
        : `message ${i}`,
    })),
  }),
);

async function ask({ page }: RunningApp, query: string, found: RegExp): Promise<void> {
  await page.locator(SELECTORS.searchInput).fill(query);
  await expect.poll(() => page.locator(SELECTORS.searchTotal).textContent(), SOON).toMatch(found);
}

/** The source index of the selected row, once it is in sight. */
async function selectedRow({ page }: RunningApp): Promise<number> {
  const row = page.locator(`${SELECTORS.row}[aria-selected="true"]`).first();
  await row.waitFor();
  return Number(await row.getAttribute('data-index'));
}

onEachHost(
  'a person finds where a word was said and lands on it',
  { start: () => ({ files: [long, lamp] }) },
  (step) => {
    step('searches the whole library by key', async (app) => {
      const { page } = app;
      await rested(app);
      await page.keyboard.press('ControlOrMeta+Shift+f');
      await page.locator(SELECTORS.search).waitFor();
      await ask(app, ONLY_IN_DRIVER, /^1 message in 1 transcript$/);
      const hit = page.locator(SELECTORS.searchHit);
      expect(await hit.count()).toBe(1);
      expect(await hit.getAttribute('data-index')).toBe(String(LAMP.driver));
      expect(await hit.locator('mark').textContent()).toBe(ONLY_IN_DRIVER);
      expect(await page.locator(SELECTORS.searchGroup).count()).toBe(1);
    });

    step('opens the hit with Enter: the row is selected, the word marked in it and in the drawer', async (app) => {
      const { page } = app;
      await page.keyboard.press('Enter');
      await page.locator(SELECTORS.search).waitFor({ state: 'detached' });
      await expect.poll(() => selectedRow(app), SOON).toBe(LAMP.driver);
      const row = page.locator(SELECTORS.rowOf(LAMP.driver));
      await expect.poll(() => row.locator(SELECTORS.found).first().textContent(), SOON).toBe(ONLY_IN_DRIVER);
      const inDrawer = page.locator(SELECTORS.drawer).locator(SELECTORS.found);
      await expect.poll(() => inDrawer.first().textContent(), SOON).toBe(ONLY_IN_DRIVER);
    });

    step('finds a word far down in another transcript, by the mouse', async (app) => {
      const { page } = app;
      await page.locator(SELECTORS.searchButton).click();
      await page.locator(SELECTORS.searchInput).waitFor();
      await ask(app, DEEP, /^2 messages in 1 transcript$/);
      await page.locator(`${SELECTORS.searchHit}[data-index="${DEEP_AT[1]}"]`).click();
      await page.locator(SELECTORS.search).waitFor({ state: 'detached' });
      await expect.poll(() => selectedRow(app), SOON).toBe(DEEP_AT[1]);
      const marked = page.locator(SELECTORS.rowOf(DEEP_AT[1])).locator(SELECTORS.found).first();
      await expect.poll(() => marked.textContent(), SOON).toBe(DEEP);
      expect(await marked.isVisible()).toBe(true);
    });

    step('goes from hit to hit', async (app) => {
      const { page } = app;
      const position = page.locator(SELECTORS.searchPosition);
      const start = await position.textContent();
      expect(start).toMatch(/^[12] of 2$/);
      const [back, forth] = start === '2 of 2' ? ['Shift+F3', 'F3'] : ['F3', 'Shift+F3'];
      await page.keyboard.press(back ?? '');
      await expect.poll(() => selectedRow(app), SOON).toBe(DEEP_AT[0]);
      await page.keyboard.press(forth ?? '');
      await expect.poll(() => selectedRow(app), SOON).toBe(DEEP_AT[1]);
    });

    step('narrows with a filter, and is told what is wrong and what to try', async (app) => {
      const { page } = app;
      await command(app, 'Search all transcripts');
      await page.locator(SELECTORS.searchInput).waitFor();
      await page.locator(SELECTORS.searchInput).fill('words rol');
      await page.getByTestId('search-suggestions').getByText('role:').first().waitFor();
      await page.keyboard.press('Tab');
      await expect.poll(() => page.locator(SELECTORS.searchInput).inputValue(), SOON).toBe('words role:');
      await page.keyboard.type('user');
      await expect
        .poll(() => page.locator(SELECTORS.searchTotal).textContent(), SOON)
        .toBe('1 message in 1 transcript');
      await page.locator(SELECTORS.searchInput).fill('words role:nobody');
      await expect.poll(() => page.locator(SELECTORS.searchProblem).textContent(), SOON).toContain('user, assistant');
      await page.locator(SELECTORS.searchInput).fill('zyzzyva');
      await page.locator(SELECTORS.searchEmpty).waitFor();
      await page.keyboard.press('Escape');
      await page.locator(SELECTORS.search).waitFor({ state: 'detached' });
    });
  },
);
