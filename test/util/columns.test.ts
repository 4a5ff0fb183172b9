// What is packed as columns is unpacked to what JSON would have brought over, for any records.
import { expect, test } from 'vitest';
import { type Column, lists, nullable, optional, plain, records } from '../../core/util/columns.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

interface Inner {
  readonly size: number | null;
  readonly word?: string;
}

interface Row {
  readonly at: number;
  readonly tokens: readonly number[];
  readonly name: string;
  readonly is?: boolean;
  readonly inner?: Inner | null;
  readonly list: { readonly deep: number } | null;
}

const inner: Column<Inner> = records<Inner>({ size: plain(), word: optional(plain()) });
const rows = records<Row>({
  at: plain(),
  tokens: lists(),
  name: plain(),
  is: optional(plain()),
  inner: optional(nullable(inner)),
  list: nullable(plain()),
});

/** Of each member either all are alike, or few, or any. */
function randomRows(rng: Rng): readonly Row[] {
  const count = rng.below(40);
  const chance = Array.from({ length: 8 }, () => [0, 1, 10, 50, 90, 100][rng.below(6)]!);
  const is = (nth: number): boolean => rng.below(100) < chance[nth]!;
  const width = rng.below(4);
  return Array.from({ length: count }, (_, at) => ({
    at: is(0) ? at : 7,
    tokens: Array.from({ length: is(1) ? width : 3 }, () => rng.below(1_000)),
    name: is(2) ? `n${at}` : 'same',
    ...(is(3) && { is: rng.below(2) === 0 }),
    ...(is(4) && { inner: is(5) ? null : { size: is(6) ? null : at / 3, ...(is(7) && { word: '\u2028"' }) } }),
    list: is(5) ? { deep: at } : null,
  }));
}

test('unpacked rows are what JSON makes of the rows, 3,000 times', () => {
  let alike = 0;
  for (let seed = 0; seed < 3_000; seed++) {
    const given = randomRows(seededRng(seed));
    const sent = JSON.parse(JSON.stringify({ packed: rows.pack(given) })).packed;
    const back = rows.unpack(sent, given.length);
    expect(back, `seed ${seed}`).toStrictEqual(JSON.parse(JSON.stringify(given)));
    if (given.length > 1 && !Array.isArray(sent.name)) alike++;
  }
  expect(alike).toBeGreaterThan(300);
});

test('rows without an optional member have none afterwards', () => {
  const given: readonly Row[] = [{ at: 1, tokens: [], name: 'a', list: null }];
  const [back] = rows.unpack(JSON.parse(JSON.stringify(rows.pack(given))), 1);
  expect(Object.keys(back ?? {}).sort()).toEqual(['at', 'list', 'name', 'tokens']);
});

test('what is unpacked is not shared between rows', () => {
  const one = { deep: 1 };
  const given: readonly Row[] = [1, 2].map((at) => ({ at, tokens: [1], name: 'a', list: one }));
  const back = rows.unpack(JSON.parse(JSON.stringify(rows.pack(given))), 2);
  expect(back[0]?.list).not.toBe(back[1]?.list);
  expect(back[0]?.tokens).not.toBe(back[1]?.tokens);
});
