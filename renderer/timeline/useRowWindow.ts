// Which rows are drawn. The virtualiser works on blocks of BLOCK rows, so that its table stays small at a million rows;
// places within come from rowLayout. The list reports what is in sight and asks for rows ahead.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { BLOCK, NEAR } from '../state/rowPages.ts';
import {
  HEAD_HEIGHT,
  inSight,
  isWhole,
  LINE_HEIGHT,
  outOfSight,
  type RowLayout,
  rowTop,
  spanHeight,
} from '../ui/rowLayout.ts';
import { useReportMoving } from './useReportMoving.ts';

/** Blocks drawn before and after those in sight. */
const OVERSCAN = 1;

export interface RowWindowRange {
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly layout: RowLayout;
}

/** The rows to draw in the scrolling element, [from, to), and the height of all rows in px. */
export function useRowWindow(scroller: RefObject<HTMLDivElement | null>): RowWindowRange {
  const { store, screen, viewport } = useApp();
  const { ensureRows, sawEnd, leftEnd, scrolledByHand } = useActions();
  const pages = useAppState((state) => state.projection.pages);
  const transcript = useAppState((state) => state.session.id);
  const open = useAppState((state) => state.projection.open);
  const line = useAppState((state) => LINE_HEIGHT[state.ui.density]);
  const layout = useMemo(() => ({ line, open }), [line, open]);
  const order = useAppState((state) => state.projection.scroll);
  const { total } = pages;
  const blocks = Math.ceil(total / BLOCK);
  // A new function for each layout: the virtualiser measures its blocks again when it changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the layout is the point
  const getItemKey = useCallback((block: number) => block, [total, layout]);
  // The first frame of a transcript draws what is in sight alone; what may scroll into sight comes with the next one.
  const isShown = useDeferredValue(pages.projectionId === null ? null : transcript) === transcript;
  const overscan = isShown ? OVERSCAN : 0;
  const virtualizer = useVirtualizer({
    count: blocks,
    getScrollElement: () => scroller.current,
    estimateSize: (block) => spanHeight(block * BLOCK, Math.min(total, (block + 1) * BLOCK), layout),
    getItemKey,
    overscan,
  });

  // A list that is to stand elsewhere is drawn there at once: the event that says so comes a frame after it was drawn.
  const drawn = useRef(order.seq);
  if (drawn.current !== order.seq) {
    drawn.current = order.seq;
    virtualizer.scrollOffset = Math.max(0, rowTop(order.row, layout) - order.offset);
  }

  const reportMoving = useReportMoving();
  const lastTop = useRef(0);
  // Where the list began on screen: a banner that comes with a projection must not push the reader's row down.
  const lastEdge = useRef<number | null>(null);
  const report = useCallback(() => {
    const element = scroller.current;
    // The rows that are drawn are another transcript's, and so is the place where they stand.
    if (!element || screen.isHeld) return;
    lastEdge.current = element.getBoundingClientRect().top;
    const height = element.clientHeight - HEAD_HEIGHT;
    // A notice or a drawer took room: who was at the end stays there, so that what comes keeps coming into sight.
    const isCutOff = viewport.atEnd && !viewport.atTop && height < viewport.height;
    if (isCutOff) element.scrollTop += viewport.height - height;
    const { selectionRow } = store.getState().projection;
    if (selectionRow !== null && height !== viewport.height) {
      const own = rowTop(selectionRow, layout);
      const before = own - rowTop(viewport.topRow, layout) + viewport.topOffset;
      // What is selected and was in sight stays so, whatever the panels around the list take or give.
      if (isWhole(before, line, viewport.height))
        element.scrollTop += outOfSight(own - element.scrollTop, line, height);
    }
    const top = element.scrollTop;
    const direction = top >= lastTop.current ? 1 : -1;
    lastTop.current = top;
    const wasAtEnd = viewport.atEnd;
    Object.assign(viewport, inSight(top, height, total, layout), { height });
    ensureRows(viewport.from - NEAR, viewport.to + NEAR, direction);
    if (viewport.atEnd) sawEnd();
    else if (wasAtEnd) leftEnd();
  }, [scroller, store, screen, viewport, total, layout, line, ensureRows, sawEnd, leftEnd]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an order is carried out once, with the layout it came with
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || order.seq === 0) return;
    const edge = element.getBoundingClientRect().top;
    const pushed = order.isFixed ? 0 : edge - (lastEdge.current ?? edge);
    lastEdge.current = edge;
    element.scrollTop = rowTop(order.row, layout) - order.offset + pushed;
    // Where it is in fact: no list scrolls past its last row.
    virtualizer.scrollOffset = element.scrollTop;
    // The event that reports it comes a frame later; the next answer may be here before.
    report();
  }, [order.seq]);

  // Only what a hand does: scroll events come of orders, too, and of a list that has become shorter.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onPointerDown = (event: PointerEvent) => {
      const isBar = event.target === element && event.offsetX >= element.clientWidth;
      if (isBar) scrolledByHand();
    };
    element.addEventListener('wheel', scrolledByHand, { passive: true });
    element.addEventListener('touchmove', scrolledByHand, { passive: true });
    element.addEventListener('pointerdown', onPointerDown);
    return () => {
      element.removeEventListener('wheel', scrolledByHand);
      element.removeEventListener('touchmove', scrolledByHand);
      element.removeEventListener('pointerdown', onPointerDown);
    };
  }, [scroller, scrolledByHand]);

  // After each new projection too: rows outside of the answer's window may be in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: pages.projectionId is the trigger
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    report();
    viewport.look = report;
    const onScroll = () => {
      report();
      reportMoving();
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const resized = new ResizeObserver(report);
    resized.observe(element);
    return () => {
      viewport.look = () => undefined;
      element.removeEventListener('scroll', onScroll);
      resized.disconnect();
    };
  }, [viewport, report, reportMoving, pages.projectionId]);

  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  const height = rowTop(total, layout);
  if (!first || !last) return { from: 0, to: 0, height, layout };
  return { from: first.index * BLOCK, to: Math.min(total, (last.index + 1) * BLOCK), height, layout };
}
