// How much a request held, as recorded. Providers count differently: Anthropic's input leaves out what was read from or
// written to the cache, OpenAI's and Gemini's holds it. Formats keep the numbers as they were; the numbers tell.
import type { Usage } from '../../model/message.ts';

/** Whether recorded inputs hold what was read from the cache. */
export function includesCache(usages: readonly Usage[]): boolean {
  if (usages.some(({ input = 0, cacheRead = 0 }) => cacheRead > input)) return false;
  for (const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, total } of usages) {
    if (total === undefined || cacheRead + cacheWrite === 0) continue;
    if (total >= input + output + cacheRead + cacheWrite) return false;
  }
  return true;
}

/** All tokens of a request's input; null if none are recorded. */
export function inputOf({ input, cacheRead = 0, cacheWrite = 0 }: Usage, includes: boolean): number | null {
  if (input === undefined) return null;
  const all = includes ? input : input + cacheRead + cacheWrite;
  return all > 0 ? all : null;
}
