// How much a request held, as recorded. Providers count differently: Anthropic's input leaves out what was read from or
// written to the cache, OpenAI's and Gemini's holds it. Formats keep the numbers as they were; the numbers show which.
import type { Usage, UsageFigures } from '../../model/message.ts';

/** Whether recorded inputs hold what was read from the cache. */
export function includesCache(usages: Iterable<Usage>): boolean {
  // One that says no is enough: of a long session with such answers only the first few are read.
  for (const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, reasoning = 0, total } of usages) {
    if (cacheRead > input) return false;
    const cached = cacheRead + cacheWrite;
    if (total === undefined || cached === 0) continue;
    // Thinking may be in the total beside the output: then it is not the cache that makes it larger.
    const rest = total - input - output;
    if (rest >= cached + reasoning || (rest === cached && rest !== reasoning)) return false;
  }
  return true;
}

/**
 * What is recorded of the request that a history was sent with. Of an answer that took several turns the first: the sum
 * of all is not a size of a context, and a compaction's own request even less.
 */
export function promptOf(usage: Usage): UsageFigures {
  return usage.requests?.find(({ kind }) => kind === 'message') ?? usage;
}

/** True if the provider compacted what it was sent on the way to this answer: the answer's prompt is not the history. */
export function compactedOnTheWay({ requests = [] }: Usage): boolean {
  return requests.some(({ kind }) => kind === 'compaction');
}

/** All tokens of a request's input; null if none are recorded. */
export function inputOf(usage: Usage, includes: boolean): number | null {
  return sizeOf(promptOf(usage), includes);
}

/** The same of figures of one request. */
export function sizeOf({ input, cacheRead = 0, cacheWrite = 0 }: UsageFigures, includes: boolean): number | null {
  if (input === undefined) return null;
  const all = includes ? input : input + cacheRead + cacheWrite;
  return all > 0 ? all : null;
}

/** All tokens of an answer, thinking included; null if none are recorded. Gemini counts its thinking apart from its output. */
export function outputOf({ input = 0, output, reasoning = 0, total = 0 }: UsageFigures): number | null {
  if (output === undefined) return null;
  return reasoning > 0 && total >= input + output + reasoning ? output + reasoning : output;
}
