// Against the plain meaning: a result is named while one of its identifiers is counted more often than taken back.
import { describe, expect, it } from 'vitest';
import { Mentions } from '../../core/stages/harn/mentions.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

const IDS = 40;
/** Numbers of identifiers are this far from each other, so that tables by number grow meanwhile. */
const APART = 97;

function someIds(rng: Rng, most: number): Int32Array {
  const ids = Array.from({ length: rng.below(most) }, () => rng.below(IDS) * APART);
  return Int32Array.from(new Set(ids));
}

describe('Mentions', () => {
  it('says of each result whether it is named, and which of them turned', () => {
    for (let seed = 0; seed < 40; seed++) {
      const rng = seededRng(seed);
      const results: Int32Array[] = [];
      const mentions = new Mentions((rank) => results[rank]!);
      const roots: Int32Array[] = [];
      const dropped = new Set<number>();
      const counts = new Array<number>(IDS * APART).fill(0);
      const isNamed = (ids: Int32Array): boolean => ids.some((id) => (counts[id] ?? 0) > 0);
      let known: boolean[] = [];
      for (let step = 0; step < 60; step++) {
        const root = rng.chance(0.55) || roots.length === 0 ? someIds(rng, 6) : null;
        const counted = root ?? roots.splice(rng.below(roots.length), 1)[0] ?? new Int32Array(0);
        if (root !== null) roots.push(root);
        mentions.count(counted, root === null ? -1 : 1);
        for (const id of counted) counts[id] = (counts[id] ?? 0) + (root === null ? -1 : 1);
        if (rng.chance(0.3)) continue;
        const turned = new Set<number>();
        mentions.settle((rank) => turned.add(rank));
        const now = results.map(isNamed);
        const differs = now.flatMap((one, rank) => (one === known[rank] || dropped.has(rank) ? [] : [rank]));
        for (const rank of differs) expect(turned.has(rank), `seed ${seed}, step ${step}, rank ${rank}`).toBe(true);
        for (let more = rng.below(3); more > 0; more--) {
          const ids = someIds(rng, 8);
          const rank = results.push(ids) - 1;
          expect(mentions.add(rng.chance(0.5) ? (ids[rng.below(ids.length + 1)] ?? null) : null)).toBe(rank);
          const by = mentions.namedBy(rank);
          expect(by === null ? isNamed(ids) : ids.includes(by) && (counts[by] ?? 0) > 0).toBe(by !== null);
        }
        if (results.length > 0 && rng.chance(0.1)) {
          const rank = rng.below(results.length);
          mentions.drop(rank);
          dropped.add(rank);
        }
        known = results.map(isNamed);
        expect(results.map((_, rank) => mentions.isNamed(rank))).toEqual(known);
      }
    }
  });
});
