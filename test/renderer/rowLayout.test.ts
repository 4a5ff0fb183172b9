import { describe, expect, it } from 'vitest';
import {
  inSight,
  isWhole,
  LINE_HEIGHT,
  outOfSight,
  type RowLayout,
  rowAtOffset,
  rowTop,
  spanHeight,
} from '../../renderer/ui/rowLayout.ts';

/** The slow obvious way: every row's top by adding up. */
function tops(total: number, { line, open }: RowLayout): readonly number[] {
  const all = [0];
  for (let row = 0; row < total; row++) {
    const below = open.find((one) => one.row === row)?.below ?? 0;
    all.push((all[row] ?? 0) + line + below);
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

const NONE: RowLayout = { line: LINE_HEIGHT.compact, open: [] };

function pickLine(random: () => number): number {
  return random() < 0.5 ? LINE_HEIGHT.compact : LINE_HEIGHT.comfortable;
}

describe('places of rows', () => {
  it.each(Array.from({ length: 60 }, (_, at) => at + 1))('equal the sum of all heights before (seed %i)', (seed) => {
    const random = seeded(seed * 7919);
    const total = 1 + Math.floor(random() * 60);
    const rows = new Set(Array.from({ length: Math.floor(random() * 6) }, () => Math.floor(random() * total)));
    const open = [...rows].sort((a, b) => a - b).map((row) => ({ row, below: Math.floor(random() * 400) }));
    const layout = { line: pickLine(random), open };
    const expected = tops(total, layout);
    const what = JSON.stringify({ total, ...layout });
    for (let row = 0; row <= total; row++) expect(rowTop(row, layout), what).toBe(expected[row]);
    for (let row = 0; row < total; row++) {
      const top = expected[row] ?? 0;
      const height = (expected[row + 1] ?? 0) - top;
      expect(spanHeight(row, row + 1, layout), what).toBe(height);
      expect(rowAtOffset(top, total, layout), what).toBe(row);
      expect(rowAtOffset(top + height - 1, total, layout), what).toBe(row);
    }
  });

  it('clamps offsets beyond the ends', () => {
    expect(rowAtOffset(-50, 10, NONE)).toBe(0);
    expect(rowAtOffset(1e9, 10, NONE)).toBe(9);
    expect(rowAtOffset(0, 0, NONE)).toBe(0);
  });

  it('does not depend on the number of rows', () => {
    expect(rowTop(1_000_000, { line: 24, open: [{ row: 3, below: 100 }] })).toBe(24_000_100);
  });
});

describe('what is in sight', () => {
  it.each(Array.from({ length: 40 }, (_, at) => at + 1))('is what an eye would see (seed %i)', (seed) => {
    const random = seeded(seed * 104729);
    const total = Math.floor(random() * 40);
    const rows = new Set(Array.from({ length: Math.floor(random() * 4) }, () => Math.floor(random() * total)));
    const open = [...rows]
      .filter((row) => row < total)
      .sort((a, b) => a - b)
      .map((row) => ({ row, below: Math.floor(random() * 300) }));
    const layout = { line: pickLine(random), open };
    const height = 24 + Math.floor(random() * 500);
    const edges = tops(total, layout);
    const whole = edges.at(-1) ?? 0;
    const asked = Math.floor((random() * 1.4 - 0.2) * whole);
    const top = Math.max(0, Math.min(asked, whole - height)); // as a browser clamps it
    const seen = Array.from({ length: total }, (_, row) => row).filter(
      (row) => (edges[row + 1] ?? 0) > top && (edges[row] ?? 0) < top + height,
    );
    const sight = inSight(asked, height, total, layout);
    const what = JSON.stringify({ total, ...layout, height, asked });
    expect([sight.from, sight.to], what).toEqual([seen[0] ?? 0, (seen.at(-1) ?? -1) + 1]);
    expect((edges[sight.topRow] ?? 0) - top, what).toBe(sight.topOffset);
    expect(sight.atEnd, what).toBe(seen.at(-1) === total - 1 && total > 0);
  });
});

describe('a line that has to be in sight', () => {
  it.each(Array.from({ length: 60 }, (_, at) => at + 1))('is, by the shortest way (seed %i)', (seed) => {
    const random = seeded(seed * 104729);
    const line = pickLine(random);
    const height = line + Math.floor(random() * 800);
    const at = Math.floor(random() * 1800) - 600;
    const what = JSON.stringify({ at, line, height });
    // All ways to scroll, the shortest first.
    const ways = Array.from({ length: 3000 }, (_, by) => Math.ceil(by / 2) * (by % 2 === 0 ? 1 : -1));
    const shortest = ways.find((by) => at - by >= 0 && at - by + line <= height);
    expect(outOfSight(at, line, height) + 0, what).toBe((shortest ?? Number.NaN) + 0);
    expect(isWhole(at, line, height), what).toBe(shortest === 0);
  });

  it('shows its beginning where it has no room', () => {
    expect(outOfSight(60, 24, 10)).toBe(60);
    expect(outOfSight(-60, 24, 10)).toBe(-60);
  });
});
