// Which breakpoints of a request OpenAI writes to its cache from GPT-5.6 on, and which it looks at. Source:
// developers.openai.com/api/docs/guides/prompt-caching, and types of openai 7.55.0 (read 2026-11-22).
import type { CacheTtl } from '../model/cacheMark.ts';
import { MOST_MARKS } from '../projection/callPointSums.ts';
import { isRecord, recordAt, stringAt } from '../util/unknown.ts';
import { LATEST_BREAKPOINTS } from './cacheRules.ts';

/** How a request asks for caching. `explicit`: only at its own breakpoints; `implicit`: at its end too. */
export interface PromptCacheOptions {
  readonly mode: 'implicit' | 'explicit';
  /** What its breakpoints live without their own time. */
  readonly ttl: CacheTtl;
}

/** The options of a request's settings, by default as OpenAI takes them. */
export function promptCacheOptions(settings: unknown): PromptCacheOptions {
  const options = (isRecord(settings) ? recordAt(settings, 'prompt_cache_options') : undefined) ?? {};
  return {
    mode: stringAt(options, 'mode') === 'explicit' ? 'explicit' : 'implicit',
    ttl: stringAt(options, 'ttl') === '12h' ? '1h' : '5m',
  };
}

/** Of a request's own breakpoints, in order, those that are written: four, of which the end is one if it is implicit. */
export function writtenBreakpoints<T>(own: readonly T[], mode: PromptCacheOptions['mode']): readonly T[] {
  return mode === 'explicit' ? own.slice(-MOST_MARKS) : own.slice(1 - MOST_MARKS);
}

/** Those that are looked at: the latest of the conversation, however far back. */
export function lookedUpBreakpoints<T>(own: readonly T[]): readonly T[] {
  return own.slice(-LATEST_BREAKPOINTS);
}
