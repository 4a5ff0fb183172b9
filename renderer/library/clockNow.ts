import type { Now } from '../../core/search/types.ts';

/** The moment words about time are read from: `after:7d`. */
export function clockNow(): Now {
  return { time: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() };
}
