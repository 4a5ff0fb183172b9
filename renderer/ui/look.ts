// What of a session the chart shows: a range of calls, or of time.

/** `calls`: one call after the other, each as wide; `time`: as they were made. */
export type Axis = 'calls' | 'time';

/** [from, to) in units of the axis: positions of call points, or milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The least that is shown, in units of the axis. */
export const LEAST: Readonly<Record<Axis, number>> = { calls: 4, time: 5000 };

/** Within the extent, and not less than can be shown; null = all of it. */
export function clampLook(look: Range, extent: Range, axis: Axis): Range | null {
  const whole = extent.to - extent.from;
  const span = Math.max(look.to - look.from, Math.min(LEAST[axis], whole));
  if (!(span < whole * (1 - 1e-9))) return null;
  const from = Math.min(Math.max(look.from, extent.from), extent.to - span);
  return { from, to: from + span };
}

/** `factor` below 1 shows less, above 1 more; what is at `share` (0..1) of the width stays there. */
export function zoomLook(look: Range, extent: Range, axis: Axis, factor: number, share: number): Range | null {
  const span = look.to - look.from;
  const whole = extent.to - extent.from;
  const next = Math.min(whole, Math.max(span * factor, Math.min(LEAST[axis], whole)));
  const from = look.from + (span - next) * share;
  return clampLook({ from, to: from + next }, extent, axis);
}

/** Shows what is on by a share of what is shown; below 0 = before. */
export function panLook(look: Range, extent: Range, axis: Axis, share: number): Range | null {
  const by = (look.to - look.from) * share;
  return clampLook({ from: look.from + by, to: look.to + by }, extent, axis);
}
