// A view that moves from call point to call point. Items are in cells, one for each source index: synthetic items
// first, then the source item, if it is in the view. So a cell keeps its number whatever happens before it, a change
// names the cells it touched, and positions are sums.
import { Fenwick } from '../util/fenwick.ts';
import { sameOrigins } from './origins.ts';
import type { SyntheticItem, View, ViewItem } from './types.ts';

const NONE: readonly ViewItem[] = [];

/** A view of which no more than this share of cells has changed is patched where it is read again. */
const PATCHED = 8;

/** A place in a live view: its cell, and which item of the cell. */
export interface LivePlace {
  readonly cell: number;
  readonly slot: number;
}

/** Cells [from, to). */
export interface CellSpan {
  readonly from: number;
  readonly to: number;
}

/** A whole view, and its items by cell: of each cell how many are before it, and how many in all. */
export interface WholeCells {
  readonly whole: View;
  readonly offsets: Int32Array;
  readonly cells: number;
}

/** A view between two stages. Cells are 0 … the transcript's length; the last holds only what stands after everything. */
export class LiveView {
  readonly cells: number;
  /** The view that it was given at once: then everything in it is new. Null for one that moves on. */
  readonly whole: View | null = null;
  // Made with the first item: a whole view does not hold one itself.
  #items: (readonly ViewItem[])[] = [];
  #counts: Fenwick | null = null;
  readonly #before = new Map<number, readonly ViewItem[]>();
  #length = 0;
  /** The view as it was read last, and of cells that have changed since how many items they held then. */
  #flat: { view: View; readonly lengths: Map<number, number> } | null = null;
  /** Cells that are brought up to date when somebody reads them. */
  #leftOut: { readonly span: CellSpan; readonly renew: (cell: number) => void } | null = null;

  /** `messages` = the transcript's length. */
  constructor(messages: number) {
    this.cells = messages + 1;
  }

  /**
   * A view that moves on from a whole one: nothing in it is new. `like` = a view whose cells mostly held the same at the last
   * call point: those are shared, for a hundred thousand lists in each of seven stages are a third of what a collection
   * goes through.
   */
  static of({ whole, offsets, cells }: WholeCells, like: LiveView | null = null): LiveView {
    const made = new LiveView(cells - 1);
    made.#items = itemsByCell(whole, offsets, like);
    made.#counts = Fenwick.of(lengthsIn(offsets));
    made.#length = whole.items.length;
    made.#flat = { view: whole, lengths: new Map() };
    return made;
  }

