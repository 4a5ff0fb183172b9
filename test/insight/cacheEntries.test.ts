// The entries of a prompt cache against a plain list in which each entry knows its own use.
import { expect, it } from 'vitest';
import { CacheEntries } from '../../core/insight/cacheEntries.ts';
import type { Breakpoint } from '../../core/insight/cachePoints.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

const LIFETIME = { '5m': 300, '1h': 3_600 } as const;

type Entry = Breakpoint & { used: number | null };

class PlainEntries {
  list: Entry[] = [];

  #isAlive({ used, ttl }: Entry, time: number | null): boolean {
    return used === null || time === null || time <= used + LIFETIME[ttl];
  }
  last(time: number | null) {
    return this.list.findLast((entry) => this.#isAlive(entry, time)) ?? null;
  }
  upTo({ tokens, blocks }: Pick<Breakpoint, 'tokens' | 'blocks'>) {
    return this.list.findLast((entry) => entry.tokens <= tokens && entry.blocks <= blocks) ?? null;
  }
  cut({ tokens, blocks }: Pick<Breakpoint, 'tokens' | 'blocks'>) {
    this.list = this.list.filter((entry) => entry.tokens <= tokens && entry.blocks <= blocks);
  }
  expire(time: number | null) {
    this.list = this.list.filter((entry) => this.#isAlive(entry, time));
  }
  use({ tokens }: Pick<Breakpoint, 'tokens'>, time: number) {
    for (const entry of this.list) if (entry.tokens <= tokens) entry.used = time;
  }
  write({ tokens, blocks, ttl }: Breakpoint, time: number | null) {
    const at = this.list.findIndex((entry) => entry.tokens >= tokens);
    const known = this.list[at];
    const isThere = known?.tokens === tokens && known.blocks === blocks;
    if (isThere && known.ttl === ttl) return;
    const entry: Entry = { tokens, blocks, ttl: isThere ? '1h' : ttl, used: time };
    this.list.splice(at < 0 ? this.list.length : at, isThere ? 1 : 0, entry);
  }
}

/** Places of a growing request: tokens grow with blocks. */
function placeIn(rng: Rng, most: number): Pick<Breakpoint, 'tokens' | 'blocks'> {
  const blocks = 1 + rng.below(most);
  return { tokens: blocks * 10, blocks };
}

it.each(Array.from({ length: 60 }, (_, seed) => seed + 1))('as a plain list (seed %i)', (seed) => {
  const rng = seededRng(seed);
  const entries = new CacheEntries(LIFETIME);
  const plain = new PlainEntries();
  let time = 0;
  let most = 5;
  for (let step = 0; step < 400; step++) {
    const replay = `seed ${seed}, step ${step}`;
    time += rng.below(rng.chance(0.1) ? 4_000 : 120);
    const now = rng.chance(0.05) ? null : time;
    most += rng.below(4);
    const place = placeIn(rng, most);
    const ttl = rng.chance(0.3) ? '1h' : '5m';
    if (rng.chance(0.6)) {
      entries.write({ ...place, ttl }, now);
      plain.write({ ...place, ttl }, now);
    }
    expect(entries.last(now), replay).toEqual(plain.last(now));
    if (rng.chance(0.1)) {
      const end = placeIn(rng, most);
      entries.cut(end);
      plain.cut(end);
    }
    const asked = placeIn(rng, most);
    expect(entries.upTo(asked), replay).toEqual(plain.upTo(asked));
    entries.expire(now);
    plain.expire(now);
    const hit = plain.upTo(asked);
    if (hit !== null && now !== null && rng.chance(0.7)) {
      entries.use(hit, now);
      plain.use(hit, now);
    }
    for (const { tokens, blocks, ttl: own, used } of plain.list) {
      expect(entries.upTo({ tokens, blocks }), replay).toEqual({ tokens, blocks, ttl: own, used });
    }
    expect(entries.last(null), replay).toEqual(plain.list.at(-1) ?? null);
  }
});
