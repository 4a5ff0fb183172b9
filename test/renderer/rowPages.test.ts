import { describe, expect, it } from 'vitest';
import type { Row } from '../../core/protocol/types.ts';
import {
  addRows,
  holdsRows,
  messageFrom,
  missingPages,
  NO_PAGES,
  PAGE_SIZE,
  rowAt,
  startPages,
} from '../../renderer/state/rowPages.ts';
import { makeRow } from './support.ts';

function rows(from: number, to: number, text = 'now'): readonly Row[] {
  return Array.from({ length: to - from }, (_, at) => makeRow({ row: from + at, index: from + at, text }));
}

function window(projectionId: string, from: number, to: number, total: number, text = 'now') {
  return { projectionId, from, rows: rows(from, to, text), total };
}

describe('pages of rows', () => {
  it('give the rows they were given, and nothing for the others', () => {
    const pages = startPages(NO_PAGES, 'p1', 1000, window('p1', 90, 130, 1000));
    expect(rowAt(pages, 90)).toMatchObject({ row: { row: 90 }, stale: false });
    expect(rowAt(pages, 129)).toMatchObject({ row: { row: 129 }, stale: false });
    expect(rowAt(pages, 89)).toBeNull();
    expect(rowAt(pages, 130)).toBeNull();
  });

  it('keep the rows of the projection before on screen until the new ones are here', () => {
    const before = startPages(NO_PAGES, 'p1', 300, window('p1', 0, 100, 300, 'before'));
    const after = startPages(before, 'p2', 280, window('p2', 10, 20, 280));
    expect(rowAt(after, 15)).toMatchObject({ row: { raw: { text: 'now' } }, stale: false });
    expect(rowAt(after, 5)).toMatchObject({ row: { raw: { text: 'before' } }, stale: true });
  });

  it('skip a projection that was replaced before its rows came: what was on screen stays', () => {
    const first = startPages(NO_PAGES, 'p1', 300, window('p1', 0, 100, 300, 'before'));
    const third = startPages(startPages(first, 'p2', 300, null), 'p3', 300, null);
    expect(rowAt(third, 5)).toMatchObject({ row: { raw: { text: 'before' } }, stale: true });
  });

  it('keep the rows that a step of a slider leaves as they were: those are not drawn again', () => {
    const before = startPages(NO_PAGES, 'p1', 300, window('p1', 0, 120, 300));
    const { rows: next, ...rest } = window('p2', 0, 120, 300);
    const changed = next.map((row) => (row.row % 40 === 0 ? { ...row, reason: 'Dropped by another stage.' } : row));
    const after = startPages(before, 'p2', 300, { ...rest, rows: changed });
    const drawnAgain = changed.filter(({ row }) => rowAt(after, row)?.row !== rowAt(before, row)?.row);
    expect(drawnAgain.map(({ row }) => row)).toEqual([0, 40, 80]);
    expect(rowAt(after, 40)).toMatchObject({ row: { reason: 'Dropped by another stage.' }, stale: false });
    // A page that is read whole, for rows that were there already.
    const whole = addRows(after, window('p2', 100, 200, 300));
    for (let row = 100; row < 120; row++) expect(rowAt(whole, row)?.row).toBe(rowAt(after, row)?.row);
  });

  it('ignore rows that come too late', () => {
    const pages = startPages(NO_PAGES, 'p2', 300, null);
    expect(addRows(pages, window('p1', 0, 100, 300))).toBe(pages);
  });

  it('name what is missing, in the reading direction', () => {
    const pages = startPages(NO_PAGES, 'p1', 1000, window('p1', 100, 200, 1000));
    expect(missingPages(pages, 50, 350, 1)).toEqual([0, 2, 3]);
    expect(missingPages(pages, 50, 350, -1)).toEqual([3, 2, 0]);
    expect(missingPages(pages, 990, 5000, 1)).toEqual([9]);
    expect(missingPages(NO_PAGES, 0, 40, 1)).toEqual([]);
  });

  it('say whether all rows of a range are here, whatever its pages miss', () => {
    const pages = startPages(NO_PAGES, 'p1', 1000, window('p1', 90, 230, 1000));
    expect(holdsRows(pages, 90, 230)).toBe(true);
    expect(holdsRows(pages, 89, 230)).toBe(false);
    expect(holdsRows(pages, 90, 231)).toBe(false);
    expect(holdsRows(startPages(NO_PAGES, 'p1', 105, window('p1', 60, 105, 105)), 60, 200)).toBe(true);
    expect(holdsRows(startPages(pages, 'p2', 1000, null), 100, 120)).toBe(false);
  });

  it('count a shorter last page as complete', () => {
    const pages = startPages(NO_PAGES, 'p1', 105, window('p1', 100, 105, 105));
    expect(missingPages(pages, 100, 200, 1)).toEqual([]);
  });

  it('do not grow without end', () => {
    let pages = startPages(NO_PAGES, 'p1', 1_000_000, null);
    for (let page = 0; page < 200; page++) {
      pages = addRows(pages, window('p1', page * PAGE_SIZE, (page + 1) * PAGE_SIZE, 1_000_000));
    }
    expect(pages.pages.size).toBeLessThanOrEqual(60);
    expect(rowAt(pages, 199 * PAGE_SIZE)?.stale).toBe(false);
    expect(rowAt(pages, 0)).toBeNull();
  });
});

describe('the message of a row', () => {
  const made = (row: number) => makeRow({ row, index: 0, kind: 'synthetic' });
  const held = (all: readonly Row[]) =>
    startPages(NO_PAGES, 'p1', 1000, { projectionId: 'p1', from: 0, rows: all, total: 1000 });

  it('is its own; of a fold the last', () => {
    const pages = held([makeRow({ row: 0, index: 7 }), makeRow({ row: 1, index: 8, kind: 'fold', to: 42 })]);
    expect(messageFrom(pages, 0)).toBe(7);
    expect(messageFrom(pages, 1)).toBe(41);
  });

  it('is that of the row behind what was put in, whatever place that has', () => {
    const pages = held([made(0), made(1), makeRow({ row: 2, index: 637 })]);
    expect([0, 1, 2].map((row) => messageFrom(pages, row))).toEqual([637, 637, 637]);
  });

  it('is not known where no row behind it is', () => {
    expect(messageFrom(held([made(0)]), 0)).toBeNull();
    expect(messageFrom(NO_PAGES, 0)).toBeNull();
  });
});
