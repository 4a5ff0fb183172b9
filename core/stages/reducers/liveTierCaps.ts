// Caps on tiers along the call points. For each tier three sums over the cells: what it holds, how many units may go, what
// leaves it with them. From these the cut is found without looking at the units; what changes lies between where it was and is.
import { Fenwick } from '../../util/fenwick.ts';
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts } from '../../view/reader.ts';
import type { Fate, ViewItem } from '../../view/types.ts';
import { withoutUnits } from './evictParts.ts';
import { isBefore, LiveTurns } from './liveTurns.ts';
import { cappedTiers, type Decided, evictedCount, fateOfUnits } from './tierCapsRun.ts';
import { type EvictedTier, type TierCapsParams, tierParts, type Unit } from './tierParts.ts';
import type { TierCut } from './tierWords.ts';

/** The run of one spec's stage. */
export class LiveTierCaps implements IncrementalRun {
  readonly #params: TierCapsParams;
  readonly #context: IncrementalContext;
  readonly #tiers: readonly LiveTier[];
  readonly #live: LiveTurns;
  #input: LiveView | null = null;
  /** Where the last turn begins: thinking in it is locked that is free once the next one begins. */
  #open: LivePlace | null = null;

  constructor(params: TierCapsParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#tiers = cappedTiers(context.budget).map(
      ({ tier, cap }) => new LiveTier(tier, cap, params, context.source.length + 1),
    );
    this.#live = new LiveTurns(context);
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    this.#input = input;
    if (this.#tiers.length === 0) return;
    this.#live.step(input, at);
    const before = this.#open;
    this.#open = this.#live.last;
    const dirty = new Set(input.changed.keys());
    this.#reopen(before, input, dirty);
    for (const cell of dirty) this.#read(cell, input);
    for (const tier of this.#tiers) tier.cut(dirty);
    for (const cell of dirty) this.#show(cell, input, overlay);
  }

  fateOf(index: number): Fate | null {
    const item = this.#input?.source(index) ?? null;
    if (item === null) return null;
    return fateOfUnits(item, this.#judged(index), this.#facts(item), this.#params, this.#context);
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

  #judged(cell: number): readonly Decided[] {
    return this.#tiers.flatMap((tier) => tier.judged(cell));
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const item = input.source(cell);
    const gone = item === null ? [] : this.#judged(cell).flatMap(({ unit, goes }) => (goes ? [unit] : []));
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

  #without(item: Extract<ViewItem, { kind: 'source' }>, gone: readonly Unit[]): ViewItem | null {
    return withoutUnits(item, this.#facts(item), gone, this.#context);
  }
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

  /** Finds the cut anew; adds the cells in which something else goes than before. */
  cut(dirty: Set<number>): void {
    const evicted = evictedCount(this.#wanted(), this.#candidates, this.#params);
    const from = this.#cell;
    this.#evicted = evicted;
    this.#cell = Math.min(this.#counts.find(evicted), this.#last);
    for (let cell = Math.min(from, this.#cell); cell <= Math.max(from, this.#cell); cell++) {
      if (this.#units.has(cell)) dirty.add(cell);
    }
  }

  judged(cell: number): readonly Decided[] {
    const units = this.#units.get(cell) ?? NONE;
    if (units.length === 0) return [];
    const cut = this.#state();
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

  #state(): TierCut {
    const cell = this.#counts.find(this.#evicted);
    const before = this.#counts.before(cell);
    const partly = free(this.#units.get(cell) ?? NONE).slice(0, this.#evicted - before);
    const freed = this.#frees.before(cell) + freedBy(partly);
    const { tier } = this;
    return { tier, cap: this.#cap, held: this.#held, freed, candidates: this.#candidates, evicted: this.#evicted };
  }
}

function free(units: readonly Unit[]): readonly Unit[] {
  return units.filter(({ lock }) => lock === null);
}

function freedBy(units: readonly Unit[]): number {
  return units.reduce((sum, { frees }) => sum + frees, 0);
}
