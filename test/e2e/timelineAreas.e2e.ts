import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { callPoint, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

/** Requests of the session: each takes 2 s to answer, its tool 3 s; the 20th waited a minute for a person. */
const CALLS = 40;
const WAITED = 20;

/** What the answer of a request records: so that sums are told from any other. */
const inputOf = (call: number) => 1000 + 10 * call;
const outputOf = (call: number) => 5 + call;

const files = filesDir();
afterAll(() => files.remove());
const walk = files.write('walk.jsonl', sessionText());

function sessionText(): string {
  let now = Date.parse('2026-03-02T09:00:00Z');
  const stamp = (ms: number) => {
    now += ms;
    return new Date(now).toISOString();
  };
  const lines: object[] = [];
  const line = (type: string, message: object, ms: number) => {
    const uuid = `u${lines.length}`;
    const parentUuid = lines.length === 0 ? null : `u${lines.length - 1}`;
    lines.push({
      type,
      uuid,
      parentUuid,
      sessionId: 'walk',
      cwd: '/w',
      version: '2.0.0',
      timestamp: stamp(ms),
      message,
    });
  };
  line('user', { role: 'user', content: 'Walk through the numbers.' }, 0);
  for (let call = 1; call <= CALLS; call++) {
    if (call === WAITED) line('user', { role: 'user', content: 'Go on.' }, 60_000);
    const usage = {
      input_tokens: 100,
      cache_read_input_tokens: inputOf(call) - 150,
      cache_creation_input_tokens: 50,
      output_tokens: outputOf(call),
    };
    const use = { type: 'tool_use', id: `t${call}`, name: 'Read', input: { file_path: `/w/${call}.txt` } };
    const id = `m${call}`;
    line(
      'assistant',
      { id, type: 'message', role: 'assistant', model: 'claude-opus-4-5', content: [use], usage },
      2000,
    );
    const result = { type: 'tool_result', tool_use_id: `t${call}`, content: `number ${call} `.repeat(call) };
    line('user', { role: 'user', content: [result] }, 3000);
  }
  return `${lines.map((one) => JSON.stringify(one)).join('\n')}\n`;
}

/** Source index of the answer to a request, from 1. */
const indexOf = (call: number) => 2 * call - 1 + (call >= WAITED ? 1 : 0);

const sum = (from: number, to: number, of: (call: number) => number) => {
  let all = 0;
  for (let call = from; call <= to; call++) all += of(call);
  return all.toLocaleString('en');
};

/** Px from the left edge of the chart at which a request's bar is, in the whole session. */
async function middleOf(app: RunningApp, call: number): Promise<{ x: number; y: number }> {
  const box = await app.page.locator(SELECTORS.scrubber).boundingBox();
  if (!box) throw new Error('no chart');
  const [left, right] = [38, 12];
  return { x: box.x + left + ((call - 0.5) / (CALLS + 1)) * (box.width - left - right), y: box.y + 50 };
}

const sight = (app: RunningApp) => app.page.getByTestId('chart-sight');
const figures = (app: RunningApp) => app.page.getByTestId('area-figures').textContent();

/** The totals of the requests from one to another, both included. */
async function hasTotals(app: RunningApp, from: number, to: number): Promise<void> {
  await expect.poll(() => figures(app), SOON).toContain(`Input, recorded${sum(from, to, inputOf)}`);
  const text = await figures(app);
  expect(text).toContain(`Calls${to - from + 1}#${indexOf(from)}–#${indexOf(to)}`);
  expect(text).toContain(`Output, recorded${sum(from, to, outputOf)}`);
  expect(text).toContain(`Cache read${sum(from, to, (call) => inputOf(call) - 150)}`);
}

onEachHost('a person measures a part of the session in the chart', { start: () => ({ files: [walk] }) }, (step) => {
  step('sees all calls, and when they were made', async (app) => {
    await expect.poll(() => sight(app).getAttribute('data-calls'), SOON).toBe(String(CALLS + 1));
    await expect
      .poll(() => sight(app).locator('time').getAttribute('title'), SOON)
      .toContain('2026-03-02 09:00:00 UTC');
  });

  step('zooms with the wheel at the pointer, and back', async (app) => {
    const { page } = app;
    const { x, y } = await middleOf(app, 30);
    await page.mouse.move(x, y);
    for (let notch = 0; notch < 5; notch++) await page.mouse.wheel(0, -100);
    await expect.poll(async () => Number(await sight(app).getAttribute('data-calls')), SOON).toBeLessThan(25);
    const [first, last] = [await sight(app).getAttribute('data-first'), await sight(app).getAttribute('data-last')];
    expect(Number(first)).toBeLessThan(indexOf(30));
    expect(Number(last)).toBeGreaterThan(indexOf(30));
    await page.getByTestId('zoom-whole').click();
    await expect.poll(() => sight(app).getAttribute('data-calls'), SOON).toBe(String(CALLS + 1));
  });

  step('drags over calls 5 to 12, and reads their totals', async (app) => {
    const { page } = app;
    const [from, to] = [await middleOf(app, 5), await middleOf(app, 12)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 6 });
    await page.mouse.up();
    await hasTotals(app, 5, 12);
    // Eight answers of 2 s, and the seven tools between them.
    expect(await figures(app)).toContain('Duration37 s');
  });

  step('filters the rows to the area, and takes it away', async (app) => {
    const { page } = app;
    await page.getByTestId('area-rows').click();
    const field = page.locator('#filter-field');
    await expect.poll(() => field.inputValue(), SOON).toBe(`index>=${indexOf(5)} index<${indexOf(13)}`);
    await expect.poll(() => page.locator(SELECTORS.rowOf(indexOf(5))).count(), SOON).toBeGreaterThan(0);
    await field.press('Escape');
    await page.getByTestId('area-clear').click();
    await expect.poll(() => page.getByTestId('area').count(), SOON).toBe(0);
  });

  step('does the same by keys alone, across the pause', async (app) => {
    const { page } = app;
    const scrubber = page.locator(SELECTORS.scrubber);
    await scrubber.focus();
    await scrubber.press('Home');
    await expect.poll(() => callPoint(app), SOON).toBe(indexOf(1));
    for (let call = 2; call <= 18; call++) {
      await scrubber.press('ArrowRight');
      await expect.poll(() => callPoint(app), SOON).toBe(indexOf(call));
    }
    await scrubber.press('a');
    for (let call = 19; call <= 22; call++) {
      await scrubber.press('ArrowRight');
      await expect.poll(() => callPoint(app), SOON).toBe(indexOf(call));
    }
    await scrubber.press('a');
    await hasTotals(app, 18, 22);
    const waited = page.getByTestId('area-figures').locator('div', { hasText: 'Duration' });
    expect(await waited.textContent()).toContain('waiting 1 min');
    await scrubber.press('z');
    await expect.poll(() => sight(app).getAttribute('data-calls'), SOON).toBe('5');
    await scrubber.press('-');
    await expect.poll(async () => Number(await sight(app).getAttribute('data-calls')), SOON).toBeGreaterThan(5);
    await scrubber.press('0');
    await expect.poll(() => sight(app).getAttribute('data-calls'), SOON).toBe(String(CALLS + 1));
    await scrubber.press('Enter');
    await expect
      .poll(() => page.locator('#filter-field').inputValue(), SOON)
      .toBe(`index>=${indexOf(18)} index<${indexOf(23)}`);
    await page.locator('#filter-field').press('Escape');
    await scrubber.focus();
    // Esc closes the topmost thing only: a tip or a message may lie above the area.
    const left = async () => {
      await scrubber.press('Escape');
      return page.getByTestId('area').count();
    };
    await expect.poll(left, SOON).toBe(0);
  });

  step('draws it along time, where the pause is wide, and that is kept', async (app) => {
    const { page } = app;
    const time = page.getByTestId('chart-bar').getByRole('radio', { name: 'Time' });
    await time.click();
    const waiting = page.getByTestId('durations-strip').locator('[data-kind="waiting"]');
    await expect.poll(() => waiting.getAttribute('d'), SOON).toMatch(/^M.*h\d\d/);
    expect(await sight(app).getAttribute('data-calls')).toBe(String(CALLS + 1));
    await page.reload();
    await expect.poll(() => time.getAttribute('aria-checked'), SOON).toBe('true');
    await page.getByTestId('chart-bar').getByRole('radio', { name: 'Calls' }).click();
  });

  step('finds the chart’s commands in the palette', async (app) => {
    const { page } = app;
    await page.keyboard.press('Control+k');
    await page.keyboard.type('chart zoom');
    await expect.poll(() => page.getByText('Chart: zoom in').count(), SOON).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
  });
});
