// What a provider's prompt cache can serve of each request, by its documented rules (cacheRules.ts), if caching is on.
// Choices where documentation is silent, or a transcript is:
// - Entries stay known until a request differs before their end; a history that comes back later is not found again.
// - A hit makes all entries live on that what is read begins with: their content is used.
// - A request begins when the last message before it is there. Where that has no time, it comes in time.
// - Where marks are not recorded, a breakpoint is at the end of every request, and one behind the system prompt, as
//   automatic caching and the tools do it (cachePoints.ts).
// Tools and system prompt stand before the messages, in this order, and are the beginning of what requests have in common.
import type { CacheTtl } from '../model/cacheMark.ts';
import type { CallPointFigures } from '../projection/callPointSums.ts';
import { CacheEntries, type CacheEntry } from './cacheEntries.ts';
import { AT_THE_END, type Breakpoint, type CachePoints, requestPoints } from './cachePoints.ts';
import { type CacheRule, servedTokens } from './cacheRules.ts';
import { inputCost, servedInput } from './money.ts';
import { writtenBreakpoints } from './openaiBreakpoints.ts';
import { type Price, priceAt } from './prices.ts';
import type { CacheLoss, CachePoint } from './types.ts';

/** A request's figures as the follower needs them. */
export type RequestFigures = Pick<CallPointFigures, 'prefix' | 'byCategory' | 'blocks'> &
  Partial<Pick<CallPointFigures, 'marks' | 'loaded'>>;

/** Of a provider that goes by content: the last request, its use and its end in milliseconds; null = not known. */
interface Whole extends CacheEntry {
  readonly expires: number | null;
}

/** What the cache makes of one request. Unit: tokens. */
interface Served {
  readonly served: number;
  readonly written: number;
  /** What would have been read, had the request only grown. */
  readonly readable: number;
  readonly loss: Omit<CacheLoss, 'cost'> | null;
  readonly known: CachePoint['points'];
  /** What is written lives so long. */
  readonly ttl: CacheTtl;
}

const EVERYTHING: CacheRule = {
  provider: 'openai',
  minimum: 0,
  step: 1,
  matching: 'content',
  lookback: null,
  lifetime: { '5m': Number.POSITIVE_INFINITY, '1h': Number.POSITIVE_INFINITY },
  refreshed: true,
  automatic: true,
};

const NO_MARKS: CallPointFigures['marks'] = [];

/** Follows the requests of a session, in order, and says what the cache serves of each. */
export class CacheFollower {
  readonly #rule: CacheRule;
  readonly #price: Price | null;
  readonly #overheadTokens: number;
  readonly #points: CachePoints;
  /** Beginnings of the last request that were written to the cache. */
  readonly #entries: CacheEntries;
  #last: Whole | null = null;
  #paid = 0;
  /** What the input of the last request costs; 0 without a price. US dollars. */
  spent = 0;

  /** `overheadTokens` = of tools and system prompt: the same in every request. No rule: all that is in common is served. */
  constructor(rule: CacheRule | null, price: Price | null, overheadTokens = 0, points: CachePoints = AT_THE_END) {
    this.#rule = rule ?? EVERYTHING;
    this.#price = price;
    this.#overheadTokens = overheadTokens;
    this.#points = points;
    this.#entries = new CacheEntries(this.#rule.lifetime);
  }

  /** What the input of all requests so far costs, in US dollars; null without a price. */
  get paid(): number | null {
    return this.#price && this.#paid;
  }

