// What the figures of requests are called. One place, so that screen and tests agree.
import type { RequestFigure, UsageFit, UsageTotals } from '../../core/protocol/types.ts';
import { formatChange, formatCount, formatShort, plural } from '../ui/format.ts';

/** Share of the input that was read from the cache, `98%`; null where no cache is recorded. */
export function cacheShare({ input, cacheRead }: Pick<RequestFigure, 'input' | 'cacheRead'>): string | null {
  return cacheRead === null ? null : `${Math.round((cacheRead / input) * 100)}%`;
}

/** How far the recorded input is from what was expected: `+3%`, `−41%`; null without an expectation. */
export function offBy({ input, expected }: Pick<RequestFigure, 'input' | 'expected'>): string | null {
  return expected === null || expected === 0 ? null : (formatChange(expected, input) ?? '±0%');
}

/** `34,000 in, ≈35,200 expected (−3%)`: a request in one line. */
export function describeFigure(figure: RequestFigure): string {
  const off = offBy(figure);
  const expected = figure.expected === null ? '' : `, ≈${formatCount(figure.expected)} expected (${off ?? '±0%'})`;
  return `${formatCount(figure.input)} in${expected} · history counted as ${formatCount(figure.history)}`;
}

/** `input ≈ 20,010 + 1.31 × counted (claude-sonnet-4-5, 24 requests, typically 0.4% off)`: estimates by nature. */
export function describeFit({ model, requests, factor, base, residual }: UsageFit): string {
  const of = model === null ? '' : `${model}, `;
  const off = `typically ${(residual * 100).toFixed(1)}% off`;
  return `input ≈ ${formatCount(Math.round(base))} + ${factor.toFixed(2)} × counted (${of}${plural(requests, 'request')}, ${off})`;
}

/** `1.2M in, 97% of it from the cache, 40k out`: sums of what is recorded. */
export function describeTotals({ input, cacheRead, output }: UsageTotals): string {
  const cache = cacheRead === 0 ? '' : `, ${Math.round((cacheRead / Math.max(1, input)) * 100)}% of it from the cache`;
  return `${formatShort(input)} in${cache}, ${formatShort(output)} out`;
}
