// What a person does, with a clock.
import { setTimeout as wait } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { BenchApp } from './launch.ts';
import { armPaintClock, type Frames, type PaintWait, paintClock, watchFrames } from './probes.ts';

const LONG = 600_000;
/** A list at least this long is not the small transcript's. */
const MANY_ROWS = 500;
const SCREEN_PX = 700;

/** Milliseconds from an input event to the frame that shows its effect; `act` causes the event. */
async function timed(page: Page, until: PaintWait, act: () => Promise<void>): Promise<number> {
  await page.evaluate(armPaintClock, until);
  await act();
  return page.evaluate(paintClock);
}

/** Picks a file to import; milliseconds from the choice to the first rows on screen. */
export async function importFile(app: BenchApp, path: string, rows = MANY_ROWS): Promise<number> {
  const { page } = app;
  const chooser = page.waitForEvent('filechooser');
  await page.getByTestId('import-button').first().click();
  const dialog = await chooser;
  return timed(page, { event: 'change', rows }, () => dialog.setFiles(path));
}

/** Waits until nobody waits for anything: imported, counted, projected. The chart and a look through the library may go on. */
export function settle(app: BenchApp): Promise<void> {
  return waitForActivity(
    app,
    /^(idle|tokens per call…|comparing presets…|looking for later uses…|Look for findings.*)$/,
  );
}

/** Waits until nothing is under way, what nobody waits for included: it holds memory meanwhile. */
export function rest(app: BenchApp): Promise<void> {
  return waitForActivity(app, /^idle$/);
}

async function waitForActivity({ page }: BenchApp, wanted: RegExp): Promise<void> {
  const activity = page.getByTestId('status-activity');
  for (let quiet = 0; quiet < 6; quiet++) {
    await wait(100);
    if (wanted.test((await activity.textContent()) ?? '')) continue;
    quiet = -1;
    await activity.filter({ hasText: wanted }).waitFor({ timeout: LONG });
  }
}

/** Ids of the library's transcripts, as listed. */
export async function libraryIds({ page }: BenchApp): Promise<readonly string[]> {
  await page.getByTestId('library-item').first().waitFor();
  return page.getByTestId('library-item').evaluateAll((items) => {
    return items.map((item) => (item instanceof HTMLElement ? (item.dataset.id ?? '') : ''));
  });
}

/** Opens a transcript; milliseconds from the click to its rows on screen. */
export async function openTranscript({ page }: BenchApp, id: string, rows = MANY_ROWS): Promise<number> {
  const item = page.locator(`[data-testid="library-item"][data-id="${id}"]`);
  return timed(page, { event: 'click', rows }, () => item.click());
}

/** Chooses a preset by its name. */
export async function choosePreset(app: BenchApp, name: string): Promise<void> {
  await app.page.getByTestId('preset-menu').click();
  await app.page.locator(`[data-testid="pick-list"] [data-name="${name}"]`).click();
  await settle(app);
}

/**
 * Moves a slider of a stage by its keys, one step at a time, up and then back; milliseconds from each key to the new
 * projection.
 */
export async function moveSlider(
  { page }: BenchApp,
  stage: string,
  param: string,
  changes: number,
): Promise<readonly number[]> {
  const card = page.locator(`[data-testid="stage-card"][data-kind="${stage}"]`);
  if ((await card.getAttribute('data-open')) === 'false') await card.getByTestId('stage-toggle').click();
  const control = card.locator(`[data-testid="param"][data-name="${param}"]`);
  if ((await control.count()) === 0) await card.getByTestId('more-params').click();
  await control.getByRole('slider').focus();
  const list = page.getByTestId('timeline');
  const times: number[] = [];
  for (let change = 0; change < changes; change++) {
    const notProjection = await list.getAttribute('data-projection');
    const key = change < changes / 2 ? 'ArrowRight' : 'ArrowLeft';
    times.push(await timed(page, { event: 'keydown', notProjection }, () => page.keyboard.press(key)));
    await wait(120);
  }
  return times;
}

/** Closes the drawer, so that nothing is asked about a message. */
export async function closeDrawer(app: BenchApp): Promise<void> {
  const close = app.page.getByRole('button', { name: 'Close the drawer' });
  if ((await close.count()) > 0) await close.click();
  await settle(app);
}

/** Opens the message in the middle of the list in the drawer. */
export async function openInSight(app: BenchApp): Promise<void> {
  const shown = app.page.getByTestId('drawer');
  if ((await shown.count()) === 0) await app.page.getByRole('button', { name: 'Drawer', exact: true }).click();
  const box = await app.page.getByTestId('timeline').boundingBox();
  if (box === null) throw new Error('there is no list');
  await app.page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
  await settle(app);
}

/** Scrolls by the mouse wheel at a steady speed (px/s) over the heads, for opened rows scroll by themselves; watches the frames. */
export async function scroll(page: Page, cdp: CDPSession, distance: number, speed: number): Promise<Frames> {
  await page.bringToFront();
  const list = page.getByTestId('timeline');
  const y = (await list.count()) === 0 ? 500 : ((await list.boundingBox())?.y ?? 0) + 12;
  const frames = page.evaluate(watchFrames);
  const gesture = { x: 600, y, yDistance: -distance, speed, gestureSourceType: 'mouse' } as const;
  await cdp.send('Input.synthesizeScrollGesture', gesture);
  return frames;
}

/** Goes to the first row: a transcript opens where it is interesting, from where there may be no way down. */
export async function toTheTop({ page }: BenchApp): Promise<void> {
  await page.getByTestId('timeline').evaluate((list) => list.scrollTo({ top: 0 }));
}

/** Opens as many rows, about one a screen from the top on, and goes back there. */
export async function openRows(app: BenchApp, count: number): Promise<void> {
  const list = app.page.getByTestId('timeline');
  for (let opened = 0; opened < count; opened++) {
    await list.evaluate((element, top) => element.scrollTo({ top }), opened * SCREEN_PX);
    await wait(250);
    await list.evaluate((element) => {
      const edge = element.getBoundingClientRect().top + 60;
      const rows = [...element.querySelectorAll('[data-testid="row"][data-kind="part"][aria-expanded="false"]')];
      const row = rows.find((each) => each.getBoundingClientRect().top > edge);
      row?.querySelector<HTMLElement>('.row-chevron')?.click();
    });
    await wait(150);
  }
  await toTheTop(app);
  await settle(app);
}

/** JavaScript heap of the page in MB, after a collection. */
export async function pageHeap({ cdp }: BenchApp): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

/** Selects the first message and shows its JSON, which loads the editor. */
export async function showJson(app: BenchApp): Promise<void> {
  await app.page.getByTestId('row').first().click();
  await app.page.locator('[data-testid="drawer-tab"][data-tab="json"]').click();
  await app.page.locator('.monaco-editor .view-line').first().waitFor();
  await settle(app);
}
