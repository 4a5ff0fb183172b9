import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import { runCli } from '../support/cli.ts';
import { compactedSession } from '../support/compactedSession.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import {
  callPoint,
  choosePreset,
  importFile,
  indexesWithFate,
  nextHash,
  rested,
  SOON,
  shownHash,
} from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const session = compactedSession(6);
const file = files.write('session.jsonl', session.text);
const { summaryIndex, dropIndex } = session;
const QUESTION = 'How many red bicycles are left?';
const request = files.write(
  'request.json',
  JSON.stringify({
    model: 'claude-sonnet-4-5',
    system: 'You look after a small shop that sells bicycles, and answer briefly.',
    tools: [{ name: 'stock', description: 'Says how many of a kind there are.', input_schema: { type: 'object' } }],
    messages: [{ role: 'user', content: QUESTION }],
  }),
);
const BEFORE = Array.from({ length: summaryIndex }, (_, index) => index);

const Projected = z.object({ prefix_hash: z.string() });

/** What `parallax project` prints as the prefix hash of the same file. */
async function cliHash(...options: readonly string[]): Promise<string> {
  const run = await runCli(['project', file, '--json', '--no-tokens', ...options]);
  expect(run.stderr).toBe('');
  return Projected.parse(JSON.parse(run.stdout)).prefix_hash;
}

const numberIn = (text: string): number => Number(text.replaceAll(/[^\d]/g, ''));
const tokensShown = async ({ page }: RunningApp): Promise<number> =>
  numberIn((await page.locator(SELECTORS.budgetTotal).textContent()) ?? '');

/** What one session's requests hold that is not recorded, as taken over in it. */
let taken = 0;

const selectedIndex = ({ page }: RunningApp) =>
  page.locator(`${SELECTORS.row}[aria-selected="true"]`).first().getAttribute('data-index');

