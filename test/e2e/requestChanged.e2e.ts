import { afterAll, expect } from 'vitest';
import { compactedSession } from '../support/compactedSession.ts';
import { onEachHost } from './support/onEachHost.ts';
import { callPoint, rested, SOON } from './support/person.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const session = compactedSession(6);
const file = files.write('session.jsonl', session.text);
const { summaryIndex } = session;

onEachHost('a person sees why a request changed', { start: () => ({ files: [file] }) }, (step) => {
  step('R tells of the request on screen, and what the one before it did not hold', async (app) => {
    const { page } = app;
    await rested(app);
    await page.getByTestId('timeline').focus();
    await page.keyboard.press('r');
    const sentence = page.getByTestId('request-sentence');
    await expect.poll(() => sentence.textContent(), SOON).toMatch(/new message|summarised|first request/);
  });

  step('from there to the request behind the compaction, by key: the stage, the messages, the figures', async (app) => {
    const { page } = app;
    // Pressed again while the requests are still being compared.
    const goBack = async (): Promise<number> => {
      await page.keyboard.press('Shift+C');
      return callPoint(app);
    };
    const opened = await callPoint(app);
    await expect.poll(goBack, SOON).toBeLessThan(opened);
    expect(await callPoint(app)).toBeGreaterThan(summaryIndex);
    // The answer to the last request before it was in no request.
    const sentence = page.getByTestId('request-sentence');
    await expect
      .poll(() => sentence.textContent(), SOON)
      .toContain(`Recorded compaction summarised ${summaryIndex - 1} messages`);
    const causes = page.getByTestId('cause');
    const kinds = await causes.evaluateAll((list) => list.map((one) => (one as HTMLElement).dataset.kind));
    expect(kinds).toContain('summarised');
    expect(kinds).toContain('new');
    // The causes are the difference of the two sizes shown.
    const numbers = (text: string) => [...text.matchAll(/[±+−]?[\d,]+/g)].map(([one]) => one);
    const toNumber = (text: string) => Number(text.replace('−', '-').replace(/[+±,]/g, ''));
    const sizes = (await page.getByTestId('request-sizes').textContent()) ?? '';
    const [before, now] = [/#\d+ [~≈]?([\d,]+)/.exec(sizes)?.[1], /→ #\d+ [~≈]?([\d,]+)/.exec(sizes)?.[1]];
    const tokens = await causes.locator('.cause-tokens').allTextContents();
    const sum = tokens.flatMap((text) => numbers(text).slice(0, 1)).reduce((all, text) => all + toNumber(text), 0);
    expect(sum).toBe(toNumber(now ?? '') - toNumber(before ?? ''));
  });

  step('and to the message itself, by arrows and Enter', async (app) => {
    const { page } = app;
    const chosen = page.locator('[data-testid="cause"][aria-selected="true"]');
    await chosen.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen.count(), SOON).toBe(1);
    const lines = page.getByTestId('difference').locator('button.difference-line');
    await expect.poll(() => lines.count(), SOON).toBeGreaterThan(0);
    const place = (await lines.first().locator('span').first().textContent()) ?? '';
    await lines.first().click();
    const selected = page.locator('[data-testid="row"][aria-selected="true"]').first();
    await expect.poll(() => selected.getAttribute('data-index'), SOON).toBe(place.replace('#', ''));
  });
});
