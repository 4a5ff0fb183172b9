// The fast way to rows (prefix sums, segments, windows) against the slow obvious one: a list of all rows.
import { describe, expect, it } from 'vitest';
import { createLayout, foldRuns, messageRows, type RowPlace, type RowSpecial } from '../../core/engine/rows/layout.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { failureOf, testEngine } from './support.ts';

interface Case {
  readonly counts: readonly number[];
  readonly specials: readonly RowSpecial[];
}

function randomCase(rng: Rng): Case {
  const counts = Array.from({ length: rng.below(30) }, () => rng.below(4));
  const specials: RowSpecial[] = [];
  let ordinal = 0;
  for (let at = 0; at <= counts.length; at++) {
    while (rng.chance(0.15)) specials.push({ kind: 'synthetic', before: at, ordinal: ordinal++ });
    const to = Math.min(counts.length, at + 1 + rng.below(6));
    if (!rng.chance(0.15) || to <= at) continue;
    specials.push({ kind: rng.chance() ? 'fold' : 'hidden', from: at, to });
    at = to - 1;
  }
  return { counts, specials };
}

function naiveRows({ counts, specials }: Case): RowPlace[] {
  const rows: RowPlace[] = [];
  for (let index = 0; index <= counts.length; index++) {
    for (const special of specials) {
      if (special.kind === 'synthetic' && special.before === index)
        rows.push({ kind: 'synthetic', ordinal: special.ordinal });
      if (special.kind === 'fold' && special.from === index) rows.push({ kind: 'fold', from: index, to: special.to });
    }
    const covered = specials.some((each) => 'from' in each && each.from <= index && index < each.to);
    if (index === counts.length || covered) continue;
    for (let part = 0; part < Math.max(1, counts[index]!); part++) rows.push({ kind: 'part', index, part });
  }
  return rows;
}

describe('row numbers', () => {
  it('are those of the list written out', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const replay = randomCase(seededRng(seed));
      const layout = createLayout(messageRows(replay.counts), replay.specials);
      const naive = naiveRows(replay);
      const listed = Array.from({ length: layout.rowCount }, (_, row) => layout.place(row));
      expect(listed.map(withoutKindOf), `seed ${seed}: ${JSON.stringify(replay)}`).toEqual(naive.map(withoutKindOf));
      for (const [row, place] of naive.entries()) {
        if (place.kind === 'part') expect([seed, layout.rowOf(place.index, place.part)]).toEqual([seed, row]);
        if (place.kind === 'fold') expect([seed, layout.rowOf(place.to - 1, 0)]).toEqual([seed, row]);
        if (place.kind === 'synthetic') expect([seed, layout.rowOfSynthetic(place.ordinal)]).toEqual([seed, row]);
      }
      expect(() => layout.place(naive.length)).toThrow(RangeError);
      expect(() => layout.place(-1)).toThrow(RangeError);
    }
  });
});

function withoutKindOf(place: RowPlace): string {
  if (place.kind === 'part') return `m${place.index}.${place.part}`;
  return place.kind === 'fold' ? `f${place.from}-${place.to}` : `s${place.ordinal}`;
}

describe('folding', () => {
  const all = () => true;

  it.each([
    ['a short run stays', 8, all, [], []],
    ['the start folds whole, the end leaves two', 20, all, [], [{ from: 0, to: 18 }]],
    [
      'two stay on both sides of a change',
      40,
      (i: number) => i !== 20,
      [],
      [
        { from: 0, to: 18 },
        { from: 23, to: 38 },
      ],
    ],
    [
      'a synthetic message is a change',
      40,
      all,
      [20],
      [
        { from: 0, to: 18 },
        { from: 22, to: 38 },
      ],
    ],
    ['nothing unchanged, nothing folded', 40, () => false, [], []],
  ])('%s', (_name, length, unchanged, breaks, expected) => {
    expect(foldRuns(length, unchanged, breaks, [])).toEqual(expected);
  });

  it('leaves open what is to stay open', () => {
    expect(foldRuns(40, all, [], [{ from: 0, to: 38 }])).toEqual([]);
    expect(foldRuns(40, all, [], [{ from: 10, to: 15 }])).toEqual([{ from: 17, to: 38 }]);
  });

  it('folds only unchanged messages, in runs of more than eight, apart from each other', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const rng = seededRng(seed);
      const changed = new Set(Array.from({ length: rng.below(5) }, () => rng.below(80)));
      const runs = foldRuns(80, (i) => !changed.has(i), [], []);
      let last = -1;
      for (const { from, to } of runs) {
        expect([seed, to - from > 8, from > last]).toEqual([seed, true, true]);
        for (let i = from; i < to; i++) expect([seed, i, changed.has(i)]).toEqual([seed, i, false]);
        last = to;
      }
    }
  });
});

describe('windows of rows', () => {
  const SPECS: readonly unknown[] = [
    'clean_tool_repair',
    { policy: 'reachability_gc', root_window: 4, min_chars: 50 },
    { policy: 'summary_prefix', keep_last: 30 },
    { version: 1, stages: [{ kind: 'clean_tool_repair' }, { kind: 'summary_prefix', options: { keep_last: 100 } }] },
  ];

  it.each(
    SPECS.flatMap((spec) => [[spec, false, false] as const, [spec, true, false] as const, [spec, true, true] as const]),
  )('equal the slices of all rows: %j, unchanged folded %s, gone folded %s', async (spec, fold, foldGone) => {
    const engine = testEngine();
    const id = await engine.add('made.jsonl', claudeCodeFile({ messages: 400, seed: 7 }));
    const set = (rows: { from: number; to: number }) =>
      engine.client.call('projection.set', { id, spec, at: null, fold, foldGone, rows, tokenizer: 'o200k_base' });
    // Rows carry token counts, which get better for a moment: wait for the last of them.
    const ready = async () => (await set({ from: 0, to: 0 })).projected.provenance === 'exact';
    while (!(await ready())) await new Promise((resolve) => setTimeout(resolve, 20));
    const whole = await set({ from: 0, to: 100_000 });
    const all = whole.rows?.rows ?? [];
    expect(all).toHaveLength(whole.rowCount);
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    for (const from of [0, 1, 57, whole.rowCount - 3, whole.rowCount]) {
      const to = from + 60;
      const { projectionId } = whole;
      const window = await engine.client.call('projection.rows', { projectionId, from, to });
      expect(window.rows).toEqual(all.slice(from, to));
      expect((await set({ from, to })).rows?.rows).toEqual(all.slice(from, to));
    }
    for (const row of all.filter((_, at) => at % 7 === 0)) {
      if (row.kind === 'synthetic') continue;
      const { projectionId } = whole;
      const found = await engine.client.call('projection.rowOf', { projectionId, index: row.index, part: row.part });
      expect(found.row).toBe(row.row);
    }
    // Walking from change to change visits exactly the rows that are changed.
    const visited: number[] = [];
    for (let row: number | null = -1; ; ) {
      const next: { row: number | null } = await engine.client.call('projection.nextChange', {
        projectionId: whole.projectionId,
        row,
        direction: 1,
      });
      if (next.row === null) break;
      visited.push(next.row);
      row = next.row;
    }
    expect(visited).toEqual(all.filter(({ fate }) => fate !== 'kept' && fate !== 'future').map(({ row }) => row));
  });

  it('refuses a projection nobody made', async () => {
    const { client } = testEngine();
    const error = await failureOf(client.call('projection.rows', { projectionId: 'none', from: 0, to: 1 }));
    expect(error.code).toBe('projection.unknown');
  });
});
