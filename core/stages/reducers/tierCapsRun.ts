// The run of caps on tiers: of each capped tier the oldest units go until the rest is under the cap. What goes is always a
// beginning of the units that may go at all: so the cut moves one way as the conversation grows. For each tier three sums over
// the cells are kept: what it holds, how many units may go, what leaves it with them. From these the cut is found without
// looking at the units; what changes lies between where it was and is.
import type { MessageFacts } from '../../model/message.ts';
import type { Problem } from '../../model/problem.ts';
import { capTokens } from '../../tokens/budget.ts';
import { Fenwick } from '../../util/fenwick.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import {
  type IncrementalContext,
  type IncrementalRun,
  type IncrementalSteps,
  type ReportDetails,
  roomOf,
} from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import { ownPartOf } from '../../view/origins.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts } from '../../view/reader.ts';
import {
  type Fate,
  PAUSE,
  PAUSE_EVERY,
  type PartFate,
  type SourceItem,
  type StageContext,
  type View,
  type ViewItem,
} from '../../view/types.ts';
import { isAllOf, withoutUnits } from './evictParts.ts';
import { isBefore, LiveTurns } from './liveTurns.ts';
import { EVICTED_TIERS, type EvictedTier, type TierCapsParams, tierParts, type Unit } from './tierParts.ts';
import {
  capsSummary,
  describeEvicted,
  describeKept,
  evictedFate,
  keptFate,
  PART_KIND,
  type PlacedUnit,
  stillOver,
  type TierCut,
} from './tierWords.ts';

/** The tiers of a budget that are capped, of those whose parts can go one by one. */
function cappedTiers(budget: StageContext['budget']): readonly { readonly tier: EvictedTier; readonly cap: number }[] {
  return EVICTED_TIERS.flatMap((tier) => {
    const cap = capTokens(budget, tier);
    return cap === null ? [] : [{ tier, cap }];
  });
}

/** How many of `candidates` go if `wanted` had to, at the least: so many at a time, and never the newest. */
function evictedCount(wanted: number, candidates: number, { keep, every }: TierCapsParams): number {
  const rounded = Math.ceil(wanted / every) * every;
  return Math.min(rounded, Math.max(0, candidates - keep));
}

/** A unit and whether it goes. */
interface Decided {
  readonly unit: Unit;
  readonly cut: TierCut;
  readonly goes: boolean;
}

type FateContext = Pick<StageContext, 'source' | 'memo' | 'stage'>;

/** The fate of a message by what was decided about its units; null = it holds nothing of a capped tier. */
function fateOfUnits(
  item: ViewItem,
  decided: readonly Decided[],
  facts: MessageFacts,
  params: TierCapsParams,
  context: FateContext,
): Fate | null {
  if (decided.length === 0) return null;
  const gone = decided.filter(({ goes }) => goes);
  const units = gone.map(({ unit }) => unit);
  const isEdited = item.kind === 'source' && gone.length > 0 && withoutUnits(item, facts, units, context) !== item;
  if (isEdited) return goneFate(item, gone, facts, context);
  return keptFate(
    context.stage,
    decided.map(({ unit, cut }) => describeKept(unit, cut, params)),
  );
}

function goneFate(item: ViewItem, gone: readonly Decided[], facts: MessageFacts, context: FateContext): Fate {
  const parts: PartFate[] = [];
  for (const { unit, cut } of gone) {
    const reason = describeEvicted(unit, cut);
    for (const at of unit.parts) {
      const part = ownPartOf(item, at);
      if (part !== null) parts.push({ part, kind: PART_KIND[unit.tier], reason });
    }
  }
  if (parts.length > 1) parts.sort((a, b) => a.part - b.part);
  const isWhole = isAllOf(
    facts,
    gone.map(({ unit }) => unit),
  );
  return evictedFate(context.stage, gone, isWhole, parts);
}

/** The run of one spec's stage. */
export class TierCapsRun implements IncrementalRun {
  readonly #params: TierCapsParams;
  readonly #context: IncrementalContext;
  readonly #tiers: readonly LiveTier[];
  readonly #live: LiveTurns;
  readonly #none: Fate;
  #input: LiveView | null = null;
  /** Where the last turn begins: thinking in it is locked that is free once the next one begins. */
  #open: LivePlace | null = null;

