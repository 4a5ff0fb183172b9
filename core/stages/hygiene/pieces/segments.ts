// A view cut into pieces on which the rules run one by one. Where a piece ends is a guess that makes pieces small; what a
// rule has to see in one piece is found out when it runs, and such pieces become one (chain.ts).
import { Fenwick } from '../../../util/fenwick.ts';
import type { LiveView } from '../../../view/liveView.ts';
import type { FateKind, View, ViewItem } from '../../../view/types.ts';
import type { Draft } from '../draft.ts';
import { isSystem } from '../rules/rule.ts';
import type { Change, SegmentContext } from '../types.ts';

/** Items that precede a cell's own: they were put after the last message of the segment before. */
export interface Overflow {
  readonly cell: number;
  readonly items: readonly ViewItem[];
}

/** Nothing: shared, there are many pieces. */
export const NO_CELLS: ReadonlyMap<number, readonly ViewItem[]> = new Map();
/** The same of kinds. */
export const NO_KINDS: ReadonlyMap<number, FateKind> = new Map();
const NO_SYNTHETIC: ReadonlyMap<ViewItem, number> = new Map();

/** What the rules of a level made of a piece follows from these. */
export interface Ran {
  readonly messages: readonly Draft[];
  readonly around: SegmentContext;
}

/** A piece of the view: the cells from `start` to the next piece, and what the rules made of it, level by level. */
export class Segment {
  readonly start: number;
  previous: Segment | null = null;
  next: Segment | null = null;
  drafts: readonly Draft[] = [];
  /** Cells of its synthetic items; a source item is in the cell of its index. */
  cells = NO_SYNTHETIC;
  readonly lists: (readonly Draft[])[] = [];
  readonly changes: (readonly Change[])[] = [];
  /** What each level ran on last, and what stood around it. */
  readonly ran: Ran[] = [];
  /** What its cells hold afterwards, where that differs from what was given. */
  out = NO_CELLS;
  spill: Overflow | null = null;
  kinds = NO_KINDS;
  /** Its changes by source index, once they were asked for. */
  byIndex: ReadonlyMap<number, Change | readonly Change[]> | null = null;
  /** Whether a source message is in the view afterwards, once it was asked for. */
  presence: ((index: number) => boolean) | null = null;
  /** Results that were put in, by the call, once they were asked for. */
  addedFor: ReadonlyMap<number, readonly Change[]> | null = null;
  /** The first source message it gives; null = none. */
  firstSource: number | null = null;
  /** It is one of the pieces; else it ended, or was taken out, and may come back. */
  isThere = true;
  /** It has come back with a block, and nothing of it or around it is different so far. */
  isBack = false;
  /** A synthetic item follows its last source message. */
  isOpen = false;
  /** The source message that was behind it when this was put into words. */
  behind = 0;
  #readRun = 0;
  #readEnd = 0;

  constructor(start: number) {
    this.start = start;
  }

  /** The messages that a level is given. */
  input(level: number): readonly Draft[] {
    return level === 0 ? this.drafts : (this.lists[level - 1] ?? []);
  }

  /** From now on it holds these messages, which pass every level as those before did. */
  passesAs(messages: readonly Draft[]): void {
    this.lists.fill(messages);
    for (const [level, { around }] of this.ran.entries()) this.ran[level] = { messages, around };
  }

  /** Reads a whole view. */
  readWhole(input: LiveView, { items }: View, draftOf: (item: ViewItem) => Draft): void {
    const cells = new Map<ViewItem, number>();
    for (const [position, item] of items.entries()) {
      if (item.kind === 'synthetic') cells.set(item, input.place(position).cell);
    }
    this.drafts = items.map(draftOf);
    this.cells = cells.size === 0 ? NO_SYNTHETIC : cells;
  }

  /** True if its cells hold what they held when it was read last. */
  holdsAsRead(view: LiveView): boolean {
    const end = this.next?.start ?? view.cells;
    const { drafts } = this;
    let at = 0;
    for (let cell = this.start; cell < end; cell++) {
      for (const item of view.at(cell)) if (drafts[at++]?.item !== item) return false;
    }
    return at === drafts.length;
  }

  /** Reads its items again; once in a `run`, as long as it ends where it did. */
  read(view: LiveView, draftOf: (item: ViewItem) => Draft, run: number): void {
    const end = this.next?.start ?? view.cells;
    if (this.#readRun === run && this.#readEnd === end) return;
    this.#readRun = run;
    this.#readEnd = end;
    const drafts: Draft[] = [];
    let cells: Map<ViewItem, number> | null = null;
    for (let cell = view.nextCell(this.start); cell < end; cell = view.nextCell(cell + 1)) {
      for (const item of view.at(cell)) {
        drafts.push(draftOf(item));
        if (item.kind === 'source') continue;
        cells ??= new Map();
        cells.set(item, cell);
      }
    }
    // The same list as long as the messages are the same: what was made of it is known by it. Of a piece that was empty
    // meanwhile too.
    if (!isSameList(drafts, this.drafts)) {
      const known = this.ran[0]?.messages;
      this.drafts = known !== undefined && isSameList(drafts, known) ? known : drafts;
    }
    this.cells = cells ?? NO_SYNTHETIC;
  }
}

function isSameList(a: readonly Draft[], b: readonly Draft[]): boolean {
  return a.length === b.length && a.every((draft, at) => draft === b[at]);
}

/** Pieces that are no more, but may come back: a summary that applies at one call point and not at the next. */
const ENDED_KEPT = 4_000;

/** No pieces: the same list wherever there are none, so that nobody goes through it. */
export const NOBODY: readonly Segment[] = [];

/** Pieces side by side whose cells came to hold nothing, taken out as one: those of [from, to). */
export interface Block {
  readonly pieces: readonly Segment[];
  readonly from: number;
  readonly to: number;
}

/** Positions [from, to) among the pieces of a block. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

function partOf({ pieces, to }: Block, span: Span): Block {
  const from = pieces[span.from]?.start ?? to;
  return { pieces: pieces.slice(span.from, span.to), from, to: pieces[span.to]?.start ?? to };
}

/** The pieces, in order. */
export class Segments {
  readonly #starts: Fenwick;
  readonly #byStart = new Map<number, Segment>();
  /** The last of those that ended, by their start: what was made of their messages is known. */
  readonly #ended = new Map<number, Segment>();
  /** What was taken out: its pieces are known by their starts all the same. */
  block: Block | null = null;
  first: Segment | null = null;
  last: Segment | null = null;