onEachHost(
  'a person sees what the runtime really kept after a compaction',
  { start: () => ({ files: [file] }) },
  (step) => {
    step('opens the session: the policy is what was recorded, on the command line too', async (app) => {
      const { page } = app;
      // It opens at the compaction: one row for what is gone, which opens by a click.
      const gone = page.locator(SELECTORS.goneFold);
      await expect
        .poll(async () => (await gone.allTextContents()).join(' '), SOON)
        .toMatch(new RegExp(`${summaryIndex} messages.*→ summary #${summaryIndex}, [~≈]?[\\d.]+k? tok`));
      await expect.poll(() => selectedIndex(app), SOON).toBe(String(summaryIndex));
      await gone.first().click();
      await page.locator(SELECTORS.rowOf(0)).waitFor();
      await expect.poll(() => page.locator(SELECTORS.presetMenu).textContent(), SOON).toContain('As recorded');
      await rested(app);
      await expect.poll(() => shownHash(app), SOON).toBe(await cliHash());
      const said = await page.locator(SELECTORS.stageSummary).textContent();
      expect(said).toContain('recorded compaction 1 (auto');
      expect(said).toContain(`${summaryIndex} messages gone`);
      expect(await indexesWithFate(app, 'summarised')).toEqual(expect.arrayContaining(BEFORE.slice(0, 4)));
    });

    step('asks of a message that is gone: which compaction took it, and what stands there', async (app) => {
      const { page } = app;
      await page.locator(SELECTORS.rowOf(0)).click();
      await page.locator(SELECTORS.drawerTab('why')).click();
      const why = page.locator(SELECTORS.why);
      await expect.poll(() => why.textContent(), SOON).toContain('recorded compaction 1 (auto, 2026-01-05');
      await why.getByRole('button', { name: `#${summaryIndex}`, exact: true }).click();
      await expect.poll(() => selectedIndex(app), SOON).toBe(String(summaryIndex));
      await expect.poll(() => why.textContent(), SOON).toContain('the summary that recorded compaction 1');
    });

    step('goes back to the first request: nothing is gone there yet', async (app) => {
      const { page } = app;
      await page.locator(SELECTORS.scrubber).focus();
      await page.keyboard.press('Home');
      await expect.poll(() => callPoint(app), SOON).toBe(1);
      await expect
        .poll(() => page.locator(SELECTORS.stageSummary).textContent(), SOON)
        .toBe('no compaction before this call point');
      await page.keyboard.press('End');
      await expect.poll(() => page.locator(SELECTORS.stageSummary).textContent(), SOON).toContain('messages gone');
    });

    step('compares with the raw history, and with a policy on top of what was kept', async (app) => {
      const { page } = app;
      await rested(app);
      const recorded = await shownHash(app);
      await choosePreset(app, 'raw');
      expect(await nextHash(app, recorded)).toBe(await cliHash('--policy', 'raw'));
      const heading = () => page.locator(SELECTORS.sent).textContent();
      await choosePreset(app, 'squash_failed_calls');
      await expect.poll(heading, SOON).toBe('Would be sent next under Squash failed calls');
      await rested(app);
      expect(await shownHash(app)).toBe(await cliHash('--policy', 'squash_failed_calls'));
      await page.locator(SELECTORS.presetsTable).locator(SELECTORS.afterRecorded).click();
      await expect.poll(heading, SOON).toBe('Would be sent next under Squash failed calls, after recorded compaction');
      await expect.poll(() => page.locator(SELECTORS.stageSummary).count(), SOON).toBe(2);
      await rested(app);
      expect(await shownHash(app)).toBe(await cliHash('--policy', 'squash_failed_calls_after_recorded'));
      await page.locator(SELECTORS.presetsTable).locator(SELECTORS.afterRecorded).click();
      await expect.poll(heading, SOON).toBe('Would be sent next under Squash failed calls');
      await choosePreset(app, 'as_recorded');
      await expect.poll(() => shownHash(app), SOON).toBe(recorded);
    });

    step('learns that one request held less than anything recorded explains, and goes there', async (app) => {
      const { page } = app;
      await page.locator(SELECTORS.drawerTab('problems')).click();
      const problem = page.locator(SELECTORS.problems).locator('.problem-row', { hasText: 'usage.unexplained_drop' });
      await expect.poll(() => problem.textContent(), SOON).toContain('no compaction is recorded there. Probably');
      await problem.click();
      await expect.poll(() => selectedIndex(app), SOON).toBe(String(dropIndex));
      expect(await page.locator(SELECTORS.scrubber).locator(`.usage-place[data-at="${dropIndex}"]`).count()).toBe(1);
    });

    step('reads each request beside what was expected', async (app) => {
      const { page } = app;
      await page.locator(SELECTORS.drawerTab('usage')).click();
      const row = page.locator(SELECTORS.usageRequest(dropIndex));
      await row.scrollIntoViewIfNeeded();
      await expect.poll(() => row.textContent(), SOON).toContain('without a record');
      await page.locator(SELECTORS.usageRequest(1)).click();
      await expect.poll(() => selectedIndex(app), SOON).toBe('1');
      await page.locator(SELECTORS.drawerTab('why')).click();
      await expect.poll(() => page.locator(SELECTORS.why).textContent(), SOON).toMatch(/[\d,]+ in, ≈[\d,]+ expected/);
    });

    step(
      'counts as the provider does, what the tool does not record too; one click gives plain counts',
      async (app) => {
        const { page } = app;
        const total = page.locator(SELECTORS.budgetTotal);
        await page.locator(SELECTORS.scrubber).focus();
        await page.keyboard.press('End');
        await expect.poll(() => total.textContent(), SOON).toMatch(/^≈/);
        const calibrated = await tokensShown(app);
        expect(await page.locator(SELECTORS.overheadUsed).textContent()).toContain('estimated from recorded usage');
        taken = numberIn(await page.locator(SELECTORS.overhead).inputValue());
        expect(Math.abs(taken - 20_000)).toBeLessThan(800);
        const piece = page.locator(SELECTORS.besidePart('overhead'));
        expect(await piece.getAttribute('title')).toContain('not recorded');
        expect(await page.locator(SELECTORS.recordedLine).count()).toBe(1);
        await page.locator(SELECTORS.plainCounts).click();
        await expect.poll(() => total.textContent(), SOON).toMatch(/^~/);
        await expect.poll(() => tokensShown(app), SOON).toBeLessThan(calibrated - taken + 500);
        await expect.poll(() => page.locator(SELECTORS.overheadUse).textContent(), SOON).toContain('Set to ');
        await page.locator(SELECTORS.plainCounts).click();
        await expect.poll(() => tokensShown(app), SOON).toBe(calibrated);
        // It is a fact of the session: another policy leaves it as it is.
        await choosePreset(app, 'squash_failed_calls');
        await expect.poll(() => tokensShown(app), SOON).toBeGreaterThan(taken);
        expect(numberIn(await page.locator(SELECTORS.overhead).inputValue())).toBe(taken);
      },
    );

    step('opens a request whose system prompt and tools are recorded: they stand in the gauge', async (app) => {
      const { page } = app;
      await importFile(app, request);
      // An import does not switch away from what is open.
      await page.locator(SELECTORS.libraryItem).filter({ hasText: QUESTION }).click();
      const tools = page.locator(SELECTORS.besidePart('tools'));
      await expect.poll(() => tools.count(), SOON).toBe(1);
      expect(await tools.getAttribute('title')).toContain('overhead');
      // What was said of the other session is not said of this one.
      await expect.poll(() => page.locator(SELECTORS.overhead).inputValue(), SOON).toBe('0');
      await expect.poll(() => page.locator(SELECTORS.beside).textContent(), SOON).toMatch(/system prompt.*tools/);
    });

    step('and finds it again after a restart, each session its own', async (app) => {
      await app.restart();
      const item = (of: object) => app.page.locator(SELECTORS.libraryItem).filter(of);
      const overhead = async () => numberIn(await app.page.locator(SELECTORS.overhead).inputValue());
      await item({ hasNotText: QUESTION }).click();
      await app.page.locator(SELECTORS.rowOf(0)).waitFor();
      await expect.poll(overhead, SOON).toBe(taken);
      await expect.poll(() => tokensShown(app), SOON).toBeGreaterThan(taken);
      await item({ hasText: QUESTION }).click();
      await expect.poll(overhead, SOON).toBe(0);
    });
  },
);
