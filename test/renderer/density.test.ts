// One line of each message or two: whatever was scrolled, selected and opened before, what is looked at stays on its line.
import { describe, expect, it } from 'vitest';
import { seededRng } from '../../core/util/rng.ts';
import { mockEngine } from '../../renderer/dev/mockEngine.ts';
import { createApp } from '../../renderer/state/app.ts';
import { rowAt } from '../../renderer/state/rowPages.ts';
import { LINE_HEIGHT, rowTop } from '../../renderer/ui/rowLayout.ts';
import { reader } from './reader.ts';

const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);

async function opened() {
  const app = createApp(mockEngine(600));
  await app.actions.start();
  await app.actions.open('t1');
  await expect.poll(() => app.store.getState().projection.pages.total).toBeGreaterThan(100);
  const list = reader(app);
  list.draw();
  return { app, list };
}

describe('a change of density', () => {
  it.each(SEEDS)('keeps the row that is looked at where it is: seed %i', async (seed) => {
    const rng = seededRng(seed);
    const { app, list } = await opened();
    const px = (row: number): number => {
      const { projection, ui } = app.store.getState();
      return rowTop(row, { line: LINE_HEIGHT[ui.density], open: projection.open }) - list.top();
    };
    for (let step = 0; step < 12; step++) {
      const replay = `seed ${seed}, step ${step}`;
      const { total } = app.store.getState().projection.pages;
      list.scrollTo(rng.chance(0.2) ? 1e9 : rng.below(total * 40));
      const { viewport } = app;
      await expect.poll(() => rowAt(app.store.getState().projection.pages, viewport.topRow)?.stale).toBe(false);
      const number = viewport.from + rng.below(Math.max(1, viewport.to - viewport.from));
      const held = rowAt(app.store.getState().projection.pages, number);
      if (held && rng.chance(0.3)) app.actions.toggleOpen(held.row);
      if (held && rng.chance(0.5)) app.actions.selectRow(held.row);
      else app.actions.clearSelection();
      list.draw();
      list.scrollTo(list.top());
      const { selectionRow } = app.store.getState().projection;
      const isSeen = selectionRow !== null && selectionRow >= viewport.from && selectionRow < viewport.to;
      const isAtEnd = viewport.atEnd && !viewport.atTop;
      const row = isSeen ? selectionRow : viewport.topRow;
      const before = px(row);
      const { density } = app.store.getState().ui;
      await app.actions.toggleDensity();
      const told = { ...viewport };
      list.draw();
      expect(app.store.getState().ui.density, replay).not.toBe(density);
      // Where the list ends up is what was said of it before it was drawn: an answer may come between the two.
      expect(told, replay).toMatchObject({ topRow: viewport.topRow, topOffset: viewport.topOffset, to: viewport.to });
      const most = rowTop(total, {
        line: LINE_HEIGHT[app.store.getState().ui.density],
        open: app.store.getState().projection.open,
      });
      const isClamped = list.top() === 0 || list.top() >= most - viewport.height;
      if (!isSeen && isAtEnd) expect(viewport.atEnd, replay).toBe(true);
      else if (!isClamped) expect(px(row), replay).toBe(before);
    }
    app.stop();
  });
});
