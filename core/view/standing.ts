// Where the parts of a view stand among the rows of the raw transcript: the other side of origins. A part of a message that
// is in its own item needs no word; reported are parts that a stage moved, joined, took out or wrote.
import { longestAscending } from '../util/ascending.ts';
import { originOf } from './origins.ts';
import type { SourceItem, View, ViewItem } from './types.ts';

/** A part of a view: the position of its item, and which part of that. */
export interface ViewPart {
  readonly position: number;
  readonly part: number;
}

/** Where a raw part stands. `own`: in its own row; else it is shown where that part of the view stands. */
export interface StandingPart extends ViewPart {
  readonly own: boolean;
}

/** A part of a source item without its own row, and the raw row (see {@link RowStarts}) before which it is shown. */
export interface ExtraPart extends ViewPart {
  readonly beforeRow: number;
}

/** The standing of a view's parts. */
export interface Standing {
  /** By source index, for messages whose parts are not simply in their own item: of each raw part where; null = nowhere. */
  readonly messages: ReadonlyMap<number, readonly (StandingPart | null)[]>;
  /** In the order of the view, and of their rows. */
  readonly extras: readonly ExtraPart[];
}

/** Rows of the raw messages: entry i = rows before message i; a message has one for each part, and at least one. */
export type RowStarts = ArrayLike<number>;

const NOTHING_MOVED: Standing = { messages: new Map(), extras: [] };

/** `parts` = how many parts each raw message has. One pass over the view; what is untouched costs a look. */
export function standingOf(view: View, starts: RowStarts, parts: (index: number) => number): Standing {
  const { items } = view;
  if (items.every(({ origins }) => origins === undefined)) return NOTHING_MOVED;
  const messages = new Map<number, (StandingPart | null)[]>();
  const open = (index: number): (StandingPart | null)[] => {
    const known = messages.get(index) ?? new Array<StandingPart | null>(Math.max(1, parts(index))).fill(null);
    messages.set(index, known);
    return known;
  };
  const owners = new Set(
    items.flatMap((item) => (item.kind === 'source' && item.origins === undefined ? [item.index] : [])),
  );
  // A message that stands as it is has its own rows, whatever copies of it there are.
  const place: PlacePart = (index, part, standing) => {
    if (owners.has(index)) return;
    const known = open(index);
    if (known[part]?.own !== true) known[part] = standing;
  };
  const extras: ExtraPart[] = [];
  const next = rowsBehind(items, starts);
  let cursor = 0;
  for (const [position, item] of items.entries()) {
    const to = next[position] ?? 0;
    if (item.kind === 'synthetic') {
      placeAll(item, position, place);
      // It stands right before the next message.
      cursor = Math.max(cursor, to);
    } else if (item.origins === undefined) cursor = starts[item.index + 1] ?? cursor;
    else {
      open(item.index);
      const isBare = parts(item.index) === 0;
      cursor = placeItem({ item, position, span: { from: cursor, to }, starts, isBare }, place, extras);
    }
  }
  return { messages, extras };
}

type PlacePart = (index: number, part: number, standing: StandingPart) => void;

// For each position the row of the next message behind it that is in the view: what stands before that has rows before.
function rowsBehind(items: readonly ViewItem[], starts: RowStarts): Float64Array {
  const rows = new Float64Array(items.length);
  let row = starts[starts.length - 1] ?? 0;
  for (let position = items.length - 1; position >= 0; position--) {
    rows[position] = row;
    const item = items[position];
    if (item?.kind === 'source') row = starts[item.index] ?? row;
  }
  return rows;
}

interface Placing {
  readonly item: SourceItem;
  readonly position: number;
  /** Raw rows that its parts may have. */
  readonly span: { readonly from: number; readonly to: number };
  readonly starts: RowStarts;
  /** The raw message has no parts: its one row is for the first part that a stage gave it. */
  readonly isBare: boolean;
}

// As many parts as can be in their own rows, in order, do; the others are shown behind the part before them.
function placeItem({ item, position, span, starts, isBare }: Placing, place: PlacePart, extras: ExtraPart[]): number {
  const wanted = (item.origins ?? []).map((places, part) => {
    if (isBare && part === 0) return starts[item.index] ?? null;
    const rows = places.map(({ message, part: raw }) => (starts[message] ?? 0) + raw);
    return rows.find((row) => row >= span.from && row < span.to) ?? null;
  });
  const chosen = longestAscending(wanted);
  const firstOwn = wanted.find((row, part) => row !== null && chosen.has(part)) ?? Number.POSITIVE_INFINITY;
  let cursor = Math.max(span.from, Math.min(starts[item.index] ?? 0, firstOwn));
  for (const [part, row] of wanted.entries()) {
    const isOwn = row !== null && chosen.has(part);
    if (isOwn) cursor = row + 1;
    else extras.push({ position, part, beforeRow: cursor });
    let isFirst = isOwn;
    if (isBare && part === 0) place(item.index, 0, { position, part, own: true });
    for (const { message, part: raw } of originOf(item, part)) {
      const own = isFirst && (starts[message] ?? 0) + raw === row;
      if (own) isFirst = false;
      place(message, raw, { position, part, own });
    }
  }
  return cursor;
}

function placeAll(item: ViewItem, position: number, place: PlacePart): void {
  for (const [part, places] of (item.origins ?? []).entries()) {
    for (const { message, part: raw } of places) place(message, raw, { position, part, own: false });
  }
}
