// Where in the list of rows something is, for the marks beside its scrollbar: at most one change for each slot.
import type { RowMarksAnswer } from '../../protocol/rowTypes.ts';
import type { Projected } from '../session/projected.ts';

/** From what a reader looks for to what merely differs: where changes share a slot, the first of these is drawn. */
const WEIGHT = ['dropped', 'summarised', 'redacted', 'synthetic', 'rewritten', 'merged'] as const;

type Marked = RowMarksAnswer['changes'][number];

/** The changes of a projection in `slots` equal parts of its rows, and the rows of messages by source index. */
export function rowMarks(projected: Projected, slots: number, indices: readonly number[]): RowMarksAnswer {
  const { layout, projection, changed, synthetics, messages } = projected;
  const { rowCount } = layout;
  const bySlot = new Map<number, Marked>();
  const put = (row: number, fate: Marked['fate']) => {
    if (row < 0) return;
    const slot = Math.floor((row * slots) / Math.max(1, rowCount));
    const held = bySlot.get(slot);
    const isFirst = held === undefined || WEIGHT.indexOf(fate) < WEIGHT.indexOf(held.fate);
    bySlot.set(slot, { ...(isFirst ? { row, fate } : held), count: (held?.count ?? 0) + 1 });
  };
  let last = -1;
  for (const index of changed()) {
    const row = rowCount === 0 ? -1 : layout.rowOf(index, 0);
    const fate = projection.said.kindOf(index);
    // Messages of a folded run have one row.
    if (row !== last && fate !== 'kept') put(row, fate);
    last = row;
  }
  for (const ordinal of synthetics.keys()) put(layout.rowOfSynthetic(ordinal), 'synthetic');
  const rows = indices.map((index) => (index < messages && rowCount > 0 ? layout.rowOf(index, 0) : null));
  return { rowCount, changes: [...bySlot.values()].sort((a, b) => a.row - b.row), rows };
}
