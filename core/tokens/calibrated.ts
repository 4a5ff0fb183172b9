// browser-safe
// The provider's tokens out of counted ones: input ≈ base + factor × counted. A line is data: it is drawn once from what a
// session records (core/insight/calibration.ts), and whoever counts is given it. Source: spec of insight, 11.

import type { Calibration, Line } from '../model/calibration.ts';

export type { Calibration, Line } from '../model/calibration.ts';

/** A line is believed from so many requests on … */
export const LEAST_REQUESTS = 8;
/** … if half of them are off by this or less. */
export const MOST_ERROR = 0.05;

/** Whether figures may be calibrated by a line. */
export function holds(calibration: Calibration | null): calibration is Calibration {
  return calibration !== null && calibration.requests >= LEAST_REQUESTS && calibration.residual <= MOST_ERROR;
}

/** Counted tokens as the provider's, without the base. Whole, and never fewer for more. */
export function scaled(tokens: number, factor: number): number {
  return factor === 1 ? tokens : Math.round(tokens * factor);
}

/** The input that a line expects of a request whose history counts so much. */
export function expectedInput({ base, factor }: Line, history: number): number {
  return base + scaled(history, factor);
}

/** What requests hold that is recorded neither as a message nor beside them; `recorded` = counted tokens beside. */
export function unrecordedOverhead({ base, factor }: Line, recorded: number): number {
  return Math.max(0, base - scaled(recorded, factor));
}
