// What a provider's prompt cache can serve of each request, by the rules that are documented, if every request comes in
// time (5 minutes; 30 for newer models of OpenAI) and caching is on. Sources, as read on 2026-11-20:
// - Anthropic, platform.claude.com/docs/en/build-with-claude/prompt-caching: content is cached up to a breakpoint, at most
//   four a request; automatic caching keeps one at the last block and moves it on. A request finds what an earlier one
//   wrote up to its own breakpoint, looking back 20 blocks at most. Below a length by model nothing is cached.
// - OpenAI, developers.openai.com/api/docs/guides/prompt-caching and its cookbook "Prompt Caching 201": automatic from
//   1,024 tokens on; before GPT-5.6 hits come in steps of 128 tokens.
// - Google, ai.google.dev/gemini-api/docs/caching: implicit from 1,024 tokens (2.5 Pro 2,048).
// A breakpoint is taken to stand at the end of every request, moved on from one to the next, as automatic caching and the
// tools do it: marks that a transcript records are those of one request. Entries stay valid until a request differs before
// their end; of those the longest within reach is served.
// Tools and system prompt stand before the messages, in this order, and are the beginning of what requests have in common.
import type { CallPointFigures } from '../projection/allCallPoints.ts';
import { bareModelId } from '../tokens/models.ts';
import type { Price } from './prices.ts';
import type { CachePoint } from './types.ts';

/** How a provider caches. Unit: tokens, blocks. */
export interface CacheRule {
  readonly provider: 'anthropic' | 'openai' | 'google';
  /** Shorter beginnings are not cached. */
  readonly minimum: number;
  /** Hits grow in steps of this size behind the minimum. */
  readonly step: number;
  /** How many blocks before its breakpoint a request looks for what was written; null = matching is by content alone. */
  readonly lookback: number | null;
}

const anthropic = (pattern: RegExp, minimum: number) =>
  ({ pattern, provider: 'anthropic', minimum, step: 1, lookback: 20 }) as const;
const openai = (pattern: RegExp, step: number) =>
  ({ pattern, provider: 'openai', minimum: 1024, step, lookback: null }) as const;
const google = (pattern: RegExp, minimum: number) =>
  ({ pattern, provider: 'google', minimum, step: 1, lookback: null }) as const;

const RULES: readonly (CacheRule & { readonly pattern: RegExp })[] = [
  anthropic(/^claude-(opus|fable|mythos)-5($|\D)/, 512),
  anthropic(/^claude-opus-4-7/, 2048),
  anthropic(/^claude-(opus-4-[56]|haiku-4-5)/, 4096),
  anthropic(/^claude-3(-5)?-haiku/, 2048),
  anthropic(/^claude/, 1024),
  openai(/^gpt-(5\.[6-9]|[6-9])/, 1),
  openai(/^(gpt-|o\d|chatgpt|codex)/, 128),
  google(/^gemini-2\.5-pro/, 2048),
  google(/^gemini/, 1024),
];

/** The rule for a model; null = not known: then whatever requests have in common counts as served. */
export function cacheRuleOf(model: string | null): CacheRule | null {
  const id = bareModelId(model ?? '');
  const found = RULES.find(({ pattern }) => pattern.test(id));
  if (found === undefined) return null;
  const { provider, minimum, step, lookback } = found;
  return { provider, minimum, step, lookback };
}

/** The tokens of a common beginning that a rule without breakpoints serves. */
export function servedTokens(prefix: number, { minimum, step }: Pick<CacheRule, 'minimum' | 'step'>): number {
  return prefix < minimum ? 0 : minimum + Math.floor((prefix - minimum) / step) * step;
}

/** Follows the requests of a session, in order, and tells what the cache serves of each. */
export class CacheFollower {
  readonly #rule: CacheRule | null;
  readonly #price: Price | null;
  readonly #besideTokens: number;
  /** Ends of earlier requests that are beginnings of the last one, ascending: what was written to the cache. */
  readonly #written: { readonly tokens: number; readonly blocks: number }[] = [];

  /** `besideTokens` = of tools and system prompt: the same in every request. */
  constructor(rule: CacheRule | null, price: Price | null, besideTokens = 0) {
    this.#rule = rule;
    this.#price = price;
    this.#besideTokens = besideTokens;
  }

  /** The next request's figures; null at the first. */
  next({ prefix, byCategory, blocks }: Pick<CallPointFigures, 'prefix' | 'byCategory' | 'blocks'>): CachePoint | null {
    const total = byCategory.reduce((sum, tokens) => sum + tokens, this.#besideTokens);
    const tokens = prefix === null ? 0 : this.#besideTokens + prefix.tokens;
    while ((this.#written.at(-1)?.tokens ?? 0) > tokens) this.#written.pop();
    const served = this.#served(tokens, blocks);
    this.#written.push({ tokens: total, blocks });
    if (prefix === null) return null;
    const { brokenBy } = prefix;
    const paidAgain = Math.max(0, Math.min(tokens + prefix.again, total) - served);
    return {
      prefixMessages: prefix.messages,
      prefixTokens: tokens,
      servedTokens: served,
      againTokens: prefix.again,
      brokenBy,
      cost: this.#price && (brokenBy === null ? 0 : this.#cost(paidAgain, this.#price)),
    };
  }

  #served(prefix: number, blocks: number): number {
    const rule = this.#rule;
    if (rule === null) return prefix;
    if (rule.lookback === null) return servedTokens(prefix, rule);
    const end = this.#written.at(-1);
    if (end === undefined || blocks - end.blocks > rule.lookback) return 0;
    return end.tokens < rule.minimum ? 0 : end.tokens;
  }

  // They would have been read from the cache; now they are written to it again.
  #cost(tokens: number, { cacheWrite, cachedRead }: Price): number {
    return (tokens * Math.max(0, cacheWrite - cachedRead)) / 1e6;
  }
}
