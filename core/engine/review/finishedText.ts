// A finished file in rows that can be looked at: a line may be megabytes long.
import { MOST_HITS, type ReviewHits, type ReviewRow, ROW_CHARS } from '../../protocol/reviewTypes.ts';
import { textPattern } from '../../util/textPattern.ts';

/** Chunks joined, and characters searched, between two pauses. */
const CHUNKS = 200;
const SLICE_CHARS = 1_000_000;
/** Rows of one answer, and hits listed in one. */
const MOST_ROWS = 400;
const LISTED_HITS = 2_000;
/** Stand-ins that are marked. */
const MOST_MARKED = 2_000;

/** The text of a finished file. */
export class FinishedText {
  readonly text: string;
  /** Bytes of UTF-8. */
  readonly bytes: number;
  readonly lines: number;
  /** Offsets at which rows begin, and the end. */
  readonly #starts: Uint32Array;
  readonly #standIns: readonly string[];

  private constructor(text: string, starts: Uint32Array, lines: number, standIns: readonly string[]) {
    this.text = text;
    this.bytes = Buffer.byteLength(text);
    this.lines = lines;
    this.#starts = starts;
    this.#standIns = standIns;
  }

  /** Of a file's chunks; stand-ins in it are marked. A step now and then. */
  static *of(chunks: Iterable<string>, standIns: readonly string[]): Generator<void, FinishedText> {
    const all: string[] = [];
    for (const chunk of chunks) if (all.push(chunk) % CHUNKS === 0) yield;
    const text = all.join('');
    const starts: number[] = [0];
    let lines = 0;
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at);
      const next = end < 0 ? text.length : end + 1;
      for (let row = at + ROW_CHARS; row < next - 1; row += ROW_CHARS) starts.push(row);
      if (next < text.length) starts.push(next);
      if (++lines % CHUNKS === 0) yield;
      at = next;
    }
    const distinct = [...new Set(standIns)]
      .filter((one) => one.length >= 3 && one.length <= ROW_CHARS)
      .slice(0, MOST_MARKED);
    return new FinishedText(text, Uint32Array.from([...starts, text.length]), lines, distinct);
  }

  /** Rows of all lines together. */
  get rowCount(): number {
    return this.#starts.length - 1;
  }

  /** The rows [from, to), not more than 400. */
  rows(from: number, to: number): readonly ReviewRow[] {
    const last = Math.min(to, from + MOST_ROWS, this.rowCount);
    if (from >= last) return [];
    const [start, end] = [this.#starts[from] ?? 0, this.#starts[last] ?? this.text.length];
    const marks = this.#marksIn(Math.max(0, start - ROW_CHARS), Math.min(this.text.length, end + ROW_CHARS));
    let line = this.#lineAt(start);
    const rows: ReviewRow[] = [];
    for (let row = from; row < last; row++) {
      const [a, b] = [this.#starts[row] ?? 0, this.#starts[row + 1] ?? 0];
      const isFirst = a === 0 || this.text.charAt(a - 1) === '\n';
      if (isFirst && row > from) line++;
      const within = marks.flatMap(([x, y]): (readonly [number, number])[] => {
        return x < b && y > a ? [[Math.max(x, a) - a, Math.min(y, b) - a]] : [];
      });
      rows.push({ line: isFirst ? line : null, text: this.text.slice(a, b).replace(/\n$/, ''), marks: within });
    }
    return rows;
  }

  // 1-based number of the line that an offset is in.
  #lineAt(offset: number): number {
    let line = 1;
    for (let at = this.text.indexOf('\n'); at >= 0 && at < offset; at = this.text.indexOf('\n', at + 1)) line++;
    return line;
  }

  #marksIn(from: number, to: number): readonly (readonly [number, number])[] {
    const text = this.text.slice(from, to);
    const marks: (readonly [number, number])[] = [];
    for (const standIn of this.#standIns) {
      for (let at = text.indexOf(standIn); at >= 0; at = text.indexOf(standIn, at + standIn.length)) {
        marks.push([from + at, from + at + standIn.length]);
      }
    }
    return marks.sort((a, b) => a[0] - b[0]);
  }

  /** Where a text stands, in upper or lower case; not more than {@link MOST_HITS} are counted. */
  *search(text: string): Generator<void, ReviewHits> {
    const pattern = textPattern(text);
    const hits: { readonly row: number; readonly from: number }[] = [];
    let total = 0;
    for (let from = 0; pattern !== null && from < this.text.length && total < MOST_HITS; from += SLICE_CHARS) {
      // A hit that begins in a slice may end behind it.
      const slice = this.text.slice(from, from + SLICE_CHARS + text.length * 2);
      for (const hit of pattern.find(slice, MOST_HITS - total)) {
        if (hit.from >= SLICE_CHARS) break;
        total++;
        if (hits.length < LISTED_HITS) hits.push(this.#placeOf(from + hit.from));
      }
      yield;
    }
    return { total, hits };
  }

  #placeOf(offset: number): { readonly row: number; readonly from: number } {
    let [low, high] = [0, this.rowCount];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { row: low, from: offset - (this.#starts[low] ?? 0) };
  }
}
