import type { MessageFacts } from '../../model/message.ts';
import type { TokenCounter } from '../../tokens/counters.ts';
import type { ImageRule } from '../../tokens/images.ts';
import { type PartTokenCounts, partTokens } from '../../tokens/partTokens.ts';
import { safeCut } from '../../tokens/split.ts';

/** Longer texts are counted in slices: a line of 200 MB takes more than a minute, and others want their turn. */
const SLICE_CHARS = 200_000;

/** As partTokens, with long texts counted slice by slice; `between` is awaited before each. */
export async function partTokensInSlices(
  message: unknown,
  facts: MessageFacts,
  counter: TokenCounter,
  images: ImageRule,
  between: () => Promise<void>,
): Promise<PartTokenCounts> {
  const long: string[] = [];
  const collecting = counterWith(counter, (text) => {
    long.push(text);
    return 0;
  });
  partTokens(message, facts, collecting, images);
  const counts: number[] = [];
  for (const text of long) counts.push(await countInSlices(text, counter, between));
  let next = 0;
  const counted = counterWith(counter, () => counts[next++] ?? 0);
  return partTokens(message, facts, counted, images);
}

/** The counter, with another way for long texts. An estimate is quick as it is. */
function counterWith({ id, exact, count }: TokenCounter, countLong: (text: string) => number): TokenCounter {
  return { id, exact, count: (text) => (exact && text.length > SLICE_CHARS ? countLong(text) : count(text)) };
}

async function countInSlices(text: string, counter: TokenCounter, between: () => Promise<void>): Promise<number> {
  let total = 0;
  for (let from = 0; from < text.length; ) {
    await between();
    const to = safeCut(text, from, from + SLICE_CHARS);
    total += counter.count(text.slice(from, to));
    from = to;
  }
  return total;
}
