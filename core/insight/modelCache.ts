// What the provider of one model keeps of a session's requests, by its documented rules (cacheRules.ts).
import type { CacheTtl } from '../model/cacheMark.ts';
import type { CallPointFigures } from '../projection/callPointSums.ts';
import { CacheEntries, type CacheEntry } from './cacheEntries.ts';
import { type Breakpoint, type CachePoints, requestPoints } from './cachePoints.ts';
import { type CacheRule, servedTokens } from './cacheRules.ts';
import { writtenBreakpoints } from './openaiBreakpoints.ts';
import type { Place } from './sharedSince.ts';
import type { CacheLoss, CachePoint } from './types.ts';

/** A request as a cache sees it. */
export interface CachedRequest {
  /** What it has in common with the request before it, whichever model that went to. */
  readonly common: Place;
  readonly whole: Place;
  readonly marks: CallPointFigures['marks'];
  /** When it was made, in milliseconds; null = in time. */
  readonly time: number | null;
}

/** What a cache finds of a request. Unit: tokens. */
export interface Found {
  readonly served: number;
  readonly loss: Omit<CacheLoss, 'cost'> | null;
}

/** What the cache makes of one request. Unit: tokens. */
export interface Served extends Found {
  readonly written: number;
  /** What would have been read, had the request only grown. */
  readonly readable: number;
  readonly known: CachePoint['points'];
  /** What is written lives so long. */
  readonly ttl: CacheTtl;
}

/** Of a provider that goes by content: the last request, its use and its end in milliseconds; null = not known. */
interface Whole extends CacheEntry {
  readonly expires: number | null;
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

/** The cache of one model over the requests that it answers, in order. */
export class ModelCache {
  readonly #rule: CacheRule;
  readonly #points: CachePoints;
  readonly #overheadTokens: number;
  /** Beginnings of its last request that were written. */
  readonly #entries: CacheEntries;
  #last: Whole | null = null;

  /** `overheadTokens` = of tools and system prompt. No rule: all that is in common is served. */
  constructor(rule: CacheRule | null, points: CachePoints, overheadTokens: number) {
    this.#rule = rule ?? EVERYTHING;
    this.#points = points;
    this.#overheadTokens = overheadTokens;
    this.#entries = new CacheEntries(this.#rule.lifetime);
  }

  /** Forgets what is longer: requests of other models have left it since. */
  cut(place: Place): void {
    this.#entries.cut(place);
    const last = this.#last;
    if (last === null || last.tokens <= place.tokens) return;
    this.#last = { ...last, tokens: place.tokens, blocks: Math.min(last.blocks, place.blocks) };
  }

  /** The next request that the model answers. */
  request(request: CachedRequest): Served {
    return this.#isByContent() ? this.#byContent(request) : this.#byPoints(request);
  }

  /** What it would find of a request that another model answers: the next one after its own. */
  find({ common, whole, marks, time }: CachedRequest): Found {
    if (this.#isByContent()) return this.#foundByContent(common, time);
    const { points } = this.#breakpoints(marks, whole);
    const { inTime, hit } = this.#lookUp(points, common, time);
    const served = hit?.tokens ?? 0;
    const late = inTime !== null && inTime.tokens > served;
    return { served, loss: late ? this.#lossByTime(inTime, inTime.tokens - served, time) : null };
  }

  #isByContent(): boolean {
    return this.#rule.matching === 'content';
  }

  #foundByContent(common: Place, time: number | null): Found {
    const last = this.#last;
    const inTime = last === null ? 0 : servedTokens(Math.min(common.tokens, last.tokens), this.#rule);
    const served = last !== null && alive(last, time) ? inTime : 0;
    return { served, loss: last === null || inTime === served ? null : this.#lossByTime(last, inTime, time) };
  }

  // One entry: the last request, as far as it can be cached.
  #byContent({ common, whole, time }: CachedRequest): Served {
    const { ttl, mode } = this.#points;
    const last = this.#last;
    const { served, loss } = this.#foundByContent(common, time);
    const expires = this.#rule.refreshed || served === 0 ? this.#expiry(ttl, time) : (last?.expires ?? null);
    this.#last = mode === 'none' ? null : { ...whole, ttl, used: time, expires };
    return {
      served,
      written: mode === 'none' ? 0 : Math.max(0, servedTokens(whole.tokens, this.#rule) - served),
      readable: last !== null && alive(last, time) ? servedTokens(last.tokens, this.#rule) : 0,
      loss,
      known: mode === 'none' ? 'none' : 'automatic',
      ttl,
    };
  }

  #byPoints({ common, whole, marks, time }: CachedRequest): Served {
    const { known, points } = this.#breakpoints(marks, whole);
    const end = points.at(-1);
    const before = this.#entries.last(time);
    const readable = end === undefined || before === null || !this.#isNear(end, before) ? 0 : before.tokens;
    const { inTime, hit } = this.#lookUp(points, common, time);
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

  // `inTime` = what would be found, had nothing run out. What has, or is not in common any more, is forgotten.
  #lookUp(points: readonly Breakpoint[], common: Place, time: number | null) {
    this.#entries.cut(common);
    if (this.#rule.latest !== undefined) this.#entries.keepLatest(this.#rule.latest);
    const inTime = this.#longest(points);
    this.#entries.expire(time);
    return { inTime, hit: this.#longest(points) };
  }

  #breakpoints(marks: CallPointFigures['marks'], whole: Place) {
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
  #lossOf(inTime: CacheEntry | null, end: Breakpoint | undefined, served: number, time: number | null): Found['loss'] {
    if (inTime !== null && inTime.tokens > served) return this.#lossByTime(inTime, inTime.tokens - served, time);
    const last = this.#entries.last(time);
    if (last === null || end === undefined || last.tokens <= served || last.tokens > end.tokens) return null;
    return { why: 'reach', tokens: last.tokens - served, gapMs: null, lifetimeMs: null };
  }

  #lossByTime({ used, ttl }: CacheEntry, tokens: number, time: number | null): Found['loss'] {
    const gapMs = used === null || time === null ? null : time - used;
    return { why: 'time', tokens, gapMs, lifetimeMs: this.#rule.lifetime[ttl] };
  }

  #expiry(ttl: CacheTtl, time: number | null): number | null {
    return time === null ? null : time + this.#rule.lifetime[ttl];
  }
}

function alive({ expires }: Whole, time: number | null): boolean {
  return expires === null || time === null || time <= expires;
}
