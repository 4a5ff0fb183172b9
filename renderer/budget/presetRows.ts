// The table of all presets as rows, and its orders.
import type { PresetFigure, TokenFigure } from '../../core/protocol/types.ts';
import { groupWord } from '../policy/families.ts';

/** One policy at this turn. Unit: tokens. */
export interface PresetRow {
  readonly name: string;
  readonly title: string;
  /** Whose rules they are, in one word; blank = nobody's. */
  readonly group: string;
  /** Of the messages. */
  readonly tokens: TokenFigure;
  /** Of the whole request: with what stands beside the messages. */
  readonly whole: number;
  /** Messages against the raw history, 0 = nothing changed, -1 = nothing is left. */
  readonly change: number;
  /** Of what a request may hold; null = not known. */
  readonly share: number | null;
  /** What is left of the total, negative = over by so much; null = not known. */
  readonly room: number | null;
  readonly blocked: boolean;
  readonly problem: string | null;
  /** undefined = still being looked for. */
  readonly firstOver: PresetFigure['firstOver'];
}

/** Columns by which the table sorts; `given` = as the presets come. */
export type PresetSort = 'given' | 'title' | 'tokens' | 'change' | 'room' | 'firstOver';

/** The rows. `raw` = tokens of the history as it is. */
export function presetRows(figures: readonly PresetFigure[], raw: number): readonly PresetRow[] {
  return figures.map(({ name, title, group, tokens, beside, total, blocked, problem, firstOver }) => ({
    name,
    title,
    group: groupWord(group ?? undefined),
    tokens,
    whole: tokens.total + beside,
    change: raw === 0 ? 0 : tokens.total / raw - 1,
    share: total === null || total === 0 ? null : (tokens.total + beside) / total,
    room: total === null ? null : total - tokens.total - beside,
    blocked,
    problem,
    firstOver,
  }));
}

/** The rows in an order. What is not known stands last, whichever way it goes; equal ones stay as they were. */
export function sortRows(rows: readonly PresetRow[], sort: PresetSort, descending: boolean): readonly PresetRow[] {
  if (sort === 'given') return descending ? rows.toReversed() : rows;
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [keyOf(a, sort), keyOf(b, sort)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (typeof x === 'string' || typeof y === 'string') return sign * String(x).localeCompare(String(y));
    return sign * (x - y);
  });
}

/** Where each preset ceases to fit: those that always fit come last. */
function keyOf(row: PresetRow, sort: Exclude<PresetSort, 'given'>): string | number | null {
  switch (sort) {
    case 'title':
      return row.title;
    case 'tokens':
      return row.tokens.total;
    case 'change':
      return row.change;
    case 'room':
      return row.room;
    case 'firstOver':
      return row.firstOver === undefined ? null : (row.firstOver?.at ?? Number.MAX_SAFE_INTEGER);
  }
}