  constructor(cells: number) {
    this.#starts = new Fenwick(cells);
  }

  /** The piece that a cell belongs to; null = it stands before the first. */
  holding(cell: number): Segment | null {
    const found = this.#byStart.get(cell) ?? this.#startingBefore(cell);
    return found === null || found.isThere ? found : this.#startingBefore(this.block?.from ?? 0);
  }

  #startingBefore(cell: number): Segment | null {
    const before = this.#starts.before(cell);
    return before === 0 ? null : (this.#byStart.get(this.#starts.find(before - 1)) ?? null);
  }

  /** Begins a piece at a cell; the one before ends there. */
  begin(start: number): Segment {
    const segment = this.#ended.get(start) ?? new Segment(start);
    this.#ended.delete(start);
    segment.isThere = true;
    segment.previous = this.holding(start);
    segment.next = segment.previous === null ? this.first : segment.previous.next;
    if (segment.previous === null) this.first = segment;
    else segment.previous.next = segment;
    if (segment.next === null) this.last = segment;
    else segment.next.previous = segment;
    this.#byStart.set(start, segment);
    this.#starts.add(start, 1);
    return segment;
  }

  /** Ends a piece: its cells belong to the one before. Gives one that will not come back; null = all may. */
  end(segment: Segment): Segment | null {
    if (segment.isThere) this.#unlink(segment, segment);
    segment.isThere = false;
    this.#byStart.delete(segment.start);
    this.#starts.add(segment.start, -1);
    return this.#keep(segment);
  }

  /** True if nothing stands between these pieces, side by side, and what was taken out. */
  isBesideBlock(first: Segment, last: Segment): boolean {
    const from = this.block?.from;
    return from !== undefined && this.#startingBefore(from) === (from < first.start ? first.previous : last);
  }

  /** Those of what was taken out, from the first on, that are more than are kept: mostly they do not come back. */
  takeSurplus(): readonly Segment[] {
    const { block } = this;
    if (block === null || block.pieces.length <= ENDED_KEPT) return [];
    const from = block.pieces.length - ENDED_KEPT;
    this.block = partOf(block, { from, to: block.pieces.length });
    return block.pieces.slice(0, from);
  }

  /** Takes pieces side by side out, none of them the first, together with what is out already beside them; gives them. */
  takeOut(first: Segment, last: Segment, to: number): readonly Segment[] {
    const pieces: Segment[] = [];
    for (let at: Segment | null = first; at !== null && at !== last.next; at = at.next) pieces.push(at);
    const known = this.block;
    if (known === null) this.block = { pieces, from: first.start, to };
    else if (known.from < first.start) this.block = { pieces: [...known.pieces, ...pieces], from: known.from, to };
    else this.block = { pieces: [...pieces, ...known.pieces], from: first.start, to: known.to };
    this.#unlink(first, last);
    for (const piece of pieces) {
      piece.isThere = false;
      piece.isBack = false;
    }
    return pieces;
  }

  /** Puts back what was taken out, but for the pieces of these positions. */
  putBack({ pieces, from, to }: Block, still: Span | null): void {
    const previous = this.#startingBefore(from);
    const next = previous === null ? this.first : previous.next;
    this.block = still === null ? null : partOf({ pieces, from, to }, still);
    let before = previous;
    for (let at = 0; at < pieces.length; at++) {
      if (at === still?.from) at = still.to;
      const piece = pieces[at];
      if (piece === undefined) break;
      piece.isThere = true;
      piece.previous = before;
      if (before === null) this.first = piece;
      else before.next = piece;
      before = piece;
    }
    if (before === null) return;
    before.next = next;
    if (next === null) this.last = before;
    else next.previous = before;
  }

  #unlink({ previous }: Segment, { next }: Segment): void {
    if (previous === null) this.first = next;
    else previous.next = next;
    if (next === null) this.last = previous;
    else next.previous = previous;
  }

  #keep(segment: Segment): Segment | null {
    this.#ended.set(segment.start, segment);
    if (this.#ended.size <= ENDED_KEPT) return null;
    for (const [start, oldest] of this.#ended) {
      this.#ended.delete(start);
      return oldest;
    }
    return null;
  }
}

/** True if a piece may begin with a message: its role is another than that of the one before, and it answers nothing. */
export function mayBegin(draft: Draft, before: Draft | null): boolean {
  if (before === null) return true;
  return !draft.pairing.results && draft.role !== before.role && !isSystem(draft.role) && !isSystem(before.role);
}
