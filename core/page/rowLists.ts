// browser-safe
// The four lists of rows of a page, each as numbers into one list of all rows: a fold is opened by putting its rows in.
import type { Row, RowMarksAnswer } from '../protocol/types.ts';
import type { ListedRow, RowList, RowsShown, RowTable } from './types.ts';

/** A list as numbers of rows of `full`; rows that are others there (folds) are kept whole, their pointers renumbered. */
export function listOf(
  shown: RowsShown,
  full: readonly Row[],
  { rows: listed, changes }: { readonly rows: readonly Row[]; readonly changes: readonly number[] },
): RowList {
  const numbers = new Map(full.map(({ key, row }) => [key, row]));
  const toFull = (row: number) => numbers.get(listed[row]?.key ?? '') ?? -1;
  const lines: (readonly [number, number] | Row)[] = [];
  for (const each of listed) {
    const renumbered = renumber(each, toFull);
    const number = numbers.get(each.key);
    const own = number === undefined ? undefined : full[number];
    if (number === undefined || own === undefined || !isSame(own, renumbered)) lines.push(renumbered);
    else addNumber(lines, number);
  }
  return { ...shown, lines, changes };
}

function addNumber(lines: (readonly [number, number] | Row)[], number: number): void {
  const last = lines.at(-1);
  if (last !== undefined && !('key' in last) && last[0] + last[1] === number)
    lines[lines.length - 1] = [last[0], last[1] + 1];
  else lines.push([number, 1]);
}

function isSame(a: Row, b: Row): boolean {
  return JSON.stringify({ ...a, row: 0 }) === JSON.stringify({ ...b, row: 0 });
}

/** A row whose pointers to other rows are numbers of another list. */
function renumber(row: Row, to: (row: number) => number): Row {
  const { elsewhere, gone } = row;
  const into = gone?.into;
  return {
    ...row,
    ...(elsewhere !== undefined && { elsewhere: to(elsewhere) }),
    ...(gone !== undefined &&
      into?.kind === 'synthetic' && { gone: { ...gone, into: { ...into, row: to(into.row) } } }),
  };
}

/** What is known of all rows without reading them. */
export function tableOf(rows: readonly Row[], changes: readonly number[]): RowTable {
  let last = -1;
  const index = rows.map((row) => {
    if (row.kind === 'synthetic') return last + 0.5;
    last = row.index;
    return row.index;
  });
  return {
    index,
    part: rows.map(({ part }) => part),
    fate: rows.map(({ fate }) => fate),
    changes,
  };
}

/** A stretch of messages, end exclusive. */
export interface MessageSpan {
  readonly from: number;
  readonly to: number;
}

/** A list with some of its folds opened. Rows count from 0. */
export class ListedRows {
  readonly #lines: readonly ListedRow[];
  readonly #table: RowTable;
  /** Line of a row, by its number among all. */
  readonly #placeOf: ReadonlyMap<number, number>;

  /** Lines with a change, ascending. */
  readonly #changes: readonly number[];

  /** `open`: a fold that one of these touches is not folded. */
  constructor(list: RowList, table: RowTable, open: readonly MessageSpan[]) {
    this.#table = table;
    const [listed, opened] = [new Set(list.changes), new Set(table.changes)];
    const lines: ListedRow[] = [];
    const changes: number[] = [];
    let own = 0;
    const add = (line: ListedRow, isChange: boolean) => {
      if (isChange) changes.push(lines.length);
      lines.push(line);
    };
    for (const line of list.lines) {
      if (!('key' in line)) for (let at = 0; at < line[1]; at++) add(line[0] + at, listed.has(own++));
      else if (line.kind !== 'fold' || !isTouched(line, open)) add(line, listed.has(own++));
      else {
        own++;
        for (const row of rowsIn(table, line)) add(row, opened.has(row));
      }
    }
    this.#lines = lines;
    this.#changes = changes;
    this.#placeOf = new Map(lines.flatMap((line, place) => (typeof line === 'number' ? [[line, place]] : [])));
  }

  get length(): number {
    return this.#lines.length;
  }

  line(row: number): ListedRow | undefined {
    return this.#lines[row];
  }

