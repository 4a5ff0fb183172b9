import { describe, expect, it } from 'vitest';
import { isSelected, selectionOf, toggled } from '../../renderer/state/selectionActions.ts';
import { indexText, indexWidth, rowLabel, standsFor } from '../../renderer/timeline/rowText.ts';
import { makeRow } from './support.ts';

const synthetic = makeRow({ key: 's0', kind: 'synthetic', index: 0, to: 96, raw: null, fate: 'synthetic' });
const fold = makeRow({ key: 'f96-204', kind: 'fold', index: 96, to: 205 });

describe('texts of a row', () => {
  it('show the index on the first part only, spans on folds; a synthetic says it in its text', () => {
    expect(indexText(makeRow({ index: 214 }))).toBe('214');
    expect(indexText(makeRow({ index: 214, part: 1, firstOfMessage: false }))).toBe('');
    expect(indexText(fold)).toBe('96–204');
    expect(indexText(synthetic)).toBe('');
    expect(standsFor(synthetic)).toBe('replaces #0 – #95: ');
    expect(indexText(makeRow({ kind: 'synthetic', index: 7, to: 7 }))).toBe('');
  });

  it('say which messages a synthetic stands for', () => {
    expect(standsFor(synthetic)).toBe('replaces #0 – #95: ');
    expect(standsFor(makeRow({ kind: 'synthetic', index: 7, to: 8 }))).toBe('replaces #7: ');
    expect(standsFor(makeRow({ kind: 'synthetic', index: 7, to: 7 }))).toBeNull();
    expect(standsFor(fold)).toBeNull();
  });

  it('say everything to those who cannot see it', () => {
    const row = makeRow({ index: 208, label: 'result', fate: 'dropped', chip: 'repaired at #210', text: 'Error' });
    const gone = { ...row, projected: null };
    expect(rowLabel(gone, true)).toBe('message 208, result, not sent: dropped (repaired at #210): Error');
    expect(rowLabel(gone, false)).toContain(', would not be sent: dropped (repaired at #210): ');
    const kept = makeRow({ index: 2, label: 'user', text: 'Hello' });
    expect(rowLabel(kept, true)).toBe('message 2, user, sent: Hello');
    expect(rowLabel(kept, false)).toBe('message 2, user, would be sent: Hello');
    const cleared = { ...kept, fate: 'redacted' as const, chip: 'older than 6 turns' };
    expect(rowLabel(cleared, false)).toContain(', would be sent cleared (older than 6 turns): ');
    expect(rowLabel({ ...kept, fate: 'future' }, true)).toContain(', not yet seen: ');
  });

  it('leave room for the largest index', () => {
    expect(indexWidth(412)).toBe(38);
    expect(indexWidth(1_000_001)).toBeGreaterThan(indexWidth(10_001));
  });
});

describe('selecting', () => {
  it('takes the whole message', () => {
    const selection = selectionOf(makeRow({ index: 3, part: 2 }));
    expect(selection).toEqual({ kind: 'message', index: 3, part: 2 });
    expect(isSelected(selection, makeRow({ index: 3, part: 0 }))).toBe(true);
    expect(isSelected(selection, makeRow({ index: 4 }))).toBe(false);
    expect(isSelected(selection, { ...fold, index: 3 })).toBe(false);
  });

  it('takes a synthetic by itself, and a fold', () => {
    expect(isSelected(selectionOf(synthetic), synthetic)).toBe(true);
    expect(selectionOf(fold)).toEqual({ kind: 'fold', index: 96, to: 205 });
    expect(isSelected(selectionOf(fold), fold)).toBe(true);
  });

  it('opened rows stay in order; opening again closes', () => {
    const first = makeRow({ row: 9, index: 9 });
    const open = toggled(toggled([], first), makeRow({ row: 2, index: 2 }));
    expect(open.map((one) => one.row)).toEqual([2, 9]);
    expect(toggled(open, first).map((one) => one.row)).toEqual([2]);
    expect(toggled(open, fold)).toHaveLength(2);
  });
});
