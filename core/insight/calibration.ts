// The provider's tokens out of counted ones: input ≈ base + factor × counted, one line a model and session, drawn through
// what its requests record. Least relative distance (half of the requests may be odd), and newer requests weigh more: what
// a client adds to its requests changes as a session continues. No clock, no randomness: the same requests, the same line.
import { type Calibration, expectedInput, type Line } from '../tokens/calibrated.ts';
import { fitLine, median } from './usage/fit.ts';

/** A request that records its input, and its history as counted here. Unit: tokens. */
export interface CountedRequest {
  readonly history: number;
  readonly input: number;
}

/** The newest requests looked at; those before would weigh less than a millionth. */
const MOST_LOOKED_AT = 1000;
/** Weight of a request against the one after it: half after 50 requests. */
const DECAY = 0.9862327;
/** Nearer than this share all requests count alike: tokenizers and framing differ by as much. */
const CLOSE = 0.002;
/** Rounds of weighting; the line moves by less than a thousandth long before. */
const ROUNDS = 40;
/** Draws the line through requests in their order; null where they do not determine one. Its base is never below 0. */
export function calibrate(model: string | null, requests: readonly CountedRequest[]): Calibration | null {
  const newest = requests.slice(-MOST_LOOKED_AT);
  const start = fitLine(newest.map((request) => ({ ...request, era: 0 })));
  let line: Line | null = start && { base: start.base, factor: start.factor };
  for (let round = 0; round < ROUNDS && line !== null; round++) line = drawn(newest, line);
  if (line === null || !(line.factor > 0)) return null;
  const rounded = { factor: Math.round(line.factor * 1000) / 1000, base: Math.round(line.base) };
  const away = requests.map(({ history, input }) => Math.abs(input - expectedInput(rounded, history)));
  const shares = away.map((tokens, i) => tokens / (requests[i]?.input ?? tokens));
  return { model, ...rounded, requests: requests.length, residual: median(shares), spread: Math.round(median(away)) };
}

/**
 * The line by which a session's figures are calibrated: that of the model it ran on last; where requests name no model,
 * theirs. Another model has another tokenizer.
 */
export function calibrationFor(lines: readonly Calibration[], model: string | null): Calibration | null {
  const own = lines.find((line) => line.model === model);
  const unnamed = lines.length === 1 ? lines.find((line) => line.model === null) : undefined;
  return own ?? unnamed ?? null;
}

// One round of weighted least squares: what is far from the line before weighs little.
function drawn(requests: readonly CountedRequest[], before: Line): Line | null {
  let [s, sx, sxx, sy, sxy] = [0, 0, 0, 0, 0];
  let age = 1;
  for (let i = requests.length - 1; i >= 0; i--) {
    const { history: x, input: y } = requests[i] ?? { history: 0, input: 1 };
    const rounded = before.base + before.factor * x;
    // Of both the larger: else one input of next to nothing would be the one to be met.
    const size = Math.max(y, rounded);
    const weight = age / (Math.max(CLOSE, Math.abs(y - rounded) / size) * size * size);
    age *= DECAY;
    s += weight;
    sx += weight * x;
    sxx += weight * x * x;
    sy += weight * y;
    sxy += weight * x * y;
  }
  const width = s * sxx - sx * sx;
  if (!(width > 0)) return null;
  const base = (sy * sxx - sxy * sx) / width;
  return base < 0 ? { base: 0, factor: sxy / sxx } : { base, factor: (s * sxy - sx * sy) / width };
}
