// Marks of a prompt cache as requests carry them: "cache all up to here".
import { isRecord, ownAt, stringAt } from '../util/unknown.ts';

/**
 * How long what a mark writes lives unless it is used: the shorter time a provider offers, or the longer one where that was
 * asked for. Named after Anthropic's; OpenAI's from GPT-5.6 on are 30 minutes and 12 hours (core/insight/cacheRules.ts).
 */
export type CacheTtl = '5m' | '1h';

/**
 * The mark a block, message, tool or body carries itself; null = none. Anthropic: `cache_control` with `ttl`
 * (platform.claude.com/docs/en/build-with-claude/prompt-caching); the same on OpenAI-compatible bodies. OpenAI from
 * GPT-5.6 on: `prompt_cache_breakpoint`, with a `ttl` of its own or without (developers.openai.com/api/docs/guides/
 * prompt-caching; types of openai 7.55.0). Read 2026-11-22.
 */
export function ownCacheMark(node: unknown): CacheTtl | null {
  if (!isRecord(node)) return null;
  const mark = ownAt(node, 'cache_control');
  if (isRecord(mark)) return stringAt(mark, 'ttl') === '1h' ? '1h' : '5m';
  const point = ownAt(node, 'prompt_cache_breakpoint');
  if (!isRecord(point)) return null;
  return stringAt(point, 'ttl') === '12h' ? '1h' : '5m';
}

/** The mark of a block, or of the blocks inside a result: the last one counts for the whole. */
export function cacheMarkOf(block: unknown): CacheTtl | null {
  const own = ownCacheMark(block);
  if (own !== null || !isRecord(block)) return own;
  const inner = ownAt(block, 'content');
  if (!Array.isArray(inner)) return null;
  for (let at = inner.length - 1; at >= 0; at--) {
    const mark = ownCacheMark(inner[at]);
    if (mark !== null) return mark;
  }
  return null;
}
