// The window of a context policy along the call points. While a history only grows at its end and its room does not, a
// unit that was refused stays refused: so the window is a queue, which takes new units at its end and gives up old ones at
// its beginning, and moving on costs what is new.
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { ViewReader } from '../../view/reader.ts';
import type { ViewItem } from '../../view/types.ts';
import type { History, Unit } from './history.ts';
import { refusal, type WindowEnd, type WindowLimits, type WindowUnit, windowOf } from './window.ts';

/** A unit by places, which hold while positions before them change. */
export interface LiveUnit {
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
export class LiveWindow {
  /** Oldest first, from `#from` on. */
  #units: LiveUnit[] = [];
  #from = 0;
  /** Turns begun in all, as LiveUnit.turns counts them. */
  #turns = 0;
  tokens = 0;
  messages = 0;
  refused: LiveUnit | null = null;
  /** Messages of its units that are shown although a summary covers them. */
  readonly covered = new Set<ViewItem>();
  end: WindowEnd | null = null;

  /** The oldest unit that is shown; null if none is. */
  get oldest(): LiveUnit | null {
    return this.#units[this.#from] ?? null;
  }

  turnsAfter({ turns }: LiveUnit): number {
    return this.#turns - turns;
  }

  /** Draws the window anew. */
  draw(input: LiveView, reader: ViewReader, history: History, limits: WindowLimits): void {
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
   * Takes in what came behind the last call point, `before`, and gives up what no longer fits. False if it cannot be told
   * this way: then it is to be drawn anew.
   */
  moveOn(before: number, input: LiveView, reader: ViewReader, history: History, limits: WindowLimits): boolean {
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

  get #last(): LiveUnit | null {
    return this.#units.length > this.#from ? (this.#units.at(-1) ?? null) : null;
  }

  #push(unit: LiveUnit): void {
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

  #forget({ covered }: LiveUnit): void {
    for (const item of covered) this.covered.delete(item);
  }

  #placed(unit: Unit, input: LiveView, reader: ViewReader, history: History): LiveUnit {
    const { start, end, positions, tokens, messages, turnsAfter } = unit;
    const items = positions.map((position) => reader.item(position));
    return {
      start: input.place(start),
      end: input.place(end),
      first: input.place(positions[0] ?? start),
      tokens,
      messages,
      turns: this.#turns - turnsAfter,
      covered: items.filter((item) => history.leavesHistory(item) === 'covered'),
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
