import { describe, expect, it } from 'vitest';
import {
  inSight,
  ROW_HEIGHT,
  rowAtOffset,
  rowHeight,
  rowTop,
  spanHeight,
  type TallRow,
} from '../../renderer/ui/rowLayout.ts';

/** The slow obvious way: every row's top by adding up. */
function tops(total: number, tall: readonly TallRow[]): readonly number[] {
  const all = [0];
  for (let row = 0; row < total; row++) {
    const height = tall.find((one) => one.row === row)?.height ?? ROW_HEIGHT;
    all.push((all[row] ?? 0) + height);
  }
  return all;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

describe('places of rows', () => {
  it.each(Array.from({ length: 60 }, (_, at) => at + 1))('equal the sum of all heights before (seed %i)', (seed) => {
    const random = seeded(seed * 7919);
    const total = 1 + Math.floor(random() * 60);
    const rows = new Set(Array.from({ length: Math.floor(random() * 6) }, () => Math.floor(random() * total)));
    const tall = [...rows].sort((a, b) => a - b).map((row) => ({ row, height: 24 + Math.floor(random() * 400) }));
    const expected = tops(total, tall);
    const what = JSON.stringify({ total, tall });
    for (let row = 0; row <= total; row++) expect(rowTop(row, tall), what).toBe(expected[row]);
    for (let row = 0; row < total; row++) {
      const top = expected[row] ?? 0;
      const height = rowHeight(row, tall);
      expect(spanHeight(row, row + 1, tall), what).toBe(height);
      expect(rowAtOffset(top, total, tall), what).toBe(row);
      expect(rowAtOffset(top + height - 1, total, tall), what).toBe(row);
    }
  });

  it('clamps offsets beyond the ends', () => {
    expect(rowAtOffset(-50, 10, [])).toBe(0);
    expect(rowAtOffset(1e9, 10, [])).toBe(9);
    expect(rowAtOffset(0, 0, [])).toBe(0);
  });

  it('does not depend on the number of rows', () => {
    expect(rowTop(1_000_000, [{ row: 3, height: 124 }])).toBe(24_000_100);
  });
});

describe('what is in sight', () => {
  it.each(Array.from({ length: 40 }, (_, at) => at + 1))('is what an eye would see (seed %i)', (seed) => {
    const random = seeded(seed * 104729);
    const total = Math.floor(random() * 40);
    const rows = new Set(Array.from({ length: Math.floor(random() * 4) }, () => Math.floor(random() * total)));
    const tall = [...rows]
      .filter((row) => row < total)
      .sort((a, b) => a - b)
      .map((row) => ({ row, height: 24 + Math.floor(random() * 300) }));
    const height = 24 + Math.floor(random() * 500);
    const edges = tops(total, tall);
    const whole = edges.at(-1) ?? 0;
    const asked = Math.floor((random() * 1.4 - 0.2) * whole);
    const top = Math.max(0, Math.min(asked, whole - height)); // as a browser clamps it
    const seen = Array.from({ length: total }, (_, row) => row).filter(
      (row) => (edges[row + 1] ?? 0) > top && (edges[row] ?? 0) < top + height,
    );
    const sight = inSight(asked, height, total, tall);
    const what = JSON.stringify({ total, tall, height, asked });
    expect([sight.from, sight.to], what).toEqual([seen[0] ?? 0, (seen.at(-1) ?? -1) + 1]);
    expect((edges[sight.topRow] ?? 0) - top, what).toBe(sight.topOffset);
    expect(sight.atEnd, what).toBe(seen.at(-1) === total - 1 && total > 0);
  });
});
