// What the list does, without a screen: it carries out scroll orders, keeps its place in px otherwise, and reports what
// is in sight.
import type { App } from '../../renderer/state/app.ts';
import { LINE_HEIGHT, type RowLayout, rowAtOffset, rowTop } from '../../renderer/ui/rowLayout.ts';

export interface Reader {
  /** Px that are above the upper edge. */
  top(): number;
  /** The person scrolls. */
  scrollTo(px: number): void;
  /** Lets the list draw what has changed, as the browser does once the task is over. */
  draw(): void;
  /** How often the list was moved by an order. */
  moves(): number;
}

export function reader(app: App): Reader {
  let top = 0;
  let seq = app.screen.getState().projection.scroll.seq;
  let shown: string | null = null;
  let moves = 0;
  const laidOut = (): RowLayout => {
    const { projection, ui } = app.screen.getState();
    return { line: LINE_HEIGHT[ui.density], open: projection.open };
  };
  const most = () => {
    const { pages } = app.screen.getState().projection;
    return Math.max(0, rowTop(pages.total, laidOut()) - app.viewport.height);
  };
  const report = (): void => {
    if (app.screen.isHeld) return;
    const { pages } = app.screen.getState().projection;
    const { total } = pages;
    const layout = laidOut();
    const row = rowAtOffset(top, total, layout);
    const wasAtEnd = app.viewport.atEnd;
    const to = Math.min(total, rowAtOffset(top + app.viewport.height - 1, total, layout) + 1);
    Object.assign(app.viewport, { topRow: row, topOffset: rowTop(row, layout) - top, from: row, to });
    Object.assign(app.viewport, { atTop: top < layout.line / 2, atEnd: total > 0 && to >= total });
    app.actions.ensureRows(row - 20, to + 20, 1);
    if (app.viewport.atEnd) app.actions.sawEnd();
    else if (wasAtEnd) app.actions.leftEnd();
  };
  return {
    top: () => top,
    moves: () => moves,
    scrollTo(px) {
      app.actions.scrolledByHand();
      top = Math.max(0, Math.min(most(), px));
      report();
    },
    draw() {
      const { scroll, pages } = app.screen.getState().projection;
      if (scroll.seq !== seq && scroll.seq !== 0) {
        top = rowTop(scroll.row, laidOut()) - scroll.offset;
        moves++;
      }
      const isNew = scroll.seq !== seq || pages.projectionId !== shown;
      const before = top;
      top = Math.max(0, Math.min(most(), top));
      seq = scroll.seq;
      shown = pages.projectionId;
      if (isNew || before !== top) report();
    },
  };
}
