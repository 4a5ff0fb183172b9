// Rows of the shown projection, by page. Pages of the projection before stay as placeholders until the new rows come, so
// that a change of policy never blanks the panes. At most MAX_PAGES are held: the cost is the same for any length.
import type { Row, RowWindow } from '../../core/protocol/types.ts';
import { sameValue } from '../../core/util/unknown.ts';

export const PAGE_SIZE = 100;
/** Rows on both sides of those in sight that are drawn, or soon will be. */
export const NEAR = 40;
/** Rows that the list draws together. */
export const BLOCK = 16;
const MAX_PAGES = 60;

/** A row as the list draws it: `stale` = of the projection before, shown until the new one's row is here. */
export interface HeldRow {
  readonly row: Row;
  readonly stale: boolean;
}

/** Pages in order of use; immutable, so that React sees a change by identity. */
export interface RowPages {
  readonly projectionId: string | null;
  readonly total: number;
  readonly pages: ReadonlyMap<number, readonly (Row | undefined)[]>;
  readonly previous: ReadonlyMap<number, readonly (Row | undefined)[]>;
}

export const NO_PAGES: RowPages = { projectionId: null, total: 0, pages: new Map(), previous: new Map() };

/** Starts a new projection: its first rows in, the pages so far become placeholders. */
export function startPages(before: RowPages, projectionId: string, total: number, rows: RowWindow | null): RowPages {
  if (before.projectionId === projectionId) return rows ? addRows({ ...before, total }, rows) : { ...before, total };
  const started: RowPages = {
    projectionId,
    total,
    pages: new Map(),
    previous: before.pages.size > 0 ? before.pages : before.previous,
  };
  return rows ? addRows(started, rows) : started;
}

/**
 * Takes rows in; rows of another projection are ignored (they come too late to matter). A row that says what the one on
 * screen says stays that one, the same object: a step of a slider leaves most rows as they were, and those are not drawn again.
 */
export function addRows(held: RowPages, window: RowWindow): RowPages {
  if (window.projectionId !== held.projectionId) return held;
  const pages = new Map(held.pages);
  for (const row of window.rows) {
    const number = pageOf(row.row);
    const fresh = pages.get(number);
    const page =
      fresh !== undefined && fresh !== held.pages.get(number) ? (fresh as (Row | undefined)[]) : [...(fresh ?? [])];
    const known = rowAt(held, row.row)?.row;
    page[row.row - number * PAGE_SIZE] = sameValue(known, row) && known !== undefined ? known : row;
    pages.delete(number);
    pages.set(number, page);
  }
  for (const oldest of pages.keys()) {
    if (pages.size <= MAX_PAGES) break;
    pages.delete(oldest);
  }
  return { ...held, total: window.total, pages };
}

/** The row at a number, the old projection's while the new one's is on its way; null if neither is here. */
export function rowAt(held: RowPages, row: number): HeldRow | null {
  const slot = row - pageOf(row) * PAGE_SIZE;
  const now = held.pages.get(pageOf(row))?.[slot];
  if (now) return { row: now, stale: false };
  const before = held.previous.get(pageOf(row))?.[slot];
  return before ? { row: before, stale: true } : null;
}

/** Rows that are looked through for a message. */
const MOST_MADE = 20;

/**
 * The message of a row; of a fold the last, which the next row comes after. What a stage or a compaction put in is passed
 * over. Null = not known yet.
 */
export function messageFrom(held: RowPages, top: number): number | null {
  for (let at = top; at < top + MOST_MADE; at++) {
    const row = rowAt(held, at)?.row;
    if (row === undefined) return null;
    if (row.kind !== 'synthetic') return row.kind === 'fold' ? (row.to ?? row.index + 1) - 1 : row.index;
  }
  return null;
}

/** Pages that are not complete within [from, to), nearest to the reading direction first. */
export function missingPages(held: RowPages, from: number, to: number, direction: 1 | -1): readonly number[] {
  const missing: number[] = [];
  const first = pageOf(Math.max(0, from));
  const last = pageOf(Math.max(0, Math.min(to, held.total) - 1));
  if (held.total === 0) return [];
  for (let page = first; page <= last; page++) if (!isComplete(held, page)) missing.push(page);
  return direction === 1 ? missing : missing.reverse();
}

/** True if all rows of [from, to) are here. */
export function holdsRows(held: RowPages, from: number, to: number): boolean {
  const end = Math.min(to, held.total);
  for (let row = Math.max(0, from); row < end; row++) {
    if (held.pages.get(pageOf(row))?.[row % PAGE_SIZE] === undefined) return false;
  }
  return true;
}

/** The page a row number lies in. */
export function pageOf(row: number): number {
  return Math.floor(row / PAGE_SIZE);
}

function isComplete(held: RowPages, page: number): boolean {
  const rows = held.pages.get(page);
  const size = Math.min(PAGE_SIZE, held.total - page * PAGE_SIZE);
  if (!rows || rows.length < size) return false;
  for (let slot = 0; slot < size; slot++) if (!rows[slot]) return false;
  return true;
}
