import { describe, expect, it } from 'vitest';
import { INTS_IN_PAGE } from '../../core/util/ints.ts';
import { PagedLists } from '../../core/util/pagedLists.ts';
import { seededRng } from '../../core/util/rng.ts';

describe('PagedLists', () => {
  it('holds what was pushed to each list, in order, over many pages and packings', () => {
    const rng = seededRng(7);
    const lists = new PagedLists();
    const expected = new Map<number, number[]>();
    for (let nth = 0; nth < 60_000; nth++) {
      const list = rng.chance(0.3) ? rng.below(5) : rng.below(5_000);
      lists.push(list, nth);
      const own = expected.get(list);
      if (own === undefined) expected.set(list, [nth]);
      else own.push(nth);
      if (nth % 17_000 === 0) lists.pack();
    }
    for (let list = 0; list < 5_000; list++) expect([...lists.of(list)]).toEqual(expected.get(list) ?? []);
  });

  it('holds a list that is longer than a page, beside others', () => {
    const lists = new PagedLists();
    for (let nth = 0; nth < INTS_IN_PAGE * 3; nth++) {
      lists.push(1, nth);
      if (nth % 1_000 === 0) lists.push(2, nth);
    }
    lists.pack();
    lists.push(1, -1);
    lists.push(0, 7);
    expect([lists.count(1), lists.of(1).at(-1), lists.of(1)[INTS_IN_PAGE + 5]]).toEqual([
      INTS_IN_PAGE * 3 + 1,
      -1,
      INTS_IN_PAGE + 5,
    ]);
    expect([...lists.of(2)]).toEqual(
      Array.from({ length: Math.ceil((INTS_IN_PAGE * 3) / 1_000) }, (_, at) => at * 1_000),
    );
    expect([...lists.of(0)]).toEqual([7]);
  });

  it('knows lists that were never pushed to as empty', () => {
    expect([new PagedLists().count(1_000_000), new PagedLists().of(3).length]).toEqual([0, 0]);
  });
});
