// Where the list must stand after rows appeared or disappeared above: the row the reader looks at stays on its line.
import type { Row } from '../../core/protocol/types.ts';
import type { Viewport } from './core.ts';
import { type RowPages, rowAt } from './rowPages.ts';

/** The row that must keep its place: which it is, and its distance from the top of the viewport in px. */
export interface Anchor {
  readonly key: string;
  readonly kind: Row['kind'];
  readonly index: number;
  readonly part: number;
  readonly offset: number;
}

/** The selected row if it is in sight, else the first row in sight; null at the very top: there the top stays. */
export function chooseAnchor(
  pages: RowPages,
  viewport: Viewport,
  selectionRow: number | null,
  topOf: (row: number) => number,
): Anchor | null {
  if (viewport.atTop && selectionRow === null) return null;
  const selected = selectionRow !== null && selectionRow >= viewport.from && selectionRow < viewport.to;
  if (viewport.atTop && !selected) return null;
  const number = selected ? selectionRow : viewport.topRow;
  const held = rowAt(pages, number);
  if (!held) return null;
  const offset = topOf(number) - (topOf(viewport.topRow) - viewport.topOffset);
  const { key, kind, index, part } = held.row;
  return { key, kind, index, part, offset };
}

/** The row among those at hand that has the anchor's key. */
export function findByKey(rows: readonly Row[], key: string): Row | null {
  return rows.find((row) => row.key === key) ?? null;
}

/** The rows to ask for together with a projection: those in sight and as many on both sides. */
export function windowAround(from: number, to: number, margin: number): { readonly from: number; readonly to: number } {
  return { from: Math.max(0, from - margin), to: Math.max(to, from + 1) + margin };
}
