import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { callPoint, indexesWithFate, rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson, lampMessages } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

/** A request was made before each of the assistant's messages, and the next comes after all. */
const CALLS = [
  ...lampMessages().flatMap((message, index) => (message.role === 'assistant' ? [index] : [])),
  LAMP.messages,
];
const callAt = (position: number): number => CALLS.at(position) ?? 0;

/** The panes show what the model sees at that call: rows beyond are dimmed, the header says so. */
async function standsAt(app: RunningApp, at: number): Promise<void> {
  const { page } = app;
  await expect.poll(() => callPoint(app), SOON).toBe(at);
  await rested(app);
  const future = Array.from({ length: LAMP.messages - at }, (_, step) => at + step);
  await expect.poll(() => indexesWithFate(app, 'future'), SOON).toEqual(future);
  const head = at === LAMP.messages ? 'Would be sent next' : `Sent at #${at}`;
  await expect.poll(() => page.locator(SELECTORS.sent).textContent(), SOON).toBe(head);
}

onEachHost('a person scrubs through the calls', { start: () => ({ files: [lamp] }) }, (step) => {
  step('begins at the next request', async (app) => {
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await app.page.locator(SELECTORS.layoutRaw).click(); // all rows are drawn only if they fit
    await app.page.locator(SELECTORS.layoutSide).click();
    await standsAt(app, LAMP.messages);
  });

  step('goes call by call with the arrow keys', async (app) => {
    const scrubber = app.page.locator(SELECTORS.scrubber);
    await scrubber.focus();
    await scrubber.press('ArrowLeft');
    await standsAt(app, callAt(-2));
    await scrubber.press('ArrowLeft');
    await standsAt(app, callAt(-3));
    await scrubber.press('ArrowRight');
    await standsAt(app, callAt(-2));
    expect(await scrubber.getAttribute('aria-valuetext')).toContain(`call ${callAt(-2)}`);
  });

  step('goes to the first call with Home, and to the next request with End', async (app) => {
    const scrubber = app.page.locator(SELECTORS.scrubber);
    await scrubber.press('Home');
    await standsAt(app, callAt(0));
    await scrubber.press('End');
    await standsAt(app, LAMP.messages);
  });

  step('clicks into the chart', async (app) => {
    const scrubber = app.page.locator(SELECTORS.scrubber);
    const box = await scrubber.boundingBox();
    if (!box) throw new Error('no scrubber');
    await scrubber.click({ position: { x: box.width / 2, y: box.height / 2 } });
    await expect.poll(() => callPoint(app), SOON).toBeLessThan(LAMP.messages);
    const at = await callPoint(app);
    expect(CALLS).toContain(at);
    expect(at).toBeGreaterThan(callAt(0));
    await standsAt(app, at);
  });

  step('goes turn by turn from the panes, and dimmed rows look dimmed', async (app) => {
    const { page } = app;
    const from = await callPoint(app);
    await page.locator(SELECTORS.timeline).focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => callPoint(app), SOON).toBeLessThan(from);
    const opacity = (fate: string) =>
      page
        .locator(SELECTORS.rowsWithFate(fate))
        .first()
        .locator('.cell-text')
        .first()
        .evaluate((cell) => [getComputedStyle(cell).color, getComputedStyle(cell).opacity].join());
    const dimmed = () =>
      page
        .locator(SELECTORS.rowsWithFate('future'))
        .first()
        .evaluate((row) => getComputedStyle(row).opacity);
    expect([await opacity('future'), await dimmed()]).not.toEqual([await opacity('kept'), '1']);
  });
});
