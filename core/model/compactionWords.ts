// browser-safe
// What a compaction's record says of it, in words: on the events' list, on marks of the timeline, in the reasons of outcomes.
import { countOf, grouped } from '../util/counts.ts';
import type { RecordedCompaction } from './transcript.ts';

/** `compaction (auto, 155,000 → 12,000 tokens)`: its name, and in parentheses what started it and its size, if recorded. */
export function compactionLine(
  name: string,
  facts: { readonly [Key in 'trigger' | 'preTokens' | 'postTokens']?: RecordedCompaction[Key] | undefined },
): string {
  const known = [facts.trigger, compactedSize(facts)].filter((fact) => fact !== undefined);
  return known.length === 0 ? name : `${name} (${known.join(', ')})`;
}

/** `155,000 → 12,000 tokens`; of one alone `155,000 tokens before`; undefined if neither is recorded. */
export function compactedSize({
  preTokens,
  postTokens,
}: {
  readonly preTokens?: number | undefined;
  readonly postTokens?: number | undefined;
}): string | undefined {
  if (preTokens === undefined) return postTokens === undefined ? undefined : `${countOf(postTokens, 'token')} after`;
  if (postTokens === undefined) return `${countOf(preTokens, 'token')} before`;
  return `${grouped(preTokens)} → ${countOf(postTokens, 'token')}`;
}
