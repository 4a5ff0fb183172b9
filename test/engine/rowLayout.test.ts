import { describe, expect, it } from 'vitest';
import { createLayout, messageRows, type RowLayout } from '../../core/engine/rows/layout.ts';

// Five messages of 1, 2, 1, 3, 1 parts.
const rows = messageRows([1, 2, 1, 3, 1]);

/** The whole layout written out: `m1.0` part, `s0` synthetic, `f1-3` fold. */
function listed(layout: RowLayout): readonly string[] {
  return Array.from({ length: layout.rowCount }, (_, row) => {
    const place = layout.place(row);
    if (place.kind === 'part') return `m${place.index}.${place.part}`;
    return place.kind === 'fold' ? `f${place.from}-${place.to}` : `s${place.ordinal}`;
  });
}

describe('rows of a projection', () => {
  it('has a row for each part', () => {
    expect(listed(createLayout(rows, []))).toEqual(['m0.0', 'm1.0', 'm1.1', 'm2.0', 'm3.0', 'm3.1', 'm3.2', 'm4.0']);
  });

  it('leaves hidden messages out, beside synthetics and folds', () => {
    const layout = createLayout(rows, [
      { kind: 'synthetic', before: 2, ordinal: 0 },
      { kind: 'fold', from: 2, to: 3 },
      { kind: 'hidden', from: 3, to: 4 },
    ]);
    expect(listed(layout)).toEqual(['m0.0', 'm1.0', 'm1.1', 's0', 'f2-3', 'm4.0']);
    expect(layout.rowOf(4, 0)).toBe(5);
  });

  it('answers the next row for a hidden message, the last row where none follows', () => {
    const middle = createLayout(rows, [{ kind: 'hidden', from: 1, to: 3 }]);
    expect(listed(middle)).toEqual(['m0.0', 'm3.0', 'm3.1', 'm3.2', 'm4.0']);
    expect([0, 1, 2, 3, 4].map((index) => middle.rowOf(index, 0))).toEqual([0, 1, 1, 1, 4]);
    const end = createLayout(rows, [{ kind: 'hidden', from: 2, to: 5 }]);
    expect(listed(end)).toEqual(['m0.0', 'm1.0', 'm1.1']);
    expect([1, 2, 4].map((index) => end.rowOf(index, 1))).toEqual([2, 2, 2]);
  });

  it('is empty where everything is hidden', () => {
    const layout = createLayout(rows, [{ kind: 'hidden', from: 0, to: 5 }]);
    expect(layout.rowCount).toBe(0);
    expect(layout.rowOf(3, 0)).toBe(0);
  });
});
