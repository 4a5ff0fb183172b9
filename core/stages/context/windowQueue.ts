// The window of a context policy from call point to call point. While a history only grows at its end and its room does not, a
// unit that was refused stays refused: so the window is a queue, which takes new units at its end and gives up old ones at
// its beginning, and moving on costs what is new.
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { ViewReader } from '../../view/reader.ts';
import type { ViewItem } from '../../view/types.ts';
import type { History, Unit } from './history.ts';
import { refusal, type WindowEnd, type WindowLimits, type WindowTotals, type WindowUnit, windowOf } from './window.ts';

/** A unit by places, which hold while positions before them change. */
export interface PlacedUnit {
  readonly start: LivePlace;
  readonly end: LivePlace;
  /** The first message of it that is shown. */
  readonly first: LivePlace;
  readonly tokens: number;
  readonly messages: number;
  /** Number of turns that have begun up to its end, counted from anywhere: differences count. */
  readonly turns: number;
  /** Messages shown although a summary covers them. */
  readonly covered: readonly ViewItem[];
}

/** The queue of units that are shown, and the one at which it ends. */
export class WindowQueue {
  /** Oldest first, from `#from` on. */
  #units: PlacedUnit[] = [];
  #from = 0;
  /** Turns begun in all, as PlacedUnit.turns counts them. */
  #turns = 0;
  tokens = 0;
  messages = 0;
  refused: PlacedUnit | null = null;
  /** Messages of its units that are shown although a summary covers them. */
  readonly covered = new Set<ViewItem>();
  end: WindowEnd | null = null;
  /** Of each unit that is shown the tokens of it and of all newer ones; null = to be summed up again. */
  #used: readonly number[] | null = null;

  /** The oldest unit that is shown; null if none is. */
  get oldest(): PlacedUnit | null {
    return this.#units[this.#from] ?? null;
  }

  get totals(): WindowTotals {
    const { tokens, messages, end, refused } = this;
    return { tokens, messages, end, refused: refused && { ...refused, turnsAfter: this.turnsAfter(refused) } };
  }

  /** The oldest unit that is shown as one of the last turns; null if none is. */
  firstOfLastTurns(keepLastTurns: number): PlacedUnit | null {
    for (let at = this.#from; at < this.#units.length; at++) {
      const unit = this.#units[at];
      if (unit !== undefined && this.turnsAfter(unit) < keepLastTurns) return unit;
    }
    return null;
  }

  /** The unit that a place shown lies in, with the tokens of it and of all newer units. */
  unitAt(place: LivePlace): { readonly unit: PlacedUnit; readonly used: number } | null {
    this.#used ??= this.#sums();
    let low = this.#from;
    let high = this.#units.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const unit = this.#units[middle];
      if (unit !== undefined && isBefore(unit.end, place)) low = middle + 1;
      else high = middle;
    }
    const unit = this.#units[low];
    return unit === undefined ? null : { unit, used: this.#used[low - this.#from] ?? 0 };
  }

  #sums(): number[] {
    let left = this.tokens;
    return this.#units.slice(this.#from).map(({ tokens }) => {
      left -= tokens;
      return left + tokens;
    });
  }

  turnsAfter({ turns }: PlacedUnit): number {
    return this.#turns - turns;
  }

  /** Draws the window again. */
  draw(input: LiveView, reader: ViewReader, history: History, limits: WindowLimits): void {
    this.#used = null;
    const { taken, refused, end } = windowOf(history.units(), limits);
    this.#turns = 0;
    this.#units = [];
    this.#from = 0;
    this.tokens = 0;
    this.messages = 0;
    this.covered.clear();
    for (const unit of taken.toReversed()) this.#push(this.#placed(unit, input, reader, history));
    this.end = end;
    this.refused = refused === null ? null : this.#placed(refused, input, reader, history);
  }

  /**
   * Takes in what came after the last call point, `before`, and gives up what no longer fits. False if it cannot decide
   * this way: then it is to be drawn again.
   */
  moveOn(before: number, input: LiveView, reader: ViewReader, history: History, limits: WindowLimits): boolean {
    this.#used = null;
    while (this.#last !== null && this.#last.end.cell >= before) this.#dropLast();
    if (this.#last === null) return false;
    const added: Unit[] = [];
    let met: number | null = null;
    for (const unit of history.units()) {
      const end = input.place(unit.end);
      const start = input.place(unit.start);
      if (samePlace(end, this.#last.end) && samePlace(start, this.#last.start)) {
        met = unit.turnsAfter;
        break;
      }
      added.push(unit);
      while (this.#last !== null && !isBefore(this.#last.end, start)) this.#dropLast();
      if (this.#last === null) return false;
    }
    if (met === null) return false;
    this.#turns = this.#last.turns + met;
    for (const unit of added.reverse()) this.#push(this.#placed(unit, input, reader, history));
    return this.#giveUp(limits);
  }

  get #last(): PlacedUnit | null {
    return this.#units.length > this.#from ? (this.#units.at(-1) ?? null) : null;
  }

  #push(unit: PlacedUnit): void {
    this.#units.push(unit);
    for (const item of unit.covered) this.covered.add(item);
    this.tokens += unit.tokens;
    this.messages += unit.messages;
  }

  #dropLast(): void {
    const unit = this.#units.pop();
    if (unit === undefined) return;
    this.#forget(unit);
    this.tokens -= unit.tokens;
    this.messages -= unit.messages;
  }

  // Whatever is older than a unit that does not fit does not fit either.
  #giveUp(limits: WindowLimits): boolean {
    for (let unit = this.oldest; unit !== null; unit = this.oldest) {
      const { tokens, messages } = unit;
      const sized: WindowUnit = { tokens, messages, turnsAfter: this.turnsAfter(unit) };
      const end = refusal(sized, this.tokens - tokens, this.messages - messages, limits);
      if (end === null) break;
      this.#from++;
      this.#forget(unit);
      this.tokens -= tokens;
      this.messages -= messages;
      this.refused = unit;
      this.end = end;
    }
    // The unit at which it ends is the same; which limit refuses it may be another by now.
    const { refused } = this;
    if (refused !== null) {
      const { tokens, messages } = refused;
      this.end = refusal(
        { tokens, messages, turnsAfter: this.turnsAfter(refused) },
        this.tokens,
        this.messages,
        limits,
      );
    }
    if (this.#from > 1000 && this.#from * 2 > this.#units.length) {
      this.#units = this.#units.slice(this.#from);
      this.#from = 0;
    }
    return refused === null || this.end !== null;
  }

  #forget({ covered }: PlacedUnit): void {
    for (const item of covered) this.covered.delete(item);
  }

  #placed(unit: Unit, input: LiveView, reader: ViewReader, history: History): PlacedUnit {
    const { start, end, positions, tokens, messages, turnsAfter } = unit;
    const items = positions.map((position) => reader.item(position));
    return {
      start: input.place(start),
      end: input.place(end),
      first: input.place(positions[0] ?? start),
      tokens,
      messages,
      turns: this.#turns - turnsAfter,
      covered: items.filter((item) => history.leaves(item) === 'covered'),
    };
  }
}

/** True if `a` stands before `b`. */
export function isBefore(a: LivePlace, b: LivePlace): boolean {
  return a.cell < b.cell || (a.cell === b.cell && a.slot < b.slot);
}

/** True if both are one place. */
export function samePlace(a: LivePlace, b: LivePlace): boolean {
  return a.cell === b.cell && a.slot === b.slot;
}
