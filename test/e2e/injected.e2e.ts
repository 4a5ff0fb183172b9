import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const line = (index: number, type: string, more: object): string =>
  JSON.stringify({
    parentUuid: index === 0 ? null : `u${index - 1}`,
    isSidechain: false,
    cwd: '/home/dev/app',
    sessionId: 's',
    version: '2.0.14',
    type,
    ...more,
    uuid: `u${index}`,
    timestamp: `2026-01-05T09:0${index}:00.000Z`,
  });
const file = files.write(
  'session.jsonl',
  [
    line(0, 'user', { message: { role: 'user', content: 'Why does the lamp flicker?' } }),
    line(1, 'user', { isMeta: true, message: { role: 'user', content: 'Base directory for this skill: /lamp' } }),
    line(2, 'assistant', {
      message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text: 'A wire is loose.' }] },
    }),
  ].join('\n'),
);
const INJECTED = 1;

onEachHost('a person looks past what the client wrote', { start: () => ({ files: [file] }) }, (step) => {
  step('sees it marked, and stepping back behind what people said', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(INJECTED)).waitFor();
    await rested(app);
    const injected = page.locator(SELECTORS.rowOf(INJECTED));
    expect(await injected.locator('[data-badge="injected"]').first().getAttribute('title')).toContain('by the client');
    const colourOf = (index: number) =>
      page
        .locator(SELECTORS.rowOf(index))
        .locator('.cell-text')
        .first()
        .evaluate((cell) => getComputedStyle(cell).color);
    const said = await colourOf(0);
    expect(await colourOf(INJECTED)).not.toBe(said);
    expect(await page.locator(SELECTORS.rowOf(0)).getAttribute('class')).not.toContain('row-injected');
    await page.locator(SELECTORS.timeline).focus();
    await page.keyboard.press('i');
    await expect.poll(() => colourOf(INJECTED), SOON).toBe(said);
    await page.getByRole('button', { name: 'Dim injected context' }).click();
    await expect.poll(() => colourOf(INJECTED), SOON).not.toBe(said);
  });

  step('reads in the drawer who wrote it', async ({ page }) => {
    await page.locator(SELECTORS.rowOf(INJECTED)).click();
    await page.locator(SELECTORS.drawerTab('why')).click();
    await expect.poll(() => page.locator(SELECTORS.why).textContent(), SOON).toContain('the client, not a person');
  });
});
