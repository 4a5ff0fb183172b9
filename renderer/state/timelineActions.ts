// What of the session the chart shows, and the area that is selected in it.
import { extentOf } from '../ui/chart.ts';
import { type Axis, clampLook, panLook, type Range, zoomLook } from '../ui/look.ts';
import { positionOf, sourceOf } from '../ui/pointSource.ts';
import { type Core, patch } from './core.ts';
import type { AppState, TimelineState } from './types.ts';

export interface TimelineActions {
  /** Shows less (below 1) or more of the session; what is at `share` of the width stays there, else the call point. */
  zoom(factor: number, share?: number): void;
  /** Shows what is on by a share of what is shown; below 0 = before. */
  pan(share: number): void;
  /** Shows a range, in units of the axis; null = the whole session. */
  lookAt(look: Range | null): void;
  /** Calls one after the other, or in time; what was shown stays in sight. */
  setAxis(axis: Axis): void;
  /** Selects the calls at the positions [from, to); null = none. */
  setArea(area: Range | null): void;
  /** Begins an area at the call point, which grows as that is moved; a second time ends it there. */
  markArea(): void;
  zoomToArea(): void;
}

/** All that the axis has. */
export function extentNow({ series, ui }: Pick<AppState, 'series' | 'ui'>): Range {
  return extentOf(sourceOf(series.series?.points ?? []), ui.axis);
}

export function timelineActions(core: Core): TimelineActions & { stop(): void } {
  const get = () => core.store.getState();
  const set = (change: Partial<TimelineState>) =>
    core.store.setState(({ timeline }) => ({ timeline: { ...timeline, ...change } }));
  const lookNow = (): Range => get().timeline.look ?? extentNow(get());
  const stop = followArea(core, set);
  return {
    zoom(factor, share) {
      const look = lookNow();
      const extent = extentNow(get());
      set({ look: zoomLook(look, extent, get().ui.axis, factor, share ?? shareOfCallPoint(get(), look)) });
    },
    pan: (share) => set({ look: panLook(lookNow(), extentNow(get()), get().ui.axis, share) }),
    lookAt: (look) => set({ look: look && clampLook(look, extentNow(get()), get().ui.axis) }),
    setAxis(axis) {
      if (axis === get().ui.axis) return;
      const shown = get().timeline.look;
      const look = shown === null ? null : translated(get(), shown, axis);
      patch(core, 'ui', { axis });
      set({ look: look && clampLook(look, extentNow(get()), axis) });
    },
    setArea: (area) => set({ area: area && clampArea(area, get()), anchor: null }),
    markArea() {
      const { anchor } = get().timeline;
      if (anchor !== null) return set({ anchor: null });
      const here = positionNow(get());
      set({ anchor: here, area: clampArea({ from: here, to: here + 1 }, get()) });
    },
    zoomToArea() {
      const { timeline, ui } = get();
      if (timeline.area === null) return;
      const look = ui.axis === 'calls' ? timeline.area : translated(get(), timeline.area, 'time', 'calls');
      set({ look: clampLook(look, extentNow(get()), ui.axis) });
    },
    stop,
  };
}

/** While an area is begun it reaches to the call point; another transcript has none, and is shown whole. */
function followArea(core: Core, set: (change: Partial<TimelineState>) => void): () => void {
  return core.store.subscribe((now, before) => {
    if (now.session.id !== before.session.id) set({ look: null, area: null, anchor: null });
    const { anchor } = now.timeline;
    if (anchor === null || now.projection.at === before.projection.at) return;
    const here = positionNow(now);
    set({ area: clampArea({ from: Math.min(anchor, here), to: Math.max(anchor, here) + 1 }, now) });
  });
}

/** Position of the call point among all; the next request is behind the last. */
function positionNow({ series, projection, session }: AppState): number {
  const source = sourceOf(series.series?.points ?? []);
  const at = projection.at ?? session.info?.messages ?? 0;
  const last = Math.max(0, (source.starts[source.points.length] ?? 1) - 1);
  return Math.min(last, Math.floor(positionOf(source, at) + 1e-9));
}

function clampArea({ from, to }: Range, { series }: AppState): Range | null {
  const { starts, points } = sourceOf(series.series?.points ?? []);
  const end = starts[points.length] ?? 0;
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(end, Math.ceil(to));
  return first < last ? { from: first, to: last } : null;
}

function shareOfCallPoint(state: AppState, look: Range): number {
  const source = sourceOf(state.series.series?.points ?? []);
  const position = positionNow(state);
  const unit = state.ui.axis === 'calls' ? position + 0.5 : (source.times?.[indexOf(source, position)] ?? look.to);
  const share = (unit - look.from) / Math.max(1e-9, look.to - look.from);
  return share >= 0 && share <= 1 ? share : 0.5;
}

/** A range of one axis on the other one. */
function translated(state: AppState, { from, to }: Range, axis: Axis, was: Axis = state.ui.axis): Range {
  const source = sourceOf(state.series.series?.points ?? []);
  const { times, untils, starts, points } = source;
  if (axis === was || times === null || untils === null || points.length === 0) return { from, to };
  if (axis === 'time') {
    const [first, last] = [indexOf(source, from), indexOf(source, Math.max(from, to - 1))];
    return { from: times[first] ?? 0, to: untils[last] ?? 0 };
  }
  const first = times.findIndex((_, at) => (untils[at] ?? 0) >= from);
  const last = times.findLastIndex((time) => time <= to);
  return { from: starts[Math.max(0, first)] ?? 0, to: starts[Math.max(0, last) + 1] ?? 0 };
}

/** The point that a position is in. */
function indexOf({ starts, points }: ReturnType<typeof sourceOf>, position: number): number {
  let [low, high] = [0, Math.max(0, points.length - 1)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
