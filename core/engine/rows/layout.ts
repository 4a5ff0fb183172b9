// Which row is what. A projection of 100,000 messages has as many rows, of which a screen asks for sixty; so rows are
// never listed. Messages take max(1, parts) rows each, by a prefix sum; synthetic messages and folded runs cut the
// sequence of those raw rows into segments, which are few, and found by binary search.

/**
 * What stands between raw rows, or in place of some. Sorted by position; a fold covers the messages [from, to), hidden
 * messages, or some parts of one, have no row. A synthetic one stands before a part of the message `before` (default 0).
 * What a filter leaves out is given in raw rows: without a row, or as one.
 */
export type RowSpecial =
  | { readonly kind: 'synthetic'; readonly before: number; readonly part?: number; readonly ordinal: number }
  | { readonly kind: 'hidden'; readonly from: number; readonly to: number }
  | { readonly kind: 'hidden_parts'; readonly index: number; readonly from: number; readonly to: number }
  | { readonly kind: 'fold'; readonly from: number; readonly to: number }
  | { readonly kind: 'filtered'; readonly fromRow: number; readonly toRow: number; readonly folds: boolean };

/** What a row is: part `part` of message `index`, the synthetic with an ordinal, or a folded run. */
export type RowPlace =
  | { readonly kind: 'part'; readonly index: number; readonly part: number }
  | { readonly kind: 'synthetic'; readonly ordinal: number }
  /** `filtered`: how many raw rows of it a filter left out, where one did, and the first of them. */
  | {
      readonly kind: 'fold';
      readonly from: number;
      readonly to: number;
      readonly filtered?: { readonly rows: number; readonly fromRow: number };
    };

/** A run of raw rows [from, to), or what is in their place. */
type Segment =
  | { readonly kind: 'rows' | 'hidden'; readonly from: number; readonly to: number }
  | { readonly kind: 'fold'; readonly from: number; readonly to: number; readonly place: RowPlace }
  | Extract<RowPlace, { kind: 'synthetic' }>;

/** Rows ↔ places of one projection. Rows count from 0. */
export interface RowLayout {
  readonly rowCount: number;
  /** Throws RangeError outside [0, rowCount). */
  place(row: number): RowPlace;
  /** Row of a part of a message, of its fold if it is folded, of the next row if hidden; a part beyond the last = the last. */
  rowOf(index: number, part: number): number;
  /** Row of a synthetic message by its ordinal; -1 if there is none. */
  rowOfSynthetic(ordinal: number): number;
}

/** Row numbers of the messages alone: entry i = rows before message i; one entry more than messages. */
export function messageRows(partCounts: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(partCounts.length + 1);
  for (let i = 0; i < partCounts.length; i++) starts[i + 1] = starts[i]! + Math.max(1, partCounts[i]!);
  return starts;
}

/** Where a special begins, in raw rows: in their order specials are given. */
export function specialRow(rows: Uint32Array, special: RowSpecial): number {
  switch (special.kind) {
    case 'synthetic':
      return rows[special.before]! + (special.part ?? 0);
    case 'hidden_parts':
      return rows[special.index]! + special.from;
    case 'filtered':
      return special.fromRow;
    case 'hidden':
    case 'fold':
      return rows[special.from]!;
  }
}

/** The layout of `messageRows` with `specials` put in. Folds must not overlap each other or a synthetic's place. */
export function createLayout(rows: Uint32Array, specials: readonly RowSpecial[]): RowLayout {
  const segments = segmentsOf(rows, specials);
  const starts = new Uint32Array(segments.length + 1);
  const firstRaw = new Uint32Array(segments.length);
  const synthetics = new Map<number, number>();
  let raw = 0;
  for (const [at, segment] of segments.entries()) {
    firstRaw[at] = raw;
    starts[at + 1] = starts[at]! + segmentRows(segment);
    if (segment.kind === 'synthetic') synthetics.set(segment.ordinal, starts[at]!);
    else raw = segment.to;
  }
  const rowCount = starts[segments.length]!;
  return {
    rowCount,
    place(row) {
      if (!Number.isInteger(row) || row < 0 || row >= rowCount) throw new RangeError(`no row ${row} of ${rowCount}`);
      const at = lastAtMost(starts, row, segments.length);
      return placeIn(rows, segments[at]!, row - starts[at]!);
    },
    rowOf(index, part) {
      const own = rows[index]! + Math.min(part, rows[index + 1]! - rows[index]! - 1);
      // Synthetics share their first raw row with the segment after them, which is the one that holds it.
      const at = lastAtMost(firstRaw, own, firstRaw.length);
      const segment = segments[at];
      if (segment?.kind !== 'rows') return Math.max(0, Math.min(starts[at]!, rowCount - 1));
      return starts[at]! + own - segment.from;
    },
    rowOfSynthetic: (ordinal) => synthetics.get(ordinal) ?? -1,
  };
}

