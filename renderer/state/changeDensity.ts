import { type Density, inSight, LINE_HEIGHT, rowTop, spanHeight } from '../ui/rowLayout.ts';
import { type Core, rowLayout } from './core.ts';

/**
 * One line of each message, or two. What is looked at stays on its line: the selected row if it is in sight, else the last
 * row if the list is at its end, else the first row in sight.
 */
export function changeDensity(core: Core, density: Density): void {
  const { store, viewport } = core;
  const { projection, ui } = store.getState();
  const { pages, open, selectionRow, scroll } = projection;
  const before = rowLayout(core);
  const layout = { line: LINE_HEIGHT[density], open };
  const { from, to, topRow, topOffset, height, atTop, atEnd } = viewport;
  const isSelectedSeen = selectionRow !== null && selectionRow >= from && selectionRow < to;
  // A reader at the end of a session that grows still sees what comes.
  const isLast = !isSelectedSeen && atEnd && !atTop;
  const row = isSelectedSeen ? selectionRow : isLast ? pages.total - 1 : topRow;
  const offset = isLast
    ? height - spanHeight(row, row + 1, layout)
    : rowTop(row, before) - rowTop(topRow, before) + topOffset;
  Object.assign(viewport, inSight(rowTop(row, layout) - offset, height, pages.total, layout));
  // In one change: a frame between the two would show other messages.
  store.setState({
    ui: { ...ui, density },
    projection: { ...projection, scroll: { seq: scroll.seq + 1, row, offset, isFixed: true } },
  });
}
