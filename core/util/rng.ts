/** A seeded source of numbers for tests and generated data. Not for secrets. The same seed gives the same run everywhere. */
export interface Rng {
  /** A double in [0, 1). */
  next(): number;
  /** An integer in [0, limit). */
  below(limit: number): number;
  /** True with the given probability, 0.5 if none is given. */
  chance(probability?: number): boolean;
  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T;
  /** A new array with the items in random order. */
  shuffle<T>(items: readonly T[]): T[];
}

/** The generator mulberry32 (Tommy Ettinger, public domain): 32 bits of state, period 2^32. */
export function seededRng(seed: number): Rng {
  const next = mulberry32(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability = 0.5) => next() < probability,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new RangeError('nothing to pick from');
      return items[below(items.length)]!;
    },
    shuffle<T>(items: readonly T[]): T[] {
      const out = [...items];
      for (let i = out.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [out[i], out[j]] = [out[j]!, out[i]!];
      }
      return out;
    },
  };
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
