import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { nextHash, SOON, shownHash } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

/** Where the session breaks Anthropic's rules: a call that nothing answers, and an empty answer. */
const UNANSWERED = 1;
const EMPTY = 4;
const session = files.write(
  'broken.json',
  JSON.stringify({
    model: 'claude-sonnet-4-5',
    messages: [
      { role: 'user', content: 'List the files.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu1', name: 'ls', input: {} }] },
      { role: 'user', content: 'Well?' },
      { role: 'user', content: 'Hello?' },
      { role: 'assistant', content: [] },
      { role: 'user', content: 'Are you there?' },
    ],
  }),
);

const total = ({ page }: RunningApp) => page.locator(SELECTORS.lintTotal).textContent();
const codes = ({ page }: RunningApp) =>
  page.locator(SELECTORS.lintFinding).evaluateAll((lines) => lines.map((line) => line.getAttribute('data-code')));

onEachHost('a person repairs a history for its provider', { start: () => ({ files: [session] }) }, (step) => {
  step('opens the lint: findings by the rule that mends them', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(UNANSWERED)).waitFor();
    await page.locator(SELECTORS.drawerTab('lint')).click();
    await expect.poll(() => codes(app), SOON).toContain('lint.unanswered_call');
    expect(await total(app)).toMatch(/\d+ findings/);
  });

  step('a finding leads to its message, and shows its repair as a diff', async (app) => {
    const { page } = app;
    await page.locator(`${SELECTORS.lintFinding}[data-code="lint.unanswered_call"]`).click();
    await expect.poll(() => page.locator(SELECTORS.rowOf(UNANSWERED)).getAttribute('aria-selected'), SOON).toBe('true');
    const repair = page.locator(SELECTORS.lintRepair);
    await expect.poll(() => repair.textContent(), SOON).toMatch(/Calls and results/);
    await expect.poll(() => repair.locator('.monaco-diff-editor').count(), SOON).toBe(1);
  });

  step('one click applies the rule: the finding is gone, what it put in carries a badge', async (app) => {
    const { page } = app;
    const before = await shownHash(app);
    await page.locator(SELECTORS.lintApply).click();
    await nextHash(app, before);
    await expect.poll(() => codes(app), SOON).not.toContain('lint.unanswered_call');
    expect(await page.locator(`${SELECTORS.stageCard}[data-kind="hygiene"]`).count()).toBe(1);
    const badge = page.locator(`${SELECTORS.row}[data-kind="synthetic"] ${SELECTORS.badge('repaired')}`);
    expect(await badge.getAttribute('title')).toMatch(/^Repaired: .*has no result/);
    expect(await page.locator(SELECTORS.rowOf(0)).locator(SELECTORS.badge('repaired')).count()).toBe(0);
  });

  step('and one click the whole profile: the provider has nothing to object to', async (app) => {
    const { page } = app;
    const before = await shownHash(app);
    await page.locator(SELECTORS.lintProfile).click();
    await expect.poll(() => page.locator(SELECTORS.lintRepair).textContent(), SOON).toContain('no finding left');
    await page.locator(SELECTORS.lintApplyProfile).click();
    await nextHash(app, before);
    await expect.poll(() => total(app), SOON).toBe('no findings');
    expect(await page.locator(SELECTORS.stageCard).count()).toBe(1);
    expect(await page.locator(SELECTORS.rowOf(EMPTY)).locator(SELECTORS.badge('repaired')).count()).toBe(1);
  });

  step('by keyboard alone: for another provider there is something again', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.lintTarget).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^OpenAI Responses/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator(SELECTORS.lint).textContent(), SOON).toContain('OpenAI Responses');
  });
});
