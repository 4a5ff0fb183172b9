/** How fast a job goes: bytes per second since its start, and the seconds left at that speed; null in the first instant. */
export interface Rate {
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
}

const TOO_SHORT_SECONDS = 0.2;

/** The rate after `seconds` for `done` of `total` bytes. */
export function rateOf(done: number, total: number, seconds: number): Rate {
  if (seconds < TOO_SHORT_SECONDS || done === 0) return { bytesPerSecond: null, secondsLeft: null };
  const bytesPerSecond = done / seconds;
  return { bytesPerSecond, secondsLeft: Math.max(0, total - done) / bytesPerSecond };
}
