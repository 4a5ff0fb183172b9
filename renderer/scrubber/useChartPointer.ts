import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { useActions } from '../state/context.tsx';
import { CHART, type Chart, plotWidth, positionAt, xOf, xOfPosition } from '../ui/chart.ts';
import type { Range } from '../ui/look.ts';

/** Px that a pointer may move and still click, and from how far an edge or the playhead is caught. */
const STILL = 4;
const REACH = 5;
/** One notch of a wheel zooms by so much. */
const NOTCH = 1.2;
const NOTCH_PX = 100;

type Drag =
  | { readonly kind: 'head' }
  | { readonly kind: 'pan'; x: number }
  | { readonly kind: 'area'; readonly from: number; readonly x: number; isMoved: boolean };

interface Pointed {
  readonly chart: Chart;
  readonly area: Range | null;
  /** Source index of the call point. */
  readonly at: number;
  /** Makes the bar under a px the call point. */
  readonly goTo: (px: number) => void;
}

/** What was caught at a place: the playhead, the axis, an edge of the area, or the plot, where a click goes to a call. */
function caught({ chart, area, at }: Pointed, x: number, y: number): Drag {
  if (y < chart.top || Math.abs(x - xOf(chart, at)) <= REACH) return { kind: 'head' };
  if (y > chart.floor) return { kind: 'pan', x };
  if (area !== null) {
    const [from, to] = [xOfPosition(chart, area.from), xOfPosition(chart, area.to)];
    if (Math.abs(x - from) <= REACH) return { kind: 'area', from: area.to, x, isMoved: true };
    if (Math.abs(x - to) <= REACH) return { kind: 'area', from: area.from, x, isMoved: true };
  }
  return { kind: 'area', from: positionAt(chart, x), x, isMoved: false };
}

/** The calls between two positions, whole: from the one that the first lies in to the one that the last lies in. */
export function areaBetween(a: number, b: number): Range {
  const [from, to] = [Math.min(a, b), Math.max(a, b)];
  return { from: Math.floor(from + 1e-9), to: Math.max(Math.floor(from + 1e-9) + 1, Math.ceil(to - 1e-9)) };
}

/** Drag, click and wheel in the chart. */
export function useChartPointer(pointed: Pointed) {
  const { setArea, pan } = useActions();
  const drag = useRef<Drag | null>(null);
  const place = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      const { x, y } = place(event);
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = caught(pointed, x, y);
      if (drag.current.kind === 'head') pointed.goTo(x);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const held = drag.current;
      if (held === null || event.buttons !== 1) return;
      const { x } = place(event);
      if (held.kind === 'head') pointed.goTo(x);
      else if (held.kind === 'pan') {
        pan((held.x - x) / plotWidth(pointed.chart.width));
        held.x = x;
      } else if (held.isMoved || Math.abs(x - held.x) > STILL) {
        held.isMoved = true;
        setArea(areaBetween(held.from, positionAt(pointed.chart, x)));
      }
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const held = drag.current;
      drag.current = null;
      if (held?.kind === 'area' && !held.isMoved) pointed.goTo(place(event).x);
    },
    onPointerCancel() {
      drag.current = null;
    },
  };
}

/** The wheel zooms at the pointer; with Shift, or sideways, it pans. Several notches within a frame are one step. */
export function useChartWheel(element: RefObject<HTMLElement | null>): void {
  const { zoom, pan } = useActions();
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    let [frame, notches, aside, share] = [0, 0, 0, 0.5];
    const act = () => {
      frame = 0;
      if (notches !== 0) zoom(NOTCH ** notches, share);
      if (aside !== 0) pan(aside);
      [notches, aside] = [0, 0];
    };
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = target.getBoundingClientRect();
      const plot = plotWidth(box.width);
      share = Math.min(1, Math.max(0, (event.clientX - box.left - CHART.left) / plot));
      const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        aside += ((event.deltaX || event.deltaY) * px) / plot;
      } else notches += (event.deltaY * px) / NOTCH_PX;
      if (frame === 0) frame = requestAnimationFrame(act);
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      target.removeEventListener('wheel', onWheel);
      cancelAnimationFrame(frame);
    };
  }, [element, zoom, pan]);
}
