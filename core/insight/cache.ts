// What a provider's prompt cache can serve of each request, by its documented rules (cacheRules.ts), if caching is on.
// Choices where documentation is silent, or a transcript is:
// - Entries stay known until a request differs before their end; a history that comes back later is not found again.
// - Each model has separate entries: a request finds what requests of its model wrote. What the model before would have
//   served, had it gone on, is lost by the change.
// - A hit makes all entries live on that what is read begins with: their content is used.
// - A request begins when the last message before it is there. Where that has no time, it comes in time.
// - Where marks are not recorded, a breakpoint is at the end of every request, and one behind the system prompt, as
//   automatic caching and the tools do it (cachePoints.ts).
// Tools and system prompt stand before the messages, in this order, and are the beginning of what requests have in common.
import type { CacheTtl } from '../model/cacheMark.ts';
import type { CallPointFigures } from '../projection/callPointSums.ts';
import { AT_THE_END, type CachePoints } from './cachePoints.ts';
import { type CachedRequest, type Found, ModelCache, type Served } from './modelCache.ts';
import { inputCost, servedInput } from './money.ts';
import { type Price, priceAt } from './prices.ts';
import type { ModelTerms, Pricing } from './pricing.ts';
import { SharedSince } from './sharedSince.ts';
import type { CachePoint } from './types.ts';

/** A request's figures as the follower needs them. */
export type RequestFigures = Pick<CallPointFigures, 'at' | 'prefix' | 'byCategory' | 'blocks'> &
  Partial<Pick<CallPointFigures, 'marks' | 'loaded'>>;

/** The cache of a model, and the last request that it answered. */
interface Followed {
  readonly terms: ModelTerms;
  readonly cache: ModelCache;
  last: number;
}

const NO_MARKS: CallPointFigures['marks'] = [];

/** Follows the requests of a session, in order, and says what the cache serves of each. */
export class CacheFollower {
  readonly #pricing: Pricing;
  readonly #overheadTokens: number;
  readonly #points: CachePoints;
  readonly #caches = new Map<ModelTerms, Followed>();
  readonly #shared = new SharedSince();
  /** That of the request before. */
  #before: Followed | null = null;
  #requests = 0;
  /** What the input of the last request costs, in US dollars; null = its price is not known. */
  spent: number | null = null;

  /** `overheadTokens` = of tools and system prompt: the same in every request. */
  constructor(pricing: Pricing, overheadTokens = 0, points: CachePoints = AT_THE_END) {
    this.#pricing = pricing;
    this.#overheadTokens = overheadTokens;
    this.#points = points;
  }

  /** The next request's figures; null at the first. `time` = when it was made, in milliseconds; null = in time. */
  next(
    { at, prefix, byCategory, blocks, marks = NO_MARKS, loaded }: RequestFigures,
    time: number | null = null,
  ): CachePoint | null {
    const { overheadBlocks } = this.#points;
    const total = byCategory.reduce((sum, tokens) => sum + tokens, this.#overheadTokens + (loaded?.tokens ?? 0));
    const common = {
      tokens: prefix === null ? 0 : this.#overheadTokens + prefix.tokens,
      blocks: prefix === null ? 0 : overheadBlocks + prefix.blocks,
    };
    const whole = { tokens: total, blocks: blocks + overheadBlocks };
    const { price, found, loss } = this.#follow(at, { common, whole, marks, time });
    const { served } = found;
    this.spent = price && inputCost(price, servedInput(total, served, found.written, found.ttl));
    if (prefix === null) return null;
    const paid = Math.min(common.tokens + prefix.again, total, found.readable);
    const again = Math.max(0, paid - served - (loss?.tokens ?? 0));
    return {
      prefixMessages: prefix.messages,
      prefixTokens: common.tokens,
      servedTokens: served,
      writtenTokens: found.written,
      againTokens: prefix.again,
      brokenBy: prefix.brokenBy,
      cost: price && (prefix.brokenBy === null ? 0 : writtenAgain(price, again, total, found.ttl)),
      points: found.known,
      loss: loss && { ...loss, cost: price && writtenAgain(price, loss.tokens, total, found.ttl) },
    };
  }

  #follow(
    at: number,
    request: CachedRequest,
  ): { readonly price: Price | null; readonly found: Served; readonly loss: Found['loss'] } {
    const own = this.#ownOf(this.#pricing.at(at));
    const before = this.#before;
    const kept = this.#shared.since(own.last);
    if (kept !== null) own.cache.cut(kept);
    this.#shared.add(this.#requests, request.common);
    const found = own.cache.request(request);
    own.last = this.#requests++;
    this.#before = own;
    const { price } = own.terms;
    if (before === null || before === own) return { price, found, loss: found.loss };
    return { price, found, loss: lossByChange(before, own, request, found) };
  }

  #ownOf(terms: ModelTerms): Followed {
    const known = this.#caches.get(terms);
    if (known !== undefined) return known;
    const cache = new ModelCache(terms.rule, this.#points, this.#overheadTokens);
    const made = { terms, cache, last: this.#requests };
    this.#caches.set(terms, made);
    return made;
  }
}

// What the model before would have served, had it gone on. Where its time was over too, the change is innocent.
function lossByChange(before: Followed, own: Followed, request: CachedRequest, found: Found): Found['loss'] {
  const { served, loss } = before.cache.find(request);
  if (served > found.served) {
    const changed = { from: before.terms.model, to: own.terms.model };
    return { why: 'model', tokens: served - found.served, gapMs: null, lifetimeMs: null, changed };
  }
  const late = loss === null ? 0 : served + loss.tokens - found.served;
  return loss !== null && late > (found.loss?.tokens ?? 0) ? { ...loss, tokens: late } : found.loss;
}

// They would have been read from the cache; now they are written to it again.
function writtenAgain(price: Price, tokens: number, total: number, ttl: CacheTtl): number {
  const { cacheWrite, cacheWrite1h = cacheWrite, cachedRead } = priceAt(price, total);
  return (tokens * Math.max(0, (ttl === '1h' ? cacheWrite1h : cacheWrite) - cachedRead)) / 1e6;
}
