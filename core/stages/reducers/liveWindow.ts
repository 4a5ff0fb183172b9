// The sliding window along the call points. Turns are noted where they begin; the cut moves from one to the next, and what
// lies between where it was and where it is changes. Only where turns themselves change they are read anew.
import { Fenwick } from '../../util/fenwick.ts';
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts } from '../../view/reader.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { Fate, ViewItem } from '../../view/types.ts';
import type { SlidingWindowParams } from './slidingWindow.ts';
import { tierTokens } from './tiers.ts';
import { type FactsReader, type Turns, turnsOfHead, withoutFirst } from './windowCut.ts';
import {
  droppedFate,
  firstKept,
  headFate,
  type Limit,
  limitsOf,
  turnFate,
  type WindowCap,
  windowCaps,
} from './windowLimits.ts';

/** What goes: from the end of the head to the first turn that stays. */
interface Gap {
  readonly from: LivePlace;
  readonly to: LivePlace;
}

const NO_GAP: Gap = { from: { cell: 0, slot: 0 }, to: { cell: 0, slot: 0 } };

/** The run of one spec's stage. */
export class LiveWindow implements IncrementalRun {
  readonly #params: SlidingWindowParams;
  readonly #context: IncrementalContext;
  readonly #caps: readonly WindowCap[];
  /** Tokens of each cap by turn: slot 0 = before the first, slot i + 1 = turn i. */
  #sums: Map<WindowCap, Fenwick>;
  #totals = new Map<WindowCap, number>();
  #starts: LivePlace[] = [];
  #at = 0;
  #input: LiveView | null = null;
  #gap = NO_GAP;
  #turns: Turns | null = null;
  #ofHead = 0;
  #limits: readonly Limit[] = [];

  constructor(params: SlidingWindowParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#caps = windowCaps(params, context.budget);
    this.#sums = this.#noSums();
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    this.#input = input;
    if (this.#follows(input)) this.#takeIn(input);
    else this.#readAll(input);
    this.#at = at;
    const reader: FactsReader = { length: input.length, facts: (position) => this.#facts(input.item(position)) };
    const all = this.#allTurns(input);
    this.#ofHead = turnsOfHead(reader, all);
    const turns = withoutFirst(all, this.#ofHead);
    const held = (cap: WindowCap, turn: number): number => this.#held(cap, turn);
    this.#limits = limitsOf(reader, turns, this.#params, this.#caps, held);
    this.#turns = turns;
    const before = this.#gap;
    const first = firstKept(this.#limits);
    this.#gap = first === 0 ? NO_GAP : { from: this.#place(0, input), to: this.#place(first, input) };
    this.#showAll(before, input, overlay);
  }

  fateOf(index: number): Fate | null {
    const turns = this.#turns;
    const { stage } = this.#context;
    if (turns === null || this.#input?.source(index) == null) return null;
    const slot = this.#input.at(index).length - 1;
    const turn = this.#turnAt({ cell: index, slot }) - this.#ofHead;
    if (turn < 0) return headFate(stage);
    if (this.#isGone({ cell: index, slot })) return droppedFate(turn, turns, this.#limits, stage);
    return turnFate(turns.count - turn, this.#params, stage);
  }

  #facts(item: ViewItem) {
    return itemFacts(item, this.#context.source, this.#context.memo);
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
    return items.flatMap((item, slot) => (this.#facts(item).beginsTurn ? [slot] : [])).join();
  }

  #takeIn(input: LiveView): void {
    const cells = [...input.changed].sort(([a], [b]) => a - b);
    for (const [cell, before] of cells) {
      const isNew = cell >= this.#at && before.length === 0;
      if (isNew) this.#read(cell, input);
      else if (this.#caps.length > 0) {
        this.#add(cell, before, -1);
        this.#add(cell, input.at(cell), 1);
      }
    }
  }

  #readAll(input: LiveView): void {
    this.#starts = [];
    this.#sums = this.#noSums();
    this.#totals = new Map();
    for (let cell = input.nextCell(0); cell < input.cells; cell = input.nextCell(cell + 1)) this.#read(cell, input);
  }

  #noSums(): Map<WindowCap, Fenwick> {
    return new Map(this.#caps.map((cap) => [cap, new Fenwick(this.#context.source.length + 2)]));
  }

  #read(cell: number, input: LiveView): void {
    const items = input.at(cell);
    for (const [slot, item] of items.entries()) if (this.#facts(item).beginsTurn) this.#starts.push({ cell, slot });
    if (this.#caps.length > 0) this.#add(cell, items, 1);
  }

  #add(cell: number, items: readonly ViewItem[], sign: 1 | -1): void {
    for (const [slot, item] of items.entries()) {
      const turn = this.#turnAt({ cell, slot });
      for (const cap of this.#caps) {
        const own =
          cap.tier === null
            ? itemTokens(item, this.#context)
            : tierTokens(item, this.#facts(item), cap.tier, this.#context);
        if (own === 0) continue;
        this.#sums.get(cap)?.add(turn + 1, sign * own);
        this.#totals.set(cap, (this.#totals.get(cap) ?? 0) + sign * own);
      }
    }
  }

  // The turn a place lies in, the head's own turns among them; -1 = before the first.
  #turnAt(place: LivePlace): number {
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

  #allTurns(input: LiveView): Turns {
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

  #held(cap: WindowCap, turn: number): number {
    const sums = this.#sums.get(cap);
    const first = this.#ofHead + 1;
    return (sums?.before(first) ?? 0) + (this.#totals.get(cap) ?? 0) - (sums?.before(first + turn) ?? 0);
  }

  #place(turn: number, input: LiveView): LivePlace {
    return this.#starts[turn + this.#ofHead] ?? { cell: input.cells - 1, slot: input.at(input.cells - 1).length };
  }

  #isGone(place: LivePlace): boolean {
    return !isBefore(place, this.#gap.from) && isBefore(place, this.#gap.to);
  }

  #showAll(before: Gap, input: LiveView, overlay: Overlay): void {
    const cells = new Set(input.changed.keys());
    const { from, to } = this.#gap;
    for (const [a, b] of [
      [before.from.cell, from.cell],
      [before.to.cell, to.cell],
    ] as const) {
      for (let cell = Math.min(a, b); cell <= Math.max(a, b); cell++) cells.add(cell);
    }
    for (const cell of cells) this.#show(cell, input, overlay);
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const items = input.at(cell);
    const kept = items.filter((_, slot) => !this.#isGone({ cell, slot }));
    if (kept.length === items.length) overlay.pass(cell);
    else overlay.replace(cell, kept);
    const isGone = input.source(cell) !== null && this.#isGone({ cell, slot: items.length - 1 });
    overlay.fate(cell, isGone ? 'dropped' : null);
  }
}

function isBefore(a: LivePlace, b: LivePlace): boolean {
  return a.cell < b.cell || (a.cell === b.cell && a.slot < b.slot);
}
