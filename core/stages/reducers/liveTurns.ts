// The turns of a view that moves from call point to call point: noted where they begin, read anew only where turns
// themselves change.
import type { MessageFacts } from '../../model/message.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import { itemFacts } from '../../view/reader.ts';
import type { ViewItem } from '../../view/types.ts';
import { type FactsReader, type Turns, turnsOfHead, withoutFirst } from './windowCut.ts';

/** The turns along the call points. */
export class LiveTurns {
  readonly #context: IncrementalContext;
  #starts: LivePlace[] = [];
  #at = 0;
  #ofHead = 0;

  constructor(context: IncrementalContext) {
    this.#context = context;
  }

  /** Moves on; false if turns began or ended where messages stood before: then nothing known of turns holds. */
  step(input: LiveView, at: number): boolean {
    const follows = this.#follows(input);
    if (follows) this.#readNew(input);
    else this.#readAll(input);
    this.#at = at;
    this.#ofHead = turnsOfHead(this.reader(input), this.#all(input));
    return follows;
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
    return withoutFirst(this.#all(input), this.#ofHead);
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

  #all(input: LiveView): Turns {
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

  // New messages behind all others, and edits that begin or end no turn.
  #follows(input: LiveView): boolean {
    for (const [cell, before] of input.changed) {
      if (cell >= this.#at && before.length === 0) continue;
      if (this.#beginnings(before) !== this.#beginnings(input.at(cell))) return false;
    }
    return true;
  }

  #beginnings(items: readonly ViewItem[]): string {
    return items.flatMap((item, slot) => (this.facts(item).beginsTurn ? [slot] : [])).join();
  }

  #readNew(input: LiveView): void {
    const cells = [...input.changed].flatMap(([cell, before]) =>
      cell >= this.#at && before.length === 0 ? [cell] : [],
    );
    for (const cell of cells.sort((a, b) => a - b)) this.#read(cell, input);
  }

  #readAll(input: LiveView): void {
    this.#starts = [];
    for (let cell = input.nextCell(0); cell < input.cells; cell = input.nextCell(cell + 1)) this.#read(cell, input);
  }

  #read(cell: number, input: LiveView): void {
    for (const [slot, item] of input.at(cell).entries()) {
      if (this.facts(item).beginsTurn) this.#starts.push({ cell, slot });
    }
  }
}

/** True if a place stands before another. */
export function isBefore(a: LivePlace, b: LivePlace): boolean {
  return a.cell < b.cell || (a.cell === b.cell && a.slot < b.slot);
}
