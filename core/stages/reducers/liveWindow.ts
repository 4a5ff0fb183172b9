// The sliding window along the call points. The cut moves from one turn to the next, and what lies between where it was
// and where it is changes.
import { Fenwick } from '../../util/fenwick.ts';
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { Fate, ViewItem } from '../../view/types.ts';
import { isBefore, LiveTurns } from './liveTurns.ts';
import type { SlidingWindowParams } from './slidingWindow.ts';
import { tierTokens } from './tiers.ts';
import type { Turns } from './windowCut.ts';
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
  readonly #live: LiveTurns;
  /** Tokens of each cap by turn, those of the head counted: slot 0 = before the first, slot i + 1 = turn i. */
  #sums = new Map<WindowCap, Fenwick>();
  readonly #totals = new Map<WindowCap, number>();
  #input: LiveView | null = null;
  #gap = NO_GAP;
  #turns: Turns | null = null;
  #limits: readonly Limit[] = [];

  constructor(params: SlidingWindowParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#caps = windowCaps(params, context.budget);
    this.#live = new LiveTurns(context);
    this.#sums = this.#noSums();
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    this.#input = input;
    const follows = this.#live.step(input, at);
    if (this.#caps.length > 0) this.#countAll(input, follows);
    const turns = this.#live.turns(input);
    const reader = this.#live.reader(input);
    this.#turns = turns;
    this.#limits = limitsOf(reader, turns, this.#params, this.#caps, (cap, turn) => this.#held(cap, turn));
    const before = this.#gap;
    const first = firstKept(this.#limits);
    const place = (turn: number): LivePlace => this.#live.place(turn, input);
    this.#gap = first === 0 ? NO_GAP : { from: place(0), to: place(first) };
    this.#showAll(before, input, overlay);
  }

  fateOf(index: number): Fate | null {
    const turns = this.#turns;
    const { stage } = this.#context;
    if (turns === null || this.#input?.source(index) == null) return null;
    const place = { cell: index, slot: this.#input.at(index).length - 1 };
    const turn = this.#live.turnAt(place) - this.#live.ofHead;
    if (turn < 0) return headFate(stage);
    if (this.#isGone(place)) return droppedFate(turn, turns, this.#limits, stage);
    const held = this.#caps.map((cap) => ({ cap, tokens: this.#held(cap, turn) }));
    return turnFate(turns.count - turn, this.#params, stage, held);
  }

  #noSums(): Map<WindowCap, Fenwick> {
    return new Map(this.#caps.map((cap) => [cap, new Fenwick(this.#context.source.length + 2)]));
  }

  #countAll(input: LiveView, follows: boolean): void {
    if (follows) {
      for (const [cell, before] of input.changed) {
        this.#add(cell, before, -1);
        this.#add(cell, input.at(cell), 1);
      }
      return;
    }
    this.#sums = this.#noSums();
    this.#totals.clear();
    for (let cell = input.nextCell(0); cell < input.cells; cell = input.nextCell(cell + 1)) {
      this.#add(cell, input.at(cell), 1);
    }
  }

  #add(cell: number, items: readonly ViewItem[], sign: 1 | -1): void {
    for (const [slot, item] of items.entries()) {
      const turn = this.#live.turnAt({ cell, slot });
      for (const cap of this.#caps) {
        const own =
          cap.tier === null
            ? itemTokens(item, this.#context)
            : tierTokens(item, this.#live.facts(item), cap.tier, this.#context);
        if (own === 0) continue;
        this.#sums.get(cap)?.add(turn + 1, sign * own);
        this.#totals.set(cap, (this.#totals.get(cap) ?? 0) + sign * own);
      }
    }
  }

  #held(cap: WindowCap, turn: number): number {
    const sums = this.#sums.get(cap);
    const first = this.#live.ofHead + 1;
    return (sums?.before(first) ?? 0) + (this.#totals.get(cap) ?? 0) - (sums?.before(first + turn) ?? 0);
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
