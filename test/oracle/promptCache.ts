// The slow obvious prompt cache: it keeps the content of every prefix that was written, with its time.
import type { Breakpoint } from '../../core/insight/cachePoints.ts';
import type { CacheRule } from '../../core/insight/cacheRules.ts';
import { servedTokens } from '../../core/insight/cacheRules.ts';
import type { CacheTtl } from '../../core/model/cacheMark.ts';

/** A block of a request: what it says, and its tokens. */
export interface Block {
  readonly content: string;
  readonly tokens: number;
}

interface Kept {
  readonly tokens: number;
  readonly ttl: CacheTtl;
  expires: number;
}

/** What came of a request. Unit: tokens. */
export interface Simulated {
  readonly served: number;
  readonly written: number;
  /** Found, but its time was over. */
  readonly late: number;
}

/** A cache that keeps everything; prefixes are told apart by all of their content. */
export class PlainCache {
  readonly #rule: CacheRule;
  readonly #kept = new Map<string, Kept>();

  constructor(rule: CacheRule) {
    this.#rule = rule;
  }

  /** `time` null = nothing ever ends. */
  request(blocks: readonly Block[], points: readonly Breakpoint[], time: number | null): Simulated {
    const keys = [''];
    const sums = [0];
    for (const { content, tokens } of blocks) {
      keys.push(`${keys.at(-1)}|${content}`);
      sums.push((sums.at(-1) ?? 0) + tokens);
    }
    return this.#rule.matching === 'content'
      ? this.#byContent(keys, sums, time ?? 0)
      : this.#byPoints(keys, points, time ?? 0);
  }

  #byContent(keys: readonly string[], sums: readonly number[], time: number): Simulated {
    let [served, inTime] = [0, 0];
    for (const [at, key] of keys.entries()) {
      const kept = this.#kept.get(key);
      if (kept === undefined) continue;
      inTime = sums[at] ?? 0;
      if (time <= kept.expires) served = inTime;
    }
    const lifetime = this.#rule.lifetime['5m'];
    for (const [at, key] of keys.entries())
      this.#kept.set(key, { tokens: sums[at] ?? 0, ttl: '5m', expires: time + lifetime });
    const [found, late] = [servedTokens(served, this.#rule), servedTokens(inTime, this.#rule)];
    return {
      served: found,
      written: Math.max(0, servedTokens(sums.at(-1) ?? 0, this.#rule) - found),
      late: late - found,
    };
  }

  #byPoints(keys: readonly string[], points: readonly Breakpoint[], time: number): Simulated {
    const find = (isAlive: (kept: Kept) => boolean): number =>
      Math.max(0, ...points.map((point) => this.#find(point, keys, isAlive)));
    const served = find(({ expires }) => time <= expires);
    const inTime = find(() => true);
    const hit = keys.findLast((key) => this.#kept.get(key)?.tokens === served && served > 0);
    for (const [key, kept] of this.#kept) {
      if (kept.expires < time) this.#kept.delete(key);
      else if (hit?.startsWith(key) === true && this.#rule.refreshed)
        kept.expires = time + this.#rule.lifetime[kept.ttl];
    }
    for (const { tokens, blocks, ttl } of points) {
      const key = keys[blocks];
      if (key === undefined || tokens < this.#rule.minimum) continue;
      const known = this.#kept.get(key)?.ttl ?? ttl;
      const longer = known === '1h' ? known : ttl;
      this.#kept.set(key, { tokens, ttl: longer, expires: time + this.#rule.lifetime[longer] });
    }
    const end = points.at(-1)?.tokens ?? 0;
    const written = end >= this.#rule.minimum ? Math.max(0, end - served) : 0;
    return { served, written, late: inTime - served };
  }

  // From the breakpoint back, one block at a time, the breakpoint being the first.
  #find(point: Breakpoint, keys: readonly string[], isAlive: (kept: Kept) => boolean): number {
    const positions = this.#rule.lookback ?? keys.length;
    for (let back = 0; back < positions && point.blocks - back >= 0; back++) {
      const kept = this.#kept.get(keys[point.blocks - back] ?? '?');
      if (kept !== undefined && isAlive(kept)) return kept.tokens;
    }
    return 0;
  }
}
