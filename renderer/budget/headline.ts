// The one figure of the request on screen, and how it stands to its budget. One place, so that all who show it agree.
import type { Calibration, ProjectionInfo, Provenance } from '../../core/protocol/types.ts';
import { formatCount, formatTokens } from '../ui/format.ts';
import { windowState } from './figures.ts';
import { type GaugeState, gaugeState, wholeRequest } from './gauge.ts';

/** What a request holds: as recorded where it was sent and its usage says so, else counted. */
export interface Headline {
  readonly tokens: number;
  readonly provenance: Provenance;
  readonly text: string;
  /** How it is known. */
  readonly title: string;
  /** False while it is still being counted. */
  readonly isFinal: boolean;
}

/** Of the projection on screen. `recorded` = the input that was recorded of just this request; null = none was, or it was not sent. */
export function headlineOf(info: ProjectionInfo, recorded: number | null): Headline {
  const { total, provenance } = wholeRequest(info.projected, info.beside);
  const isFinal = info.final;
  if (recorded === null)
    return { tokens: total, provenance, text: formatTokens(total, provenance), title: howCounted(info), isFinal };
  const title = `Recorded of this request. ${formatTokens(total, provenance)} by what is counted: ${howCounted(info)}`;
  return { tokens: recorded, provenance: 'recorded', text: formatCount(recorded), title, isFinal: true };
}

/** `input ≈ 42,013 + 2.06 × counted, over 307 requests, typically 4.1% off`. */
export function howCounted({ calibration, projected }: ProjectionInfo): string {
  if (calibration === null) return projected.provenance === 'exact' ? 'counted exactly' : 'estimated';
  const { base, factor, requests, residual } = calibration;
  const off = `typically ${(residual * 100).toFixed(1)}% off`;
  return `input ≈ ${formatCount(base)} + ${factor.toFixed(2)} × counted, over ${formatCount(requests)} requests, ${off}`;
}

/** How it stands to its budget, in words. A request that was answered was not refused: its window was another. */
export function headlineState(info: ProjectionInfo, { tokens, provenance }: Headline): GaugeState | WindowOnly {
  const { budget, window, calibration } = info;
  const off = provenance === 'calibrated' && calibration !== null ? offOf(calibration, tokens) : 0;
  if (budget === null) return { ...windowState(tokens, window, provenance, off), from: null };
  if (provenance !== 'recorded') return gaugeState(budget, provenance, off);
  const over = tokens - budget.total;
  if (over <= 0) return gaugeState({ ...budget, used: tokens, overflow: null, fits: true }, provenance);
  const text = `Over this budget by ${formatCount(over)}, yet it was answered: the window set here differs from the one it had.`;
  return { tone: 'close', text, from: null };
}

// What usage shows of a request of that size, and of what every request holds besides.
function offOf({ residual, spread }: Calibration, tokens: number): number {
  return Math.round(Math.max(residual * tokens, spread));
}

/** Without a budget. */
export interface WindowOnly {
  readonly tone: 'ok' | 'close' | 'over' | 'unknown';
  readonly text: string;
  readonly from: null;
}