  /** Changes to another view: what is different is reported as changed. */
  become({ whole, offsets }: WholeCells): void {
    for (let cell = 0; cell < this.cells; cell++) {
      const [from, to] = [offsets[cell]!, offsets[cell + 1]!];
      const known = this.at(cell);
      let same = 0;
      while (same < known.length && known[same] === whole.items[from + same]) same++;
      if (same !== known.length || same !== to - from) this.set(cell, whole.items.slice(from, to));
    }
    if (this.#before.size > 0) this.#flat = { view: whole, lengths: new Map() };
  }

  /** Of each cell how many items stand before it, and of all. */
  get offsets(): Int32Array {
    const offsets = new Int32Array(this.cells + 1);
    for (let cell = 0; cell < this.cells; cell++) offsets[cell + 1] = offsets[cell]! + this.at(cell).length;
    return offsets;
  }

  /** How many items the view holds. */
  get length(): number {
    return this.#length;
  }

  /** The cells that differ from the last call point, with what they held there. In no order. */
  get changed(): ReadonlyMap<number, readonly ViewItem[]> {
    return this.#before;
  }

  /**
   * These cells hold as many items as they do, of the same messages, but may hold other words: `renew` puts them there. Null
   * = all is up to date.
   */
  leaveOut(span: CellSpan | null, renew: (cell: number) => void): void {
    this.#leftOut = span === null ? null : { span, renew };
  }

  /** The items of a cell, in order. */
  at(cell: number): readonly ViewItem[] {
    if (this.#leftOut !== null) this.#renew(cell, this.#leftOut);
    return this.#items[cell] ?? NONE;
  }

  #renew(cell: number, leftOut: { readonly span: CellSpan; readonly renew: (cell: number) => void }): void {
    const { span, renew } = leftOut;
    if (cell < span.from || cell >= span.to) return;
    this.#leftOut = null;
    renew(cell);
    this.#leftOut = leftOut;
  }

  /** What a cell held at the last call point. */
  atBefore(cell: number): readonly ViewItem[] {
    return this.#before.get(cell) ?? this.at(cell);
  }

  /** Puts items into a cell, in place of those it held. */
  set(cell: number, items: readonly ViewItem[]): void {
    const known = this.#items[cell] ?? NONE;
    if (sameItems(known, items)) return;
    const before = this.#before.get(cell);
    if (before === undefined) this.#before.set(cell, known);
    else if (sameItems(before, items)) this.#before.delete(cell);
    if (this.#items.length === 0) this.#items = new Array<readonly ViewItem[]>(this.cells).fill(NONE);
    this.#items[cell] = items;
    if (this.#flat !== null && !this.#flat.lengths.has(cell)) this.#flat.lengths.set(cell, known.length);
    const more = items.length - known.length;
    if (more === 0) return;
    this.#length += more;
    this.#counts ??= new Fenwick(this.cells);
    this.#counts.add(cell, more);
  }

  /** Changes are reported relative to this point from now on. */
  settle(): void {
    this.#before.clear();
  }

  /** How many items stand before a cell. */
  before(cell: number): number {
    return this.#counts?.before(cell) ?? 0;
  }

  /** Where the item at a position stands; the end (last cell, behind its items) for the length and beyond. */
  place(position: number): LivePlace {
    const counts = this.#counts;
    if (counts === null || position >= this.#length) {
      return { cell: this.cells - 1, slot: this.at(this.cells - 1).length };
    }
    const cell = counts.find(position);
    return { cell, slot: position - counts.before(cell) };
  }

  /** The item at a position. */
  item(position: number): ViewItem {
    const { cell, slot } = this.place(position);
    const item = this.at(cell)[slot];
    if (item === undefined) throw new RangeError(`no position ${position} in a live view of ${this.#length}`);
    return item;
  }

  /** The next cell that holds something, from this one on; the number of cells if there is none. */
  nextCell(cell: number): number {
    for (let near = cell; near < Math.min(cell + 4, this.cells); near++)
      if ((this.#items[near] ?? NONE).length > 0) return near;
    const before = this.before(cell);
    return this.#counts === null || before >= this.#length ? this.cells : this.#counts.find(before);
  }

  /** The last item before a cell; null = there is none. */
  itemBefore(cell: number): ViewItem | null {
    for (let near = cell - 1; near >= Math.max(0, cell - 4); near--)
      if ((this.#items[near] ?? NONE).length > 0) return this.at(near).at(-1) ?? null;
    const position = this.before(cell);
    return position === 0 ? null : this.item(position - 1);
  }

  /** The whole view as stages are given it. */
  toView(): View {
    if (this.#leftOut !== null) for (let { from, to } = this.#leftOut.span; from < to; from++) this.at(from);
    const known = this.#flat;
    if (known !== null && known.lengths.size === 0) return known.view;
    const isPatched = known !== null && known.lengths.size * PATCHED < this.cells;
    const view: View = { items: isPatched ? this.#patched(known) : this.#items.flat() };
    this.#flat = { view, lengths: new Map() };
    return view;
  }

  // Between the cells that have changed the items are the same. Where each holds as many as it did they are put into a copy:
  // the view of a hundred thousand messages is copied at each step of a slider, and one call does that best.
  #patched({ view, lengths }: { readonly view: View; readonly lengths: ReadonlyMap<number, number> }): ViewItem[] {
    let isAsLong = true;
    for (const [cell, held] of lengths) if (this.at(cell).length !== held) isAsLong = false;
    if (isAsLong) {
      const items = view.items.slice();
      for (const cell of lengths.keys()) {
        const from = this.before(cell);
        for (const [slot, item] of this.at(cell).entries()) items[from + slot] = item;
      }
      return items;
    }
    const runs: (readonly ViewItem[])[] = [];
    let from = 0;
    let more = 0;
    for (const cell of [...lengths.keys()].sort((a, b) => a - b)) {
      const held = lengths.get(cell) ?? 0;
      const end = this.before(cell) - more;
      if (end > from) runs.push(view.items.slice(from, end));
      runs.push(this.at(cell));
      from = end + held;
      more += this.at(cell).length - held;
    }
    runs.push(view.items.slice(from));
    return runs.flat();
  }

  /** The item of a source message if it is in the view. */
  source(index: number): ViewItem | null {
    const last = this.at(index).at(-1);
    return last?.kind === 'source' ? last : null;
  }
}

/** True if two items reach the model as the same: one source message in one wording, or synthetic ones with one text. */
export function sameMessage(a: ViewItem | undefined, b: ViewItem | undefined): boolean {
  if (a === b) return true;
  if (a?.kind === 'source' && b?.kind === 'source') {
    return a.index === b.index && a.text === b.text && a.unrendered === b.unrendered;
  }
  return a?.kind === 'synthetic' && b?.kind === 'synthetic' && a.text === b.text;
}

function sameItems(a: readonly ViewItem[], b: readonly ViewItem[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!sameItem(a[at]!, b[at])) return false;
  return true;
}

function sameItem(a: ViewItem, b: ViewItem | undefined): boolean {
  if (a === b) return true;
  if (!sameMessage(a, b) || !sameOrigins(a.origins, b?.origins)) return false;
  if (a.kind === 'source' || b?.kind !== 'synthetic') return true;
  return a.covers.from === b.covers.from && a.covers.to === b.covers.to && a.stage === b.stage && sameReason(a, b);
}

function sameReason({ made: a }: SyntheticItem, { made: b }: SyntheticItem): boolean {
  return a === b || (a?.rule === b?.rule && a?.chip === b?.chip && a?.reason === b?.reason);
}

function lengthsIn(offsets: Int32Array): Uint32Array {
  const lengths = new Uint32Array(offsets.length - 1);
  for (let cell = 0; cell < lengths.length; cell++) lengths[cell] = offsets[cell + 1]! - offsets[cell]!;
  return lengths;
}

function itemsByCell({ items }: View, offsets: Int32Array, like: LiveView | null): (readonly ViewItem[])[] {
  const made = new Array<readonly ViewItem[]>(offsets.length - 1).fill(NONE);
  for (let cell = 0; cell < made.length; cell++) {
    const from = offsets[cell]!;
    const to = offsets[cell + 1]!;
    if (to === from) continue;
    const shared = like?.atBefore(cell) ?? NONE;
    made[cell] = isRun(shared, items, from, to) ? shared : items.slice(from, to);
  }
  return made;
}

function isRun(list: readonly ViewItem[], items: readonly ViewItem[], from: number, to: number): boolean {
  if (list.length !== to - from) return false;
  for (let at = from; at < to; at++) if (list[at - from] !== items[at]) return false;
  return true;
}

/** Puts a view's items into cells: a synthetic item into the cell behind the last source message before it. */
export function cellsOf(view: View): ReadonlyMap<number, readonly ViewItem[]> {
  const cells = new Map<number, ViewItem[]>();
  let open = 0;
  for (const item of view.items) {
    const cell = item.kind === 'source' ? item.index : open;
    const known = cells.get(cell);
    if (known === undefined) cells.set(cell, [item]);
    else known.push(item);
    if (item.kind === 'source') open = item.index + 1;
  }
  return cells;
}
