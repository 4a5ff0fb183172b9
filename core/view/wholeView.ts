// A whole view as the one step from nothing is given it: every item is new. Nothing is filled cell by cell; where cells
// stand is worked out when it is asked for, in one pass.
import { type LivePlace, LiveView } from './liveView.ts';
import type { View, ViewItem } from './types.ts';

const NONE: readonly ViewItem[] = [];

/** A view of which everything has changed. It stays as it is. */
export class WholeView extends LiveView {
  override readonly whole: View;
  #offsets: Int32Array | null;
  #changed: ReadonlyMap<number, readonly ViewItem[]> | null = null;

  /**
   * `messages` = the transcript's length. Source items must be in ascending order, as the laws ask. `offsets` = of each
   * cell how many items stand before it, and of all; absent = a synthetic item is in the cell behind the last source item.
   */
  constructor(view: View, messages: number, offsets: Int32Array | null = null) {
    super(messages);
    this.whole = view;
    this.#offsets = offsets;
  }

  /** Of each cell how many items stand before it, and of all. */
  override get offsets(): Int32Array {
    return this.#cellOffsets();
  }

  override get length(): number {
    return this.whole.items.length;
  }

  override get changed(): ReadonlyMap<number, readonly ViewItem[]> {
    this.#changed ??= new Map(this.#filled().map((cell) => [cell, NONE]));
    return this.#changed;
  }

  override at(cell: number): readonly ViewItem[] {
    const from = this.before(cell);
    const to = this.before(cell + 1);
    return from === to ? NONE : this.whole.items.slice(from, to);
  }

  override source(index: number): ViewItem | null {
    const to = this.before(index + 1);
    const last = to === this.before(index) ? undefined : this.whole.items[to - 1];
    return last?.kind === 'source' ? last : null;
  }

  override atBefore(): readonly ViewItem[] {
    return NONE;
  }

  override set(): void {
    throw new Error('a whole view stays as it is');
  }

  override before(cell: number): number {
    const offsets = this.#cellOffsets();
    return offsets[Math.min(cell, offsets.length - 1)] ?? 0;
  }

  override place(position: number): LivePlace {
    if (position >= this.length) return { cell: this.cells - 1, slot: this.at(this.cells - 1).length };
    const cell = this.#cellAt(position);
    return { cell, slot: position - this.before(cell) };
  }

  override item(position: number): ViewItem {
    const item = this.whole.items[position];
    if (item === undefined) throw new RangeError(`no position ${position} in a view of ${this.length}`);
    return item;
  }

  override nextCell(cell: number): number {
    const position = this.before(cell);
    return position >= this.length ? this.cells : this.#cellAt(position);
  }

  override toView(): View {
    return this.whole;
  }

  #filled(): number[] {
    const cells: number[] = [];
    for (let cell = this.nextCell(0); cell < this.cells; cell = this.nextCell(cell + 1)) cells.push(cell);
    return cells;
  }

  // The last cell with no more than `position` items before it that holds the item.
  #cellAt(position: number): number {
    const item = this.whole.items[position];
    if (item?.kind === 'source') return item.index;
    const offsets = this.#cellOffsets();
    let low = 0;
    let high = this.cells - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((offsets[middle + 1] ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #cellOffsets(): Int32Array {
    this.#offsets ??= cellOffsets(this.whole, this.cells);
    return this.#offsets;
  }
}

/** Of each cell how many items stand before it, and of all; a synthetic item is in the cell behind the last source item. */
function cellOffsets({ items }: View, cells: number): Int32Array {
  const offsets = new Int32Array(cells + 1);
  let open = 0;
  for (const item of items) {
    const cell = item.kind === 'source' ? item.index : open;
    if (cell < open) throw new Error(`#${cell} is out of order`);
    offsets[cell + 1]! += 1;
    if (item.kind === 'source') open = cell + 1;
  }
  for (let cell = 1; cell <= cells; cell++) offsets[cell]! += offsets[cell - 1]!;
  return offsets;
}
