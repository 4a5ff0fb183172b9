// Figures and texts under each other begin or end at one line, and nothing is cut in the middle or lies over what is beside it.
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, command, importFile, rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const use = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input });
const LONG_NAME = `mcp__a_server_with_a_long_name__${'and_a_tool_'.repeat(14)}too`;
const calls = [
  use('toolu_long', LONG_NAME, { on: true, a_rather_long_name: 'b', the_longest_of_these_names: 'c' }),
  use('toolu_todo', 'TodoWrite', {
    todos: ['completed', 'in_progress', 'pending', 'cancelled'].map((status) => ({ content: status, status })),
  }),
  use('toolu_shell', 'exec_command', { cmd: 'make' }),
];
const made = files.write(
  'made.json',
  JSON.stringify({
    model: 'claude-opus-4-5',
    system: 'You are careful. '.repeat(40),
    tools: [{ name: 'make', description: 'Makes it. '.repeat(20), input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: 'Put it in line' },
      { role: 'assistant', content: calls },
      {
        role: 'user',
        content: calls.map(({ id }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content:
            id === 'toolu_shell' ? 'Exit code: 0\nWall time: 0.1 seconds\nTotal output lines: 1\nOutput:\nmade' : 'ok',
        })),
      },
      { role: 'assistant', content: 'It is in line.' },
    ],
  }),
);
const lamp = files.write('lamp.json', lampJson());

/** Boxes of what is to be seen. */
const boxes = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all
      .map((one) => one.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
  );

