// Places of rows. All rows are ROW_HEIGHT high except the few that are opened, so a place is a multiplication plus the
// opened rows above: the cost does not depend on the number of rows.

export const ROW_HEIGHT = 24;

/** Height of the pane headers, which stick to the top of the list, in px. */
export const HEAD_HEIGHT = 27;

/** An opened row: its number and its whole height in px. Lists of these are ascending by row. */
export interface TallRow {
  readonly row: number;
  readonly height: number;
}

/** Distance of a row's top from the top of the list, in px. */
export function rowTop(row: number, tall: readonly TallRow[]): number {
  let top = row * ROW_HEIGHT;
  for (const one of tall) {
    if (one.row >= row) break;
    top += one.height - ROW_HEIGHT;
  }
  return top;
}

/** Height of a row in px. */
export function rowHeight(row: number, tall: readonly TallRow[]): number {
  return tall.find((one) => one.row === row)?.height ?? ROW_HEIGHT;
}

/** Height of the rows [from, to), in px. */
export function spanHeight(from: number, to: number, tall: readonly TallRow[]): number {
  return rowTop(to, tall) - rowTop(from, tall);
}

/** The row that covers a place, for `total` rows; the last one beyond the end. */
export function rowAtOffset(offset: number, total: number, tall: readonly TallRow[]): number {
  let skipped = 0;
  for (const one of tall) {
    const top = one.row * ROW_HEIGHT + skipped;
    if (offset < top) break;
    if (offset < top + one.height) return Math.min(one.row, Math.max(0, total - 1));
    skipped += one.height - ROW_HEIGHT;
  }
  const row = Math.floor((offset - skipped) / ROW_HEIGHT);
  return Math.max(0, Math.min(row, total - 1));
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
export function inSight(top: number, height: number, total: number, tall: readonly TallRow[]): InSight {
  const place = Math.max(0, Math.min(top, rowTop(total, tall) - height));
  const row = rowAtOffset(place, total, tall);
  const to = Math.min(total, rowAtOffset(place + height - 1, total, tall) + 1);
  return {
    topRow: row,
    topOffset: rowTop(row, tall) - place,
    from: row,
    to,
    atTop: place < ROW_HEIGHT / 2,
    atEnd: total > 0 && to >= total,
  };
}