  /** The next request's figures; null at the first. `time` = when it was made, in milliseconds; null = in time. */
  next(
    { prefix, byCategory, blocks, marks = NO_MARKS, loaded }: RequestFigures,
    time: number | null = null,
  ): CachePoint | null {
    const { overheadBlocks } = this.#points;
    const total = byCategory.reduce((sum, tokens) => sum + tokens, this.#overheadTokens + (loaded?.tokens ?? 0));
    const common = {
      tokens: prefix === null ? 0 : this.#overheadTokens + prefix.tokens,
      blocks: prefix === null ? 0 : overheadBlocks + prefix.blocks,
    };
    const whole = { tokens: total, blocks: blocks + overheadBlocks };
    const found = this.#isByContent()
      ? this.#byContent(common, whole, time)
      : this.#byPoints(common, whole, marks, time);
    const { served, readable, loss } = found;
    this.spent =
      this.#price === null ? 0 : inputCost(this.#price, servedInput(total, served, found.written, found.ttl));
    this.#paid += this.spent;
    if (prefix === null) return null;
    const paid = Math.min(common.tokens + prefix.again, total, readable);
    const again = Math.max(0, paid - served - (loss?.tokens ?? 0));
    return {
      prefixMessages: prefix.messages,
      prefixTokens: common.tokens,
      servedTokens: served,
      writtenTokens: found.written,
      againTokens: prefix.again,
      brokenBy: prefix.brokenBy,
      cost: this.#price && (prefix.brokenBy === null ? 0 : this.#cost(again, total, found.ttl)),
      points: found.known,
      loss: loss && { ...loss, cost: this.#price && this.#cost(loss.tokens, total, found.ttl) },
    };
  }

  #isByContent(): boolean {
    return this.#rule.matching === 'content';
  }

  // One entry: the last request, as far as it can be cached.
  #byContent(common: Omit<Breakpoint, 'ttl'>, whole: Omit<Breakpoint, 'ttl'>, time: number | null): Served {
    const { ttl, mode } = this.#points;
    const last = this.#last;
    const isAlive = last !== null && alive(last, time);
    const inTime = last === null ? 0 : servedTokens(Math.min(common.tokens, last.tokens), this.#rule);
    const served = isAlive ? inTime : 0;
    const expires = this.#rule.refreshed || served === 0 ? this.#expiry(ttl, time) : (last?.expires ?? null);
    this.#last = mode === 'none' ? null : { ...whole, ttl, used: time, expires };
    return {
      served,
      written: mode === 'none' ? 0 : Math.max(0, servedTokens(whole.tokens, this.#rule) - served),
      readable: isAlive ? servedTokens(last.tokens, this.#rule) : 0,
      loss: last === null || inTime === served ? null : this.#lossByTime(last, inTime, time),
      known: mode === 'none' ? 'none' : 'automatic',
      ttl,
    };
  }

  #byPoints(
    common: Omit<Breakpoint, 'ttl'>,
    whole: Omit<Breakpoint, 'ttl'>,
    marks: CallPointFigures['marks'],
    time: number | null,
  ): Served {
    const { known, points } = this.#breakpoints(marks, whole);
    const end = points.at(-1);
    const before = this.#entries.last(time);
    const readable = end === undefined || before === null || !this.#isNear(end, before) ? 0 : before.tokens;
    this.#entries.cut(common);
    if (this.#rule.latest !== undefined) this.#entries.keepLatest(this.#rule.latest);
    const inTime = this.#longest(points);
    this.#entries.expire(time);
    const hit = this.#longest(points);
    const served = hit?.tokens ?? 0;
    const loss = this.#lossOf(inTime, end, served, time);
    if (hit !== null && this.#rule.refreshed && time !== null) this.#entries.use(hit, time);
    for (const point of points) if (point.tokens >= this.#rule.minimum) this.#entries.write(point, time);
    const writes = end !== undefined && end.tokens >= this.#rule.minimum;
    return {
      served,
      written: writes ? Math.max(0, end.tokens - served) : 0,
      readable,
      loss,
      known,
      ttl: end?.ttl ?? this.#points.ttl,
    };
  }

  #breakpoints(marks: CallPointFigures['marks'], whole: Omit<Breakpoint, 'ttl'>) {
    const { known, points } = requestPoints(this.#points, marks, whole, this.#overheadTokens);
    if (!this.#rule.automatic || this.#points.mode === 'none') return { known, points };
    const { mode = 'implicit', ttl = '5m' } = this.#points.options ?? {};
    // Without a time of its own a breakpoint lives as long as the request asks for.
    const timed = ttl === '5m' ? points : points.map((point) => ({ ...point, ttl }));
    if (mode === 'explicit' && this.#points.mode !== 'end' && this.#points.mode !== 'end1h') {
      const written = known === 'recorded' ? writtenBreakpoints(timed, mode) : [];
      return { known: written.length > 0 ? known : ('none' as const), points: written };
    }
    // The provider's own breakpoint at the end takes one of the places.
    const own = writtenBreakpoints(
      timed.filter(({ tokens }) => tokens < whole.tokens),
      'implicit',
    );
    const isRecorded = own.length > 0 && known === 'recorded';
    const asked = this.#points.mode === 'end' || this.#points.mode === 'end1h' || !this.#points.options;
    return {
      known: isRecorded ? known : ('automatic' as const),
      points: [...(isRecorded ? own : []), { ...whole, ttl: asked ? this.#points.ttl : ttl }],
    };
  }

  #isNear(point: Breakpoint, entry: CacheEntry): boolean {
    const { lookback } = this.#rule;
    return lookback === null || point.blocks - entry.blocks < lookback;
  }

  /** The longest entry that a breakpoint finds. */
  #longest(points: readonly Breakpoint[]): CacheEntry | null {
    let longest: CacheEntry | null = null;
    for (const point of points) {
      const found = this.#entries.upTo(point);
      if (found === null || !this.#isNear(point, found)) continue;
      if (found.tokens > (longest?.tokens ?? 0)) longest = found;
    }
    return longest;
  }

  // `inTime` = what would have been found, had nothing run out.
  #lossOf(inTime: CacheEntry | null, end: Breakpoint | undefined, served: number, time: number | null): Served['loss'] {
    if (inTime !== null && inTime.tokens > served) return this.#lossByTime(inTime, inTime.tokens - served, time);
    const last = this.#entries.last(time);
    if (last === null || end === undefined || last.tokens <= served || last.tokens > end.tokens) return null;
    return { why: 'reach', tokens: last.tokens - served, gapMs: null, lifetimeMs: null };
  }

  #lossByTime({ used, ttl }: CacheEntry, tokens: number, time: number | null): Served['loss'] {
    const gapMs = used === null || time === null ? null : time - used;
    return { why: 'time', tokens, gapMs, lifetimeMs: this.#rule.lifetime[ttl] };
  }

  #expiry(ttl: CacheTtl, time: number | null): number | null {
    return time === null ? null : time + this.#rule.lifetime[ttl];
  }

  // They would have been read from the cache; now they are written to it again.
  #cost(tokens: number, total: number, ttl: CacheTtl): number {
    if (this.#price === null) return 0;
    const { cacheWrite, cacheWrite1h = cacheWrite, cachedRead } = priceAt(this.#price, total);
    return (tokens * Math.max(0, (ttl === '1h' ? cacheWrite1h : cacheWrite) - cachedRead)) / 1e6;
  }
}

function alive({ expires }: Whole, time: number | null): boolean {
  return expires === null || time === null || time <= expires;
}