onEachHost('what stands under each other is in line', { start: () => ({ files: [made] }) }, (step) => {
  step('figures of the budget, fields or not', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(3)).waitFor();
    await rested(app);
    // Of each line the first: two short ones share a line.
    const ends = await page.locator('.budget-reserves').evaluateAll((all) => {
      const first = new Map<string, number>();
      all.forEach((one, at) => {
        for (const figure of one.querySelectorAll('.beside-figure .num, .field-figure')) {
          const { right, top, height } = figure.getBoundingClientRect();
          const { paddingRight, borderRightWidth } = getComputedStyle(figure);
          const line = `${at} ${Math.round((top + height / 2) / 8)}`;
          const end = right - Number.parseFloat(paddingRight) - Number.parseFloat(borderRightWidth);
          if (figure.closest('.budget-thinking') === null) first.set(line, Math.min(end, first.get(line) ?? end));
        }
      });
      return [...first.values()];
    });
    expect(ends.length).toBeGreaterThan(2);
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(1);
  });

  step('a long name leaves the tokens of a part in one line', async ({ page }) => {
    await page.locator(SELECTORS.rowOf(1)).click();
    await page.locator(SELECTORS.drawerTab('rendered')).click();
    await page.locator('.part-head').first().waitFor();
    for (const { top, bottom } of await boxes(page, '.part-head > .num')) expect(bottom - top).toBeLessThan(24);
    const edge = await page.locator('section.drawer').evaluate((one) => one.getBoundingClientRect().right);
    for (const { right } of await boxes(page, '.part-head > *')) expect(right).toBeLessThan(edge);
  });

  step('values of arguments, and texts of a list of things to do', async ({ page }) => {
    const values = await boxes(page, '.tool-fields dd');
    expect(values).toHaveLength(3);
    expect(new Set(values.map(({ left }) => left)).size).toBe(1);
    const todos = await boxes(page, '.todo-list li > span:last-child');
    expect(todos).toHaveLength(4);
    expect(new Set(todos.map(({ left }) => left)).size).toBe(1);
  });

  step('how a command ended is in the first line of what is said about it', async ({ page }) => {
    await page.locator(SELECTORS.rowOf(2, 2)).click();
    const head = page.locator('.tool-head').filter({ hasText: 'Wall time' });
    await head.waitFor();
    const [note, chip] = await head.evaluate((one) =>
      ['.tool-note', '.chip'].map((part) => one.querySelector(part)?.getBoundingClientRect().top ?? Number.NaN),
    );
    expect(Math.abs((chip ?? Number.NaN) - (note ?? Number.NaN))).toBeLessThan(6);
  });

  step('a path without room keeps its end whole', async ({ page }) => {
    const cut = await page.evaluate(() => {
      const box = document.createElement('div');
      box.style.width = '260px';
      const span = (classes: string, ...inside: (Node | string)[]) => {
        const made = Object.assign(document.createElement('span'), { className: classes });
        made.append(...inside);
        return made;
      };
      const start = span('path-start ellipsis', '/home/someone/with/many/folders/to/come/through');
      box.append(span('path', start, span('path-end ellipsis', '/the-name-of-the-file.ts')));
      document.body.append(box);
      const isCut = (part: string) => {
        const one = box.querySelector(part);
        return one === null ? null : one.scrollWidth > one.clientWidth;
      };
      const both = [isCut('.path-start'), isCut('.path-end')];
      box.remove();
      return both;
    });
    expect(cut).toEqual([true, false]);
  });

  step('heads of narrow panes: no count is cut or under the buttons, and none is a letter wide', async (app) => {
    const { page } = app;
    await importFile(app, lamp);
    await command(app, 'The lamp flickers');
    // The rows of the one before stay for a moment, in which a click is for neither.
    await expect.poll(() => page.locator('.breadcrumb').textContent(), SOON).toContain(`${LAMP.messages} messages`);
    await page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await choosePreset(app, 'all_steps');
    await rested(app);
    for (const [width, isRight] of [
      [1440, false],
      [1240, false],
      [1024, false],
      [940, false],
      [1440, true],
      [1024, true],
      [1000, true],
      [960, true],
    ] as const) {
      await page.locator(SELECTORS.timeline).focus();
      if (isRight !== (await page.locator('[data-testid="drawer-menu"]').isVisible()))
        await page.keyboard.press('Shift+E');
      await page.setViewportSize({ width, height: 700 });
      await expect.poll(() => page.evaluate(() => innerWidth), SOON).toBe(width);
      const head = page.locator('.pane-head').last();
      const seen = await head.evaluate((one) => {
        // As many kinds of outcomes as a head can have, for the time of the measurement.
        const row = one.querySelector('.fate-counts');
        const copies = Array.from({ length: 6 }, () => row?.lastElementChild?.cloneNode(true)).filter(
          (copy) => copy != null,
        );
        row?.append(...copies);
        const clip = one.querySelector('.fate-counts')?.getBoundingClientRect();
        const counts = [...one.querySelectorAll('.fate-count')]
          .map((count) => count.getBoundingClientRect())
          .filter(({ top }) => top < (clip?.bottom ?? 0) - 2);
        const buttons = [...one.querySelectorAll('.icon-button')].map((button) => button.getBoundingClientRect().left);
        const measured = {
          counts: counts.length,
          right: Math.max(...counts.map(({ right }) => right)),
          clip: clip?.right ?? Number.NaN,
          buttons: Math.min(...buttons),
          sent: one.querySelector('.pane-sent')?.getBoundingClientRect().width ?? 0,
        };
        for (const copy of copies) row?.removeChild(copy);
        return measured;
      });
      expect(seen.counts).toBeGreaterThan(0);
      expect(seen.right).toBeLessThanOrEqual(seen.clip + 1);
      expect(seen.clip).toBeLessThanOrEqual(seen.buttons + 1);
      if (seen.sent > 0) expect(seen.sent).toBeGreaterThan(20);
    }
    await page.locator(SELECTORS.timeline).focus();
    await page.keyboard.press('Shift+E');
    await page.setViewportSize({ width: 1400, height: 900 });
  });

  step('what is said of a session in the head of the window is there whole, or not at all', async ({ page }) => {
    const counts = page.locator('.breadcrumb-counts');
    for (let width = 1600; width > 1000; width -= 30) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await counts.evaluate((one) => {
        const box = one.getBoundingClientRect();
        return [...one.querySelectorAll('span')]
          .map((span) => span.getBoundingClientRect())
          .filter(({ top, right }) => top < box.bottom - 2 && right > box.right + 1).length;
      });
      expect([width, cut, await counts.locator('span').count()]).toEqual([width, 0, 2]);
    }
    await page.setViewportSize({ width: 1400, height: 900 });
  });
});
