// What the check needs of each request. The history before a call point is that of its era: what the runtime held when
// the era began, and the messages since. So one projection an era is enough, however many requests there are.
import type { MessageMeta } from '../../model/message.ts';
import { effectiveFrom, type RecordedCompaction } from '../../model/transcript.ts';
import { compactedOnTheWay } from './input.ts';
import type { RequestRecord } from './types.ts';

/** A stretch of requests between compactions: its first call point, and the tokens of the history there. */
export interface CountedEra {
  readonly from: number;
  readonly tokens: number;
}

/** The call points at which the history is to be projected as recorded and counted, ascending; the first is 0. */
export function eraStarts(compactions: readonly RecordedCompaction[], length: number): readonly number[] {
  const starts = compactions.map(effectiveFrom).filter((at) => at <= length);
  return [...new Set([0, ...starts])].sort((a, b) => a - b);
}

/** How messages are counted: tokens of the raw messages [from, to). */
export type CountRange = (from: number, to: number) => number;

/** The record of the request answered by message `at`; null if it records no input, is not a provider's answer, or was
 * given to something else than the history: to what a compaction on the way had left of it. */
export function requestRecord(
  at: number,
  meta: MessageMeta,
  eras: readonly CountedEra[],
  count: CountRange,
): RequestRecord | null {
  const { usage, timestamp, model, apiError, effort, speed, cacheDiagnosis: diagnosis, id } = meta;
  if (usage?.input === undefined || apiError === true || compactedOnTheWay(usage)) return null;
  const era = eras.findLastIndex(({ from }) => from <= at);
  const { from, tokens } = eras[era] ?? { from: 0, tokens: 0 };
  return {
    at,
    usage,
    history: tokens + count(from, at),
    answer: count(at, at + 1),
    era,
    ...(timestamp !== undefined && { timestamp }),
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(speed !== undefined && { speed }),
    ...(diagnosis !== undefined && { diagnosis }),
    ...(id !== undefined && { id }),
  };
}
