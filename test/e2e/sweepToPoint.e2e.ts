import { afterAll, expect } from 'vitest';
import type { SweptPoint } from '../../core/protocol/tuneTypes.ts';
import { runCli } from '../support/cli.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, rested, SOON } from './support/person.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const file = files.write('tuned.jsonl', claudeCodeFile({ messages: 160 }));
const VALUES = '2..14:4';
const OPTION = 'reachability_gc.root_window';

type Line = Pick<SweptPoint, 'tokens' | 'cost' | 'usesGone' | 'cacheBreaks' | 'front'> & {
  readonly values: Readonly<Record<string, number>>;
};

async function fromCommand(): Promise<readonly Line[]> {
  const args = ['tune', file, '--spec', 'reachability_gc', '--vary', `${OPTION}=${VALUES}`, '--json'];
  const { stdout, code, stderr } = await runCli(args);
  if (code !== 0) throw new Error(stderr);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line));
}

const plain = (text: string | null): string => (text ?? '').replace(/^[≈~]/, '');

onEachHost('a person goes from a sweep to an applied point', { start: () => ({ files: [file] }) }, (step) => {
  step('from the palette: what the policy can vary is there', async (app) => {
    const { page } = app;
    await rested(app);
    await choosePreset(app, 'reachability_gc');
    await rested(app);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mode: tune');
    await page.keyboard.press('Enter');
    await page.getByTestId('tune').waitFor();
    await expect.poll(() => page.getByTestId('tune-vary').count(), SOON).toBe(1);
  });

  step('values by typing: every figure is the command’s', async ({ page }) => {
    const lines = await fromCommand();
    const option = page.getByLabel('Option that varies').locator('option:checked');
    expect(await option.textContent()).toContain('Messages that refer');
    await page.getByTestId('tune-values').fill(VALUES);
    await page.getByTestId('tune-start').click();
    const state = () => page.getByTestId('tune').getAttribute('data-state');
    await expect.poll(state, SOON).toBe('done');
    expect(await page.getByTestId('tune-progress').textContent()).toContain('4 points');
    for (const { values, tokens, usesGone, cacheBreaks } of lines) {
      const row = page.locator(`[data-testid="tune-table"] tr[data-values="${values[OPTION]}"]`);
      const cell = async (column: string) => plain(await row.locator(`[data-column="${column}"]`).textContent());
      expect(await cell('peak')).toBe(tokens.peak.toLocaleString('en'));
      expect(await cell('p95')).toBe(tokens.p95.toLocaleString('en'));
      expect(await cell('mean')).toBe(Math.round(tokens.mean).toLocaleString('en'));
      expect(await cell('usesGone')).toBe(usesGone.toLocaleString('en'));
      expect(await cell('cacheBreaks')).toBe(cacheBreaks.toLocaleString('en'));
    }
    const marks = page.locator('[data-testid="tune-table"] svg[aria-label="frontier"]');
    expect(await marks.count()).toBe(lines.filter(({ front }) => front).length);
  });

  step('by key: arrows choose a point, Enter applies it, Ctrl Z takes it back', async ({ page }) => {
    await page.locator('[data-testid="tune-table"] tr[tabindex="0"]').focus();
    await page.keyboard.press('End');
    const row = page.locator('[data-testid="tune-table"] tr[aria-selected="true"]');
    const value = await row.getAttribute('data-values');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByTestId('tune-foot').textContent(), SOON).toContain('in use');
    await page.getByTestId('mode-timeline').click();
    const field = page.locator('[data-testid="param"][data-name="root_window"] input').first();
    await expect.poll(() => field.inputValue(), SOON).toBe(value);
    await page.getByTestId('timeline').focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => field.inputValue(), SOON).not.toBe(value);
  });

  step('back in the mode the points are there; more values continue with what is known', async ({ page }) => {
    await page.getByTestId('mode-tune').click();
    await expect.poll(() => page.locator('.tune-row').count(), SOON).toBe(4);
    await page.getByTestId('tune-values').fill('2..18:4');
    await page.getByTestId('tune-start').click();
    await expect
      .poll(() => page.getByTestId('tune-progress').textContent(), SOON)
      .toContain('5 points · 4 from before');
    await expect.poll(() => page.getByTestId('tune-earlier').locator('button').count(), SOON).toBe(2);
  });

  step('an aim: the best point is found and proved', async ({ page }) => {
    await page.getByRole('radio', { name: 'tokens', exact: true }).click();
    await page.getByTestId('tune-start').click();
    await expect.poll(() => page.getByTestId('tune-found').textContent(), SOON).toContain('proved by projection');
  });
});
