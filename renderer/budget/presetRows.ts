// The table of all policies as rows, and its orders.
import type { FirstOver, PresetFigure, TokenFigure } from '../../core/protocol/types.ts';
import { groupWord } from '../policy/families.ts';
import type { ShownFigure } from './usePresetFigures.ts';

/** One policy at this turn, and along all call points. Unit: tokens, US dollars. null = not known; undefined = not yet. */
export interface PresetRow {
  readonly name: string;
  readonly title: string;
  /** Whose rules they are, in one word; blank = nobody's. */
  readonly group: string;
  /** Of the messages; null = the policy does not run. */
  readonly tokens: TokenFigure | null;
  /** Of the whole request: with the overhead. */
  readonly whole: number | null;
  /** Messages against the raw history, 0 = nothing changed, -1 = nothing is left. */
  readonly change: number | null;
  /** Of what a request may hold. */
  readonly share: number | null;
  /** What is left of the total, negative = over by so much. */
  readonly room: number | null;
  readonly blocked: boolean;
  readonly problem: string | null;
  readonly peak: FirstOver | undefined;
  /** The input of all requests that were made, cache included. */
  readonly cost: number | null | undefined;
  /** Requests that were made and are not in it. */
  readonly unpriced: number;
  readonly breaks: number | undefined;
  readonly thinking: PresetFigure['thinking'];
  readonly firstOver: PresetFigure['firstOver'];
  /** The figures of this turn answer what is asked now. */
  readonly isFinal: boolean;
  /** So do those along all call points. */
  readonly isSummed: boolean;
}

/** Columns by which the table sorts; `given` = as the policies come. */
export type PresetSort =
  | 'given'
  | 'title'
  | 'tokens'
  | 'change'
  | 'room'
  | 'peak'
  | 'cost'
  | 'breaks'
  | 'thinking'
  | 'firstOver';

/** The rows. `raw` = tokens of the history as it is; `ownGroup` = the group of a policy that is not a preset. */
export function presetRows(
  figures: readonly ShownFigure[],
  raw: number,
  ownGroup: (name: string) => string = () => '',
): readonly PresetRow[] {
  return figures.map(({ figure, isFinal, isSummed }) => {
    const { name, title, group, tokens, beside, total, blocked, problem, thinking, firstOver, sums } = figure;
    const whole = tokens && tokens.total + beside;
    return {
      name,
      title,
      group: group === null ? ownGroup(name) : groupWord(group),
      tokens,
      whole,
      change: tokens && (raw === 0 ? 0 : tokens.total / raw - 1),
      share: total === null || total === 0 ? null : whole && whole / total,
      room: total === null || whole === null ? null : total - whole,
      blocked,
      problem,
      peak: sums?.peak,
      cost: sums?.cost,
      unpriced: sums?.unpriced ?? 0,
      breaks: sums?.breaks,
      thinking,
      firstOver,
      isFinal,
      isSummed,
    };
  });
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

/** Where each policy ceases to fit: those that always fit come last. */
function keyOf(row: PresetRow, sort: Exclude<PresetSort, 'given'>): string | number | null {
  switch (sort) {
    case 'title':
      return row.title;
    case 'tokens':
      return row.tokens?.total ?? null;
    case 'change':
      return row.change;
    case 'room':
      return row.room;
    case 'peak':
      return row.peak?.tokens ?? null;
    case 'cost':
      return row.cost ?? null;
    case 'breaks':
      return row.breaks ?? null;
    case 'thinking':
      return row.thinking && Math.max(row.thinking.failing, row.thinking.dropped);
    case 'firstOver':
      return row.firstOver === undefined ? null : (row.firstOver?.at ?? Number.MAX_SAFE_INTEGER);
  }
}
