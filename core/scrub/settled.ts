import type { Scrubber } from './scrubber.ts';

/** A value of JSON with its strings masked: of the same type, since nothing but the letters of strings changes. */
export function settledJson<T>(scrubber: Scrubber, value: T): T {
  const json = JSON.stringify(value);
  const masked = scrubber.mask(json);
  if (masked === json) return value;
  const read: T = JSON.parse(masked);
  return read;
}