  constructor(params: TierCapsParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#tiers = cappedTiers(context.budget).map(
      ({ tier, cap }) => new LiveTier(tier, cap, params, roomOf(context) + 1),
    );
    this.#live = new LiveTurns(context);
    this.#none = notConcerned(this.#tiers, context.stage);
  }

  // Without a cap it does nothing.
  get keepsTurns(): boolean {
    return this.#tiers.length === 0;
  }

  get readsNoWords(): boolean {
    return this.#tiers.length === 0;
  }

  *step(input: LiveView, at: number, overlay: Overlay): IncrementalSteps {
    this.#input = input;
    if (this.#tiers.length === 0) return;
    this.#live.step(input, at);
    const before = this.#open;
    this.#open = this.#live.last;
    const dirty = new Set<number>();
    if (input.whole !== null) yield* this.#readWhole(input.whole, input);
    else {
      for (const cell of input.changed.keys()) dirty.add(cell);
      this.#reopen(before, input, dirty);
      for (const cell of dirty) this.#read(cell, input);
    }
    for (const tier of this.#tiers) tier.cut(dirty);
    let shown = 0;
    for (const cell of dirty) {
      if (++shown % PAUSE_EVERY === 0) yield PAUSE;
      this.#show(cell, input, overlay);
    }
  }

  fateOf(index: number): Fate | null {
    const item = this.#input?.source(index) ?? null;
    if (item === null) return null;
    return fateOfUnits(item, this.#decided(index), this.#facts(item), this.#params, this.#context);
  }

  explain(index: number): Fate {
    return this.fateOf(index) ?? this.#none;
  }

  report(): ReportDetails {
    const cuts = this.#tiers.map((tier) => tier.state);
    const reclaimedTokens = this.#tiers.reduce((sum, tier) => sum + tier.saved(), 0);
    const problems = this.#tiers.flatMap((tier): readonly Problem[] => {
      const problem = stillOver(tier.state, tier.placedUnits(this.#open?.cell ?? -1), this.#params);
      return problem === null ? [] : [problem];
    });
    return { summary: capsSummary(cuts), reclaimedTokens, problems };
  }

  #facts(item: ViewItem) {
    return itemFacts(item, this.#context.source, this.#context.memo);
  }

  // The cells whose thinking was in the last turn and is not any more, or the other way round.
  #reopen(before: LivePlace | null, input: LiveView, dirty: Set<number>): void {
    const [a, b] = [before?.cell ?? 0, this.#open?.cell ?? 0];
    if (!this.#params.signedThinking || a === b) return;
    for (let cell = Math.min(a, b); cell <= Math.max(a, b) && cell < input.cells; cell++) dirty.add(cell);
  }

  // Most messages hold nothing of a capped tier: only the cells of others are read.
  *#readWhole({ items }: View, input: LiveView): IncrementalSteps {
    let read = -1;
    for (let position = 0; position < items.length; position++) {
      if (position % PAUSE_EVERY === 0) yield PAUSE;
      if (!this.#holdsTier(items[position]!)) continue;
      const { cell } = input.place(position);
      if (cell !== read) this.#read(cell, input);
      read = cell;
    }
  }

  #holdsTier(item: ViewItem): boolean {
    const { parts } = this.#facts(item);
    for (let at = 0; at < parts.length; at++) {
      const category = parts[at]?.category;
      for (let tier = 0; tier < this.#tiers.length; tier++) if (this.#tiers[tier]?.tier === category) return true;
    }
    return false;
  }

  #read(cell: number, input: LiveView): void {
    const items = input.at(cell);
    for (const tier of this.#tiers) {
      let held = 0;
      const units: Unit[] = [];
      for (const [slot, item] of items.entries()) {
        const isOpen = this.#open === null || !isBefore({ cell, slot }, this.#open);
        const parts = tierParts(tier.tier, item, this.#facts(item), isOpen, this.#params, this.#context);
        held += parts.tokens;
        units.push(...parts.units);
      }
      tier.set(cell, held, units);
    }
  }

  #decided(cell: number): readonly Decided[] {
    return this.#tiers.flatMap((tier) => tier.decided(cell));
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const item = input.source(cell);
    const gone = item === null ? [] : this.#decided(cell).flatMap(({ unit, goes }) => (goes ? [unit] : []));
    const after = item?.kind !== 'source' || gone.length === 0 ? item : this.#without(item, gone);
    if (after === item) {
      overlay.pass(cell);
      overlay.fate(cell, null);
      return;
    }
    const others = input.at(cell).slice(0, -1);
    overlay.replace(cell, after === null ? others : [...others, after]);
    const isRedacted = gone.some(({ tier }) => tier === 'image');
    overlay.fate(cell, after === null ? 'dropped' : isRedacted ? 'redacted' : 'rewritten');
  }

  #without(item: SourceItem, gone: readonly Unit[]): ViewItem | null {
    return withoutUnits(item, this.#facts(item), gone, this.#context);
  }
}

function notConcerned(tiers: readonly LiveTier[], stage: number): Fate {
  const capped = tiers.map(({ tier }) => tier).join(', ');
  const words =
    tiers.length === 0 ? 'no cap on images, thinking or calls is set' : `holds nothing of the capped tiers (${capped})`;
  return keptBecause(stage, NOT_CONCERNED, `kept: ${words}`);
}

const NONE: readonly Unit[] = [];

/** One capped tier: the units of each cell, and the place up to which those that may go have gone. */
class LiveTier {
  readonly tier: EvictedTier;
  readonly #cap: number;
  readonly #params: TierCapsParams;
  readonly #units = new Map<number, readonly Unit[]>();
  readonly #heldBy = new Map<number, number>();
  readonly #counts: Fenwick;
  readonly #frees: Fenwick;
  #held = 0;
  #candidates = 0;
  /** How many have gone, and the cell in which the first that may and has not stands. */
  #evicted = 0;
  #cell = 0;
  /** The last cell that ever held a unit. */
  #last = 0;
  /** Null = to be made. */
  #state: TierCut | null = null;

  constructor(tier: EvictedTier, cap: number, params: TierCapsParams, cells: number) {
    this.tier = tier;
    this.#cap = cap;
    this.#params = params;
    this.#counts = new Fenwick(cells);
    this.#frees = new Fenwick(cells);
  }

  set(cell: number, held: number, units: readonly Unit[]): void {
    this.#held += held - (this.#heldBy.get(cell) ?? 0);
    if (held === 0) this.#heldBy.delete(cell);
    else this.#heldBy.set(cell, held);
    const before = free(this.#units.get(cell) ?? NONE);
    const now = free(units);
    if (units.length === 0) this.#units.delete(cell);
    else this.#units.set(cell, units);
    if (units.length > 0) this.#last = Math.max(this.#last, cell);
    if (before.length === 0 && now.length === 0) return;
    this.#candidates += now.length - before.length;
    this.#counts.add(cell, now.length - before.length);
    this.#frees.add(cell, freedBy(now) - freedBy(before));
  }

  /** Finds the cut again; adds the cells in which something else goes than before. */
  cut(dirty: Set<number>): void {
    this.#state = null;
    const evicted = evictedCount(this.#wanted(), this.#candidates, this.#params);
    const from = this.#cell;
    this.#evicted = evicted;
    this.#cell = Math.min(this.#counts.find(evicted), this.#last);
    for (let cell = Math.min(from, this.#cell); cell <= Math.max(from, this.#cell); cell++) {
      if (this.#units.has(cell)) dirty.add(cell);
    }
  }

  /** What is decided about the units of a cell. */
  decided(cell: number): readonly Decided[] {
    const units = this.#units.get(cell) ?? NONE;
    if (units.length === 0) return [];
    const cut = this.state;
    let left = this.#evicted - this.#counts.before(cell);
    return units.map((unit) => ({ unit, cut, goes: unit.lock === null && left-- > 0 }));
  }

  // The least number of the oldest that free as much as is too much; all, if that does not suffice.
  #wanted(): number {
    const need = this.#held - this.#cap;
    if (need <= 0) return 0;
    const cell = this.#frees.find(need - 1);
    let wanted = this.#counts.before(cell);
    let freed = this.#frees.before(cell);
    for (const { frees } of free(this.#units.get(cell) ?? NONE)) {
      if (freed >= need) break;
      freed += frees;
      wanted++;
    }
    return wanted;
  }

  /** The cut as sentences state it; the same until it is found again. */
  get state(): TierCut {
    this.#state ??= this.#stateNow();
    return this.#state;
  }

  /** All units, in the order of the view. */
  *units(): Iterable<Unit> {
    for (const cell of [...this.#units.keys()].sort((a, b) => a - b)) yield* this.#units.get(cell) ?? NONE;
  }

  /** The same, and whether they are in the last turn, which begins in a cell; -1 = there is none. */
  *placedUnits(open: number): Iterable<PlacedUnit> {
    for (const [cell, units] of this.#units) for (const unit of units) yield { unit, isOpen: cell >= open };
  }

  /** Tokens that the request is shorter by. */
  saved(): number {
    let left = this.#evicted;
    let saved = 0;
    for (const { lock, saves } of this.units()) {
      if (left === 0) break;
      if (lock !== null) continue;
      saved += saves;
      left--;
    }
    return saved;
  }

  #stateNow(): TierCut {
    const cell = this.#counts.find(this.#evicted);
    const before = this.#counts.before(cell);
    const partly = free(this.#units.get(cell) ?? NONE).slice(0, this.#evicted - before);
    const freed = this.#frees.before(cell) + freedBy(partly);
    const { tier } = this;
    const figures = { cap: this.#cap, held: this.#held, freed, candidates: this.#candidates, evicted: this.#evicted };
    return { tier, ...figures, sentences: new Map() };
  }
}

function free(units: readonly Unit[]): readonly Unit[] {
  return units.filter(({ lock }) => lock === null);
}

function freedBy(units: readonly Unit[]): number {
  return units.reduce((sum, { frees }) => sum + frees, 0);
}
