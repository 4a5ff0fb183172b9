import type { Problem } from '../../model/problem.ts';
import { Fenwick } from '../../util/fenwick.ts';
import { amount } from '../../view/amount.ts';
import { type IncrementalContext, type IncrementalRun, type ReportDetails, roomOf } from '../../view/incremental.ts';
import type { CellSpan, LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { parseParams } from '../../view/parseParams.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { Fate, ParamSchema, StageDefinition, View, ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { everyTurns } from './every.ts';
import { isBefore, LiveTurns } from './liveTurns.ts';
import { tierTokens } from './tiers.ts';
import { headEnd, type Turns } from './windowCut.ts';
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

const NAME = { kind: 'sliding_window', title: 'Sliding window' };

const TURNS: ParamSchema = {
  name: 'turns',
  label: 'Turns to keep',
  aliases: ['window', 'keep_turns'],
  ...amount('turns', 40, { to: 100 }),
  help: 'How many turns are kept, from the end. A turn is a user message and all up to the next one.',
};
const TOKENS: ParamSchema = {
  name: 'tokens',
  label: 'Most tokens',
  aliases: ['max_tokens', 'token_cap'],
  ...amount('tokens', 0, { to: 200_000 }),
  relax: { towards: 'more', unlimited: 0 },
  help: 'What all that stays may take together; the oldest turns go until it does. The last turn always stays. 0 = no cap.',
};
const FIT: ParamSchema = {
  name: 'fit_budget',
  label: 'Fit the budget',
  type: 'boolean',
  default: false,
  relax: { values: [false] },
  help: 'Also drop the oldest turns until the rest fits the budget (window − reserves − overhead). Does nothing where no window is known.',
};
const EVERY = everyTurns(
  'Drop N turns at a time',
  'Drop turns this many at a time: between the cuts the beginning stays as it is, and with it the provider’s cache.',
);
const PARAMS = [TURNS, TOKENS, FIT, EVERY];

/** The parsed parameters. `tokens` 0 = no cap. */
export interface SlidingWindowParams {
  readonly turns: number;
  readonly tokens: number;
  readonly fitBudget: boolean;
  readonly every: number;
}

/**
 * Keeps the leading messages that belong to no turn, and the last turns; cuts at the beginning of a turn only, so no pair
 * of call and result is split. Caps on the tiers user, assistant, thinking and calls let turns go earlier. Source: seed
 * of the reducer pipeline, "Sliding window on dialogue"; spec of reducers and budget.
 */
export const slidingWindow: StageDefinition<SlidingWindowParams> = {
  ...NAME,
  aliases: ['window'],
  family: 'reducers',
  traits: {
    dearness: { rank: 3, isStated: true },
    caps: {
      user: 'Sliding window lets the oldest turns go',
      assistant: 'Sliding window lets the oldest turns go',
    },
    clientTakes: 'history',
  },
  help: 'Keeps what comes before the first turn, and the last turns; everything between goes, whole turns at a time.',
  params: PARAMS,
  usesTokens: true,
  parse: (options) =>
    parseParams(PARAMS, options, (reader) => ({
      turns: reader.count(TURNS),
      tokens: reader.count(TOKENS),
      fitBudget: reader.flag(FIT),
      every: reader.count(EVERY),
    })),
  incremental: (params, context) => new SlidingWindow(params, context),
};

/** What goes: from the end of the head to the first turn that stays. */
interface Gap {
  readonly from: LivePlace;
  readonly to: LivePlace;
}

const NO_GAP: Gap = { from: { cell: 0, slot: 0 }, to: { cell: 0, slot: 0 } };
const NONE: readonly ViewItem[] = [];

/** So many of the turns that are dropped may come back: earlier ones will not. */
const SURE = 8;

/** The cut moves from one turn to the next, and what lies between where it was and where it is changes. */
class SlidingWindow implements IncrementalRun {
  #params: SlidingWindowParams;
  readonly #context: IncrementalContext;
  readonly #caps: readonly WindowCap[];
  readonly #live: LiveTurns;
  readonly #head: Fate;
  /** Tokens of each cap by turn, those of the head counted: slot 0 = before the first, slot i + 1 = turn i. */
  #sums = new Map<WindowCap, Fenwick>();
  readonly #totals = new Map<WindowCap, number>();
  #input: LiveView | null = null;
  #gap = NO_GAP;
  #turns: Turns | null = null;
  #limits: readonly Limit[] = [];
  /** Of each turn, shared by its messages: made when it is asked for. */
  #fates: Fate[] = [];
  /** The turn that was asked about last: the next one asked about is mostly near. */
  #lastTurn = 0;

  constructor(params: SlidingWindowParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#caps = windowCaps(params, context.budget);
    this.#live = new LiveTurns(context);
    this.#head = headFate(context.stage);
    this.#sums = this.#noSums();
  }

  // The cut is where it moves to anyway; caps are counted from the beginning.
  reconfigure(params: SlidingWindowParams): boolean {
    const { tokens, fitBudget } = this.#params;
    if (this.#input === null || params.tokens !== tokens || params.fitBudget !== fitBudget) return false;
    this.#params = params;
    return true;
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    this.#input = input;
    this.#fates = [];
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

  // A cut moves on with the conversation; it may move back by a turn where a result comes late. A cap on tokens may move it
  // anywhere.
  get gone(): CellSpan | null {
    const input = this.#input;
    const first = firstKept(this.#limits) - SURE;
    if (input === null || first <= 0 || this.#caps.length > 0) return null;
    const [from, to] = [this.#gap.from.cell + 1, this.#live.place(first, input).cell];
    return to > from ? { from, to } : null;
  }

  fateOf(index: number): Fate | null {
    return this.#input?.source(index) == null ? null : this.explain(index);
  }

  // Where turns alone decide, one rule drops them all.
  causeOf(): string | null {
    const [limit, ...caps] = this.#limits;
    return caps.length === 0 ? (limit?.rule ?? null) : null;
  }

  explain(index: number): Fate {
    const [input, turns] = [this.#input, this.#turns];
    if (input === null || turns === null) throw new Error('a stage is asked before its first step');
    const turn = this.#turnAt(input.before(index + 1) - 1, turns);
    if (turn < 0) return this.#head;
    const known = this.#fates[turn] ?? this.#fateOfTurn(turn, turns);
    this.#fates[turn] = known;
    return known;
  }

  report(): ReportDetails {
    const [count, turn] = [this.#turns?.count ?? 0, firstKept(this.#limits)];
    const { turns, every } = this.#params;
    const held = count <= turns ? '' : `; ${whyHeld(count - turns, every)}`;
    const summary =
      turn === 0
        ? `nothing to drop: ${countOf(count, 'turn')}, ${grouped(turns)} to keep${held}`
        : `${countOf(turn, 'turn')} dropped, ${grouped(count - turn)} kept`;
    const stays = describeRest(this.#turns === null ? 0 : headEnd(this.#turns), count - turn);
    return { summary, problems: overCaps(this.#caps, stays, (cap) => this.#held(cap, turn)) };
  }

  // The turn that a position lies in; -1 = before the first.
  #turnAt(position: number, turns: Turns): number {
    if (position < turns.start(0)) return -1;
    let low = 0;
    let high = turns.count - 1;
    const last = this.#lastTurn;
    if (last < turns.count && turns.start(last) <= position) {
      low = last;
      if (last + 1 < turns.count && turns.start(last + 1) > position) high = last;
    }
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (turns.start(middle) <= position) low = middle;
      else high = middle - 1;
    }
    this.#lastTurn = low;
    return low;
  }

  #fateOfTurn(turn: number, turns: Turns): Fate {
    const { stage } = this.#context;
    if (turn < firstKept(this.#limits)) return droppedFate(turn, turns, this.#limits, stage);
    const held = this.#caps.map((cap) => ({ cap, tokens: this.#held(cap, turn) }));
    return turnFate(turns.count - turn, this.#params, stage, held);
  }

  #noSums(): Map<WindowCap, Fenwick> {
    return new Map(this.#caps.map((cap) => [cap, new Fenwick(roomOf(this.#context) + 2)]));
  }

  #countAll(input: LiveView, follows: boolean): void {
    if (input.whole !== null) {
      this.#countWhole(input.whole, input);
      return;
    }
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

  // Turn by turn: a sum is added once for each.
  #countWhole({ items }: View, input: LiveView): void {
    const turns = this.#live.all(input);
    for (const cap of this.#caps) {
      let from = 0;
      for (let turn = -1; turn < turns.count; turn++) {
        const to = turns.start(turn + 1);
        let sum = 0;
        for (; from < to; from++) sum += this.#tokensOf(items[from]!, cap);
        this.#addTo(cap, turn, sum);
      }
    }
  }

  #add(cell: number, items: readonly ViewItem[], sign: 1 | -1): void {
    for (const [slot, item] of items.entries()) {
      const turn = this.#live.turnAt({ cell, slot });
      for (const cap of this.#caps) this.#addTo(cap, turn, sign * this.#tokensOf(item, cap));
    }
  }

  #addTo(cap: WindowCap, turn: number, tokens: number): void {
    if (tokens === 0) return;
    this.#sums.get(cap)?.add(turn + 1, tokens);
    this.#totals.set(cap, (this.#totals.get(cap) ?? 0) + tokens);
  }

  #tokensOf(item: ViewItem, { tier }: WindowCap): number {
    return tier === null
      ? itemTokens(item, this.#context)
      : tierTokens(item, this.#live.facts(item), tier, this.#context);
  }

  // Tokens of the head and of the turns from one on.
  #held(cap: WindowCap, turn: number): number {
    const sums = this.#sums.get(cap);
    const first = this.#live.ofHead + 1;
    return (sums?.before(first) ?? 0) + (this.#totals.get(cap) ?? 0) - (sums?.before(first + turn) ?? 0);
  }

  #isGone(place: LivePlace): boolean {
    return !isBefore(place, this.#gap.from) && isBefore(place, this.#gap.to);
  }

  #showAll(before: Gap, input: LiveView, overlay: Overlay): void {
    const { from, to } = this.#gap;
    if (input.whole !== null) {
      for (let cell = from.cell; cell <= to.cell; cell++) this.#show(cell, input, overlay);
      return;
    }
    const cells = new Set(input.changed.keys());
    for (const [a, b] of [
      [before.from.cell, from.cell],
      [before.to.cell, to.cell],
    ] as const) {
      for (let cell = Math.min(a, b); cell <= Math.max(a, b); cell++) cells.add(cell);
    }
    for (const cell of cells) this.#show(cell, input, overlay);
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const { from, to } = this.#gap;
    if (cell > from.cell && cell < to.cell) {
      overlay.replace(cell, NONE);
      overlay.fate(cell, input.source(cell) === null ? null : 'dropped');
      return;
    }
    const items = input.at(cell);
    const kept = items.filter((_, slot) => !this.#isGone({ cell, slot }));
    if (kept.length === items.length) overlay.pass(cell);
    else overlay.replace(cell, kept);
    const isGone = input.source(cell) !== null && this.#isGone({ cell, slot: items.length - 1 });
    overlay.fate(cell, isGone ? 'dropped' : null);
  }
}

// Why turns stay that are older than those to keep.
function whyHeld(old: number, every: number): string {
  return old < every
    ? `the cut moves ${grouped(every)} turns at a time (every)`
    : 'each cut before those would part a call from its result';
}

// What cannot go: the head, and the last turn with those that a call and its result bind to it; no turn if none is kept.
function describeRest(head: number, turns: number): string {
  const last = turns === 1 ? 'the last turn' : `the last ${grouped(turns)} turns`;
  if (turns === 0) return 'the beginning';
  return head === 0 ? last : `the beginning and ${last}`;
}

// What cannot go may be too much by itself: said, not cut.
function overCaps(caps: readonly WindowCap[], rest: string, held: (cap: WindowCap) => number): readonly Problem[] {
  return caps.flatMap((cap): readonly Problem[] => {
    const tokens = held(cap);
    if (tokens <= cap.cap) return [];
    const text = `What a window cannot drop, ${rest}, takes ${countOf(tokens, 'token')}: more than ${grouped(cap.cap)}, ${cap.name}.`;
    const where = cap.tier === null ? {} : { where: { path: `budget.caps.${cap.tier}` } };
    return [{ code: 'window.over_cap', severity: 'warning', text, ...where }];
  });
}
