// Places of rows. All rows are one line high except the few that are opened, so a place is a multiplication plus the
// opened rows above: the cost does not depend on the number of rows. How high a line is follows from the density.

/** How much of a message its row shows: one line of text, or two. */
export type Density = 'compact' | 'comfortable';

/** Height of a row that is not opened, in px. */
export const LINE_HEIGHT: Readonly<Record<Density, number>> = { compact: 24, comfortable: 40 };

/** Height of the pane headers, which stick to the top of the list, in px. */
export const HEAD_HEIGHT = 27;

/** An opened row: its number, and what is below its line in px. Lists of these are ascending by row. */
export interface TallRow {
  readonly row: number;
  readonly below: number;
}

/** The layout of a list: the height of a line in px, and the rows that are opened. */
export interface RowLayout {
  readonly line: number;
  readonly open: readonly TallRow[];
}

/** Distance of a row's top from the top of the list, in px. */
export function rowTop(row: number, { line, open }: RowLayout): number {
  let top = row * line;
  for (const one of open) {
    if (one.row >= row) break;
    top += one.below;
  }
  return top;
}

/** Height of the rows [from, to), in px. */
export function spanHeight(from: number, to: number, layout: RowLayout): number {
  return rowTop(to, layout) - rowTop(from, layout);
}

/** The row that covers a place, for `total` rows; the last one beyond the end. */
export function rowAtOffset(offset: number, total: number, { line, open }: RowLayout): number {
  let skipped = 0;
  for (const one of open) {
    const top = one.row * line + skipped;
    if (offset < top) break;
    if (offset < top + line + one.below) return Math.min(one.row, Math.max(0, total - 1));
    skipped += one.below;
  }
  const row = Math.floor((offset - skipped) / line);
  return Math.max(0, Math.min(row, total - 1));
}

/** True of a line that is whole in sight: its top seen from the list's upper edge, and the list's height for rows, in px. */
export function isWhole(at: number, line: number, height: number): boolean {
  return at >= 0 && at + line <= height;
}

/** How far a list has to scroll so that a line is whole in sight, in px: no further than it must, its beginning first. */
export function outOfSight(at: number, line: number, height: number): number {
  if (isWhole(at, line, height)) return 0;
  return at < 0 ? at : Math.min(at, at + line - height);
}

/** What of a list is in sight; places in px, rows end exclusive. */
export interface InSight {
  readonly topRow: number;
  /** The first row's top seen from the list's upper edge: 0 or negative. */
  readonly topOffset: number;
  readonly from: number;
  readonly to: number;
  readonly atTop: boolean;
  readonly atEnd: boolean;
}

/** What is in sight of `total` rows with `top` px scrolled away and `height` px for rows; `top` as far as it can go. */
export function inSight(top: number, height: number, total: number, layout: RowLayout): InSight {
  const place = Math.max(0, Math.min(top, rowTop(total, layout) - height));
  const row = rowAtOffset(place, total, layout);
  const to = Math.min(total, rowAtOffset(place + height - 1, total, layout) + 1);
  return {
    topRow: row,
    topOffset: rowTop(row, layout) - place,
    from: row,
    to,
    atTop: place < layout.line / 2,
    atEnd: total > 0 && to >= total,
  };
}
