// The turns of a view that moves from call point to call point: noted where they begin, read again only where turns
// themselves change.
import type { MessageFacts } from '../../model/message.ts';
import { firstAt } from '../../util/sorted.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import { BEGINS_TURN, outlineOf } from '../../view/outline.ts';
import { itemFacts, readView } from '../../view/reader.ts';
import type { View, ViewItem } from '../../view/types.ts';
import { Structures } from './structure.ts';
import { type FactsReader, type Turns, turnsOfHead, withoutFirst } from './windowCut.ts';

/** Where turns begin in a whole view. */
interface ReadTurns {
  readonly view: View;
  readonly starts: readonly LivePlace[];
}

/** The turns along the call points. */
export class LiveTurns {
  readonly #context: IncrementalContext;
  readonly #structures: Structures;
  readonly #starts: LivePlace[] = [];
  #at = 0;
  #ofHead = 0;

  constructor(context: IncrementalContext) {
    this.#context = context;
    this.#structures = new Structures(context);
  }

  /** Moves on; false if turns began or ended where messages stood before: then nothing known of turns holds. */
  step(input: LiveView, at: number): boolean {
    if (input.whole !== null) return this.#readWhole(input.whole, input, at);
    const moved = this.#moved(input);
    const follows = moved.length === 0 && !this.#takesOthers(input);
    for (const cell of moved) this.#readAgain(cell, input);
    this.#readNew(input);
    this.#at = at;
    this.#ofHead = turnsOfHead(this.reader(input), this.all(input));
    return follows;
  }

  // The turns of a view that was read before, for another option or stage, are known.
  #readWhole(view: View, input: LiveView, at: number): true {
    const last = this.#context.memo.get('turns.lastRead', (): { read: ReadTurns | null } => ({ read: null }));
    if (last.read?.view !== view) last.read = { view, starts: this.#startsIn(view, input) };
    for (const start of last.read.starts) this.#starts.push(start);
    this.#at = at;
    this.#ofHead = turnsOfHead(this.reader(input), this.all(input));
    return true;
  }

  // In one pass over what is known of messages as a byte each.
  #startsIn(view: View, input: LiveView): readonly LivePlace[] {
    const flags = outlineOf(readView(view, this.#context.source, this.#context.memo), this.#context);
    const starts: LivePlace[] = [];
    for (let position = 0; position < view.items.length; position++) {
      if ((flags(position) & BEGINS_TURN) !== 0) starts.push(input.place(position));
    }
    return starts;
  }

  facts(item: ViewItem): MessageFacts {
    return itemFacts(item, this.#context.source, this.#context.memo);
  }

  /** Reads the view by position. */
  reader(input: LiveView): FactsReader & { item(position: number): ViewItem } {
    return {
      length: input.length,
      item: (position) => input.item(position),
      facts: (position) => this.facts(input.item(position)),
    };
  }

  /** The turns, without those that belong to the head. */
  turns(input: LiveView): Turns {
    return withoutFirst(this.all(input), this.#ofHead);
  }

  /** How many turns belong to the head. */
  get ofHead(): number {
    return this.#ofHead;
  }

  /** Where a turn begins, those of the head not counted; the end of the view if there is no such turn. */
  place(turn: number, input: LiveView): LivePlace {
    return this.#starts[turn + this.#ofHead] ?? { cell: input.cells - 1, slot: input.at(input.cells - 1).length };
  }

  /** Where the last turn begins; null if there is none. */
  get last(): LivePlace | null {
    return this.#starts.at(-1) ?? null;
  }

  /** The turn a place lies in, those of the head counted; -1 = before the first. */
  turnAt(place: LivePlace): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = this.#starts[middle];
      if (start !== undefined && !isBefore(place, start)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** All turns, those of the head too. */
  all(input: LiveView): Turns {
    const starts = this.#starts;
    return {
      count: starts.length,
      start(turn) {
        const place = starts[turn];
        return place === undefined ? input.length : input.before(place.cell) + place.slot;
      },
      length: input.length,
    };
  }

  // Cells in which turns began or ended, but for those of new messages.
  #moved(input: LiveView): readonly number[] {
    const moved: number[] = [];
    for (const [cell, before] of input.changed) {
      if (cell >= this.#at && before.length === 0) continue;
      if (!this.#structures.beginAlike(before, input.at(cell))) moved.push(cell);
    }
    return moved;
  }

  // A turn that begins before messages that were there already takes them from the turn before it: what is pending.
  #takesOthers(input: LiveView): boolean {
    let first = input.cells;
    for (const [cell, before] of input.changed) {
      const isNew = cell >= this.#at && before.length === 0 && cell < first;
      if (isNew && input.at(cell).some((item) => this.facts(item).beginsTurn)) first = cell;
    }
    if (first === input.cells) return false;
    for (const [cell, before] of input.changed) if (cell > first && before.length > 0) return true;
    for (let cell = input.nextCell(first + 1); cell < input.cells; cell = input.nextCell(cell + 1)) {
      if (input.atBefore(cell).length > 0) return true;
    }
    return false;
  }

  #readNew(input: LiveView): void {
    for (const [cell, before] of input.changed) {
      if (cell >= this.#at && before.length === 0) this.#readAgain(cell, input);
    }
  }

  #readAgain(cell: number, input: LiveView): void {
    const began: LivePlace[] = [];
    for (const [slot, item] of input.at(cell).entries()) {
      if (this.facts(item).beginsTurn) began.push({ cell, slot });
    }
    const from = firstAt(this.#starts, cell, cellOf);
    let to = from;
    while (this.#starts[to]?.cell === cell) to++;
    if (to > from || began.length > 0) this.#starts.splice(from, to - from, ...began);
  }
}

const cellOf = ({ cell }: LivePlace): number => cell;

/** True if a place stands before another. */
export function isBefore(a: LivePlace, b: LivePlace): boolean {
  return a.cell < b.cell || (a.cell === b.cell && a.slot < b.slot);
}