  /** A row as it is in this list, its pointers to others renumbered; `own` = it, if the line is a number. */
  rowAt(place: number, own: Row | undefined): Row | undefined {
    const line = this.#lines[place];
    const row = typeof line === 'number' ? own : line;
    return row && { ...renumber(row, (number) => this.placeOf(number)), row: place };
  }

  /** Line of a row by its number among all; the fold or neighbour that stands for one that is not listed. */
  placeOf(number: number): number {
    const own = this.#placeOf.get(number);
    if (own !== undefined) return own;
    const index = this.#table.index[number] ?? 0;
    return this.#first((line) => (typeof line === 'number' ? line > number : isIn(line, index)));
  }

  /** Line of a part of a message, or of the fold it is in. */
  placeOfMessage(index: number, part: number): number {
    const { index: indices, part: parts } = this.#table;
    let found = below(indices, index);
    for (let row = found; indices[row] === index && (parts[row] ?? 0) <= part; row++) found = row;
    return indices[found] === index ? this.placeOf(found) : this.#near(index);
  }

  #near(index: number): number {
    return this.#first((line) =>
      typeof line === 'number' ? (this.#table.index[line] ?? 0) >= index : isIn(line, index),
    );
  }

  /** The first line that fits, else the last. */
  #first(fits: (line: ListedRow) => boolean): number {
    const place = this.#lines.findIndex(fits);
    return place < 0 ? Math.max(0, this.#lines.length - 1) : place;
  }

  /** The next line with a change, or with one fate (then the first of its message). */
  nextChange(from: number, direction: 1 | -1, fate?: Row['fate']): number | null {
    if (fate === undefined) {
      const isAhead = (place: number) => (direction === 1 ? place > from : place < from);
      return (direction === 1 ? this.#changes.find(isAhead) : this.#changes.findLast(isAhead)) ?? null;
    }
    for (let place = from + direction; place >= 0 && place < this.#lines.length; place += direction) {
      if (this.#fateAt(place) === fate && this.#isFirst(place)) return place;
    }
    return null;
  }

  /** At most one change for each of `slots` equal parts, and the first lines of messages. */
  marks(slots: number, at: readonly number[], messages: number): RowMarksAnswer {
    const bySlot = new Map<number, RowMarksAnswer['changes'][number]>();
    for (let place = 0; place < this.#lines.length; place++) {
      const fate = this.#fateAt(place);
      if (fate === 'kept' || fate === 'future' || !this.#isFirst(place)) continue;
      const slot = Math.floor((place * slots) / Math.max(1, this.#lines.length));
      const held = bySlot.get(slot);
      const isFirst = held === undefined || WEIGHT.indexOf(fate) < WEIGHT.indexOf(held.fate);
      bySlot.set(slot, { ...(isFirst ? { row: place, fate } : held), count: (held?.count ?? 0) + 1 });
    }
    const rows = at.map((index) => (index < messages && this.length > 0 ? this.placeOfMessage(index, 0) : null));
    return { rowCount: this.length, changes: [...bySlot.values()].sort((a, b) => a.row - b.row), rows };
  }

  #fateAt(place: number): Row['fate'] {
    const line = this.#lines[place];
    return (typeof line === 'number' ? this.#table.fate[line] : line?.fate) ?? 'kept';
  }

  #isFirst(place: number): boolean {
    return this.#indexAt(place) !== this.#indexAt(place - 1);
  }

  #indexAt(place: number): number | undefined {
    const line = this.#lines[place];
    return typeof line === 'number' ? this.#table.index[line] : line?.index;
  }
}

/** From what a reader looks for to what merely differs. */
const WEIGHT: readonly string[] = ['dropped', 'summarised', 'redacted', 'synthetic', 'rewritten', 'merged'];

/** A fold that holds a message, or is behind it. */
function isIn(fold: Row, index: number): boolean {
  return (fold.to ?? fold.index + 1) > index;
}

function isTouched(fold: Row, open: readonly MessageSpan[]): boolean {
  return open.some(({ from, to }) => from < (fold.to ?? fold.index + 1) && to > fold.index);
}

function rowsIn({ index }: RowTable, fold: Row): readonly number[] {
  const first = below(index, fold.index);
  // What stages put behind the run stays out of it.
  const end = below(index, (fold.to ?? fold.index + 1) - 0.75);
  return Array.from({ length: end - first }, (_, at) => first + at);
}

/** How many of an ascending list are less than a value. */
function below(list: readonly number[], value: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
