// Where messages that are put back stand. Between two messages that are in the view there is a gap, in which there may be
// messages that no one wrote; those belong to no cell, and what is put back goes among them by what they stand for.
import { firstAt, insertSorted } from '../../util/sorted.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import type { SourceItem, SyntheticItem, ViewItem } from '../../view/types.ts';

const itself = (one: number): number => one;

/** Keeps the gaps of a view filled. A gap is named by the cell of the message behind it, or by the view's last cell. */
export class Gaps {
  /** Cells that hold something else than the input, ascending. */
  readonly #replaced: number[] = [];

  /** True if every cell holds what the input does. */
  get isEmpty(): boolean {
    return this.#replaced.length === 0;
  }

  /** The gaps that a cell borders on or lies in. */
  static around(cell: number, input: LiveView): readonly number[] {
    const behind = nextSource(cell, input);
    return behind === cell && cell < input.cells - 1 ? [cell, nextSource(cell + 1, input)] : [behind];
  }

  /** Fills a gap, the message behind it included: `back` gives what is put back of a cell, `cells` all such cells, ascending. */
  fill(
    end: number,
    back: (cell: number) => SourceItem | null,
    cells: readonly number[],
    input: LiveView,
    overlay: Overlay,
  ): void {
    const begin = previousSource(end, input) + 1;
    const wanted = new Map<number, readonly ViewItem[]>();
    const own = input.source(end);
    const gone = cells.slice(firstAt(cells, begin, itself), firstAt(cells, end, itself));
    if (gone.length > 0) this.#fillGone({ begin, end, gone, back }, input, wanted);
    const restored = own === null ? null : back(end);
    if (restored !== null) wanted.set(end, [...(wanted.get(end) ?? input.at(end).slice(0, -1)), restored]);
    else if (own !== null && wanted.has(end)) wanted.set(end, [...(wanted.get(end) ?? []), own]);
    this.#show(begin, end, wanted, overlay);
  }

  #fillGone(
    gap: { begin: number; end: number; gone: readonly number[]; back: (cell: number) => SourceItem | null },
    input: LiveView,
    wanted: Map<number, readonly ViewItem[]>,
  ): void {
    const { begin, end, gone, back } = gap;
    const made = syntheticIn(begin, end, input, wanted);
    let next = 0;
    for (const cell of gone) {
      const from = next;
      while (next < made.length && standsBefore(made[next]!, cell)) next++;
      const item = back(cell);
      wanted.set(cell, item === null ? made.slice(from, next) : [...made.slice(from, next), item]);
    }
    const behind = (gone.at(-1) ?? begin) + 1;
    if (next < made.length) wanted.set(behind, made.slice(next));
  }

  #show(begin: number, end: number, wanted: ReadonlyMap<number, readonly ViewItem[]>, overlay: Overlay): void {
    const from = firstAt(this.#replaced, begin, itself);
    const to = firstAt(this.#replaced, end + 1, itself);
    for (const cell of this.#replaced.slice(from, to)) if (!wanted.has(cell)) overlay.pass(cell);
    this.#replaced.splice(from, to - from);
    for (const [cell, items] of wanted) {
      insertSorted(this.#replaced, cell);
      overlay.replace(cell, items);
    }
  }
}

// The messages that no one wrote, in order; their cells are emptied, for they are placed again.
function syntheticIn(
  begin: number,
  end: number,
  input: LiveView,
  wanted: Map<number, readonly ViewItem[]>,
): readonly SyntheticItem[] {
  const made: SyntheticItem[] = [];
  for (let cell = input.nextCell(begin); cell <= end && cell < input.cells; cell = input.nextCell(cell + 1)) {
    const items = input.at(cell).filter((item) => item.kind === 'synthetic');
    if (items.length > 0) wanted.set(cell, []);
    made.push(...items);
  }
  return made;
}

// What stands for something earlier, or was put in before it.
function standsBefore({ covers }: SyntheticItem, index: number): boolean {
  return covers.from < index || covers.to <= index;
}

function nextSource(cell: number, input: LiveView): number {
  for (let next = input.nextCell(cell); next < input.cells; next = input.nextCell(next + 1)) {
    if (input.source(next) !== null) return next;
  }
  return input.cells - 1;
}

function previousSource(cell: number, input: LiveView): number {
  for (let position = input.before(cell) - 1; position >= 0; position--) {
    const item = input.item(position);
    if (item.kind === 'source') return item.index;
  }
  return -1;
}
