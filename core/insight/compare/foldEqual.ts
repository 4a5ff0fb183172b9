// The lines of two aligned requests as rows: long runs of equal messages are one row, unless they were opened.
import type { AlignedMessage } from './align.ts';

/** A run of lines, end exclusive. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** A row is a line, or a run of equal lines. */
export type ComparedPlace = { readonly kind: 'line'; readonly line: number } | ({ readonly kind: 'fold' } & LineSpan);

/** Shorter runs are shown. */
const FOLD_LEAST = 4;
/** Equal lines that stay next to a difference. */
const CONTEXT = 1;

/** Rows ↔ lines. Rows count from 0. */
export class ComparedRows {
  readonly rowCount: number;
  readonly #folds: readonly LineSpan[];
  /** Row of each fold, ascending. */
  readonly #foldRows: readonly number[];
  readonly #lines: number;

  /** `open` = spans whose folds are open. */
  constructor(lines: readonly AlignedMessage[], open: readonly LineSpan[]) {
    const isOpen = (run: LineSpan) => open.some(({ from, to }) => from < run.to && run.from < to);
    this.#folds = equalRuns(lines).filter((run) => !isOpen(run));
    this.#lines = lines.length;
    let hidden = 0;
    this.#foldRows = this.#folds.map(({ from, to }) => {
      const row = from - hidden;
      hidden += to - from - 1;
      return row;
    });
    this.rowCount = lines.length - hidden;
  }

  /** Throws RangeError outside [0, rowCount). */
  place(row: number): ComparedPlace {
    if (!Number.isInteger(row) || row < 0 || row >= this.rowCount) throw new RangeError(`no row ${row}`);
    const at = lastAtMost(this.#foldRows, row);
    const [fold, foldRow] = [this.#folds[at], this.#foldRows[at]];
    if (fold === undefined || foldRow === undefined) return { kind: 'line', line: row };
    if (foldRow === row) return { kind: 'fold', from: fold.from, to: fold.to };
    return { kind: 'line', line: fold.to + row - foldRow - 1 };
  }

  /** Row of a line, or of the fold it is in. */
  rowOf(line: number): number {
    const at = lastAtMost(
      this.#folds.map(({ from }) => from),
      Math.min(line, this.#lines - 1),
    );
    const [fold, foldRow] = [this.#folds[at], this.#foldRows[at]];
    if (fold === undefined || foldRow === undefined) return line;
    return line < fold.to ? foldRow : foldRow + 1 + line - fold.to;
  }
}

function equalRuns(lines: readonly AlignedMessage[]): readonly LineSpan[] {
  const runs: LineSpan[] = [];
  for (let from = 0; from < lines.length; from++) {
    if (lines[from]?.mark !== 'equal') continue;
    let to = from + 1;
    while (lines[to]?.mark === 'equal') to++;
    const run = { from: from === 0 ? 0 : from + CONTEXT, to: to === lines.length ? to : to - CONTEXT };
    if (run.to - run.from >= FOLD_LEAST) runs.push(run);
    from = to;
  }
  return runs;
}

/** The next line in a direction at which a run of differing lines begins; null = there is none. */
export function nextDifference(lines: readonly AlignedMessage[], from: number, direction: 1 | -1): number | null {
  const begins = (at: number) => differs(lines[at]) && (at === 0 || lines[at - 1]?.mark !== lines[at]?.mark);
  for (let at = from + direction; at >= 0 && at < lines.length; at += direction) if (begins(at)) return at;
  return null;
}

function differs(line: AlignedMessage | undefined): boolean {
  return line !== undefined && line.mark !== 'equal';
}

// Position of the last of ascending values that is ≤ value; -1 if none is.
function lastAtMost(values: readonly number[], value: number): number {
  let [low, high] = [-1, values.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