function segmentsOf(rows: Uint32Array, specials: readonly RowSpecial[]): readonly Segment[] {
  const segments: Segment[] = [];
  let next = 0;
  const upTo = (raw: number) => {
    if (raw > next) segments.push({ kind: 'rows', from: next, to: raw });
    next = Math.max(next, raw);
  };
  for (const special of specials) {
    const from = specialRow(rows, special);
    upTo(from);
    if (special.kind === 'synthetic') {
      segments.push({ kind: 'synthetic', ordinal: special.ordinal });
      continue;
    }
    const to = endRow(rows, special);
    if (special.kind === 'fold') segments.push({ kind: 'fold', from, to, place: special });
    else if (special.kind === 'filtered' && special.folds) {
      const span = { from: messageAt(rows, from), to: messageAt(rows, to - 1) + 1 };
      const filtered = { rows: to - from, fromRow: from };
      segments.push({ kind: 'fold', from, to, place: { kind: 'fold', ...span, filtered } });
    } else segments.push({ kind: 'hidden', from, to });
    next = to;
  }
  upTo(rows[rows.length - 1]!);
  return segments;
}

function endRow(rows: Uint32Array, special: Exclude<RowSpecial, { kind: 'synthetic' }>): number {
  if (special.kind === 'filtered') return special.toRow;
  return special.kind === 'hidden_parts' ? rows[special.index]! + special.to : rows[special.to]!;
}

function segmentRows(segment: Segment): number {
  if (segment.kind === 'hidden') return 0;
  return segment.kind === 'rows' ? segment.to - segment.from : 1;
}

function placeIn(rows: Uint32Array, segment: Segment, offset: number): RowPlace {
  if (segment.kind === 'hidden') throw new Error('a hidden run has no row');
  if (segment.kind === 'synthetic') return segment;
  if (segment.kind === 'fold') return segment.place;
  const row = segment.from + offset;
  const index = lastAtMost(rows, row, rows.length);
  return { kind: 'part', index, part: row - rows[index]! };
}

/** The message that a raw row belongs to. */
export function messageAt(rows: Uint32Array, row: number): number {
  return lastAtMost(rows, row, rows.length);
}

/** Position of the last of the first `length` ascending values that is ≤ value; 0 if none is. */
function lastAtMost(values: Uint32Array, value: number, length: number): number {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A span of messages, end exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const FOLD_MIN = 9;
const FOLD_CONTEXT = 2;

/**
 * The runs to fold: more than eight messages in a row for which `unchanged` holds, with two left open beside a change
 * and at the end (`breaks`: ascending places where a synthetic message stands). Messages in one of the `open` spans stay.
 */
export function foldRuns(
  length: number,
  unchanged: (index: number) => boolean,
  breaks: readonly number[],
  open: readonly Span[],
): readonly Span[] {
  const runs: Span[] = [];
  const stays = new Uint8Array(length);
  for (const span of open) stays.fill(1, Math.min(span.from, length), Math.min(span.to, length));
  let from = 0;
  let nextBreak = 0;
  const close = (to: number) => {
    const start = from === 0 ? 0 : from + FOLD_CONTEXT;
    const stop = to - FOLD_CONTEXT;
    if (stop - start >= FOLD_MIN) runs.push({ from: start, to: stop });
  };
  for (let i = 0; i < length; i++) {
    while (nextBreak < breaks.length && breaks[nextBreak]! < i) nextBreak++;
    if (breaks[nextBreak] === i && i > from) {
      close(i);
      from = i;
    }
    if (unchanged(i) && stays[i] === 0) continue;
    close(i);
    from = i + 1;
  }
  close(length);
  return runs;
}
