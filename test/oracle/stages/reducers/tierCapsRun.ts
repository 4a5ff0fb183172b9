// One run of caps on tiers: of each capped tier the oldest units go until the rest is under the cap. What goes is always a
// beginning of the units that may go at all: so the cut moves one way as the conversation grows, and the incremental form
// has one number a tier to follow.
import type { MessageFacts } from '../../../../core/model/message.ts';
import { isAllOf, withoutUnits } from '../../../../core/stages/reducers/evictParts.ts';
import {
  EVICTED_TIERS,
  type EvictedTier,
  type TierCapsParams,
  type TierParts,
  tierParts,
  type Unit,
} from '../../../../core/stages/reducers/tierParts.ts';
import {
  capsSummary,
  describeEvicted,
  describeKept,
  evictedFate,
  keptFate,
  PART_KIND,
  stillOver,
  type TierCut,
} from '../../../../core/stages/reducers/tierWords.ts';
import { capTokens } from '../../../../core/tokens/budget.ts';
import { keptBecause, NOT_CONCERNED } from '../../../../core/view/fates.ts';
import { ownPartOf } from '../../../../core/view/origins.ts';
import { BEGINS_TURN, outlineOf } from '../../../../core/view/outline.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import {
  type Fate,
  PAUSE,
  PAUSE_EVERY,
  type PartFate,
  type Pausing,
  type StageContext,
  type StageOutput,
  type View,
  type ViewItem,
} from '../../../../core/view/types.ts';
import { type ReducerName, reportOf } from './report.ts';

/** The tiers of a budget that are capped, of those whose parts can go one by one. */
export function cappedTiers(
  budget: StageContext['budget'],
): readonly { readonly tier: EvictedTier; readonly cap: number }[] {
  return EVICTED_TIERS.flatMap((tier) => {
    const cap = capTokens(budget, tier);
    return cap === null ? [] : [{ tier, cap }];
  });
}

/** How many of `candidates` go if `wanted` had to, at the least: so many at a time, and never the newest. */
export function evictedCount(wanted: number, candidates: number, { keep, every }: TierCapsParams): number {
  const rounded = Math.ceil(wanted / every) * every;
  return Math.min(rounded, Math.max(0, candidates - keep));
}

/** A unit and whether it goes. */
export interface Decided {
  readonly unit: Unit;
  readonly cut: TierCut;
  readonly goes: boolean;
}

type FateContext = Pick<StageContext, 'source' | 'memo' | 'stage'>;

/** The fate of a message by what was decided about its units; null = it holds nothing of a capped tier. */
export function fateOfUnits(
  item: ViewItem,
  judged: readonly Decided[],
  facts: MessageFacts,
  params: TierCapsParams,
  context: FateContext,
): Fate | null {
  if (judged.length === 0) return null;
  const gone = judged.filter(({ goes }) => goes);
  const units = gone.map(({ unit }) => unit);
  const isEdited = item.kind === 'source' && gone.length > 0 && withoutUnits(item, facts, units, context) !== item;
  if (isEdited) return goneFate(item, gone, facts, context);
  return keptFate(
    context.stage,
    judged.map(({ unit, cut }) => describeKept(unit, cut, params)),
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

/** What was decided about a tier. */
interface CutOfTier {
  readonly cut: TierCut;
  readonly units: readonly Unit[];
  readonly saved: number;
}

/** A run over one view. */
export class TierCapsRun {
  readonly #view: View;
  readonly #params: TierCapsParams;
  readonly #context: StageContext;
  readonly #reader: ViewReader;
  readonly #open: number;

  constructor(view: View, params: TierCapsParams, context: StageContext) {
    this.#view = view;
    this.#params = params;
    this.#context = context;
    this.#reader = readView(view, context.source, context.memo);
    this.#open = this.#lastTurn();
  }

  *run(name: ReducerName): Pausing<StageOutput> {
    const judged: Decided[][] = [];
    const all: CutOfTier[] = [];
    for (const { tier, cap } of cappedTiers(this.#context.budget)) all.push(yield* this.#cutTier(tier, cap, judged));
    const cuts = all.map(({ cut }) => cut);
    const fates = new Map<number, Fate>();
    const saved = all.reduce((sum, each) => sum + each.saved, 0);
    const problems = all.flatMap(({ cut, units }) => stillOver(cut, units, this.#params) ?? []);
    return {
      view: cuts.every(({ evicted }) => evicted === 0) ? this.#view : yield* this.#evictAll(judged, fates),
      fates,
      explain: this.#explainer(judged, cuts),
      report: reportOf(name, this.#context, {
        summary: capsSummary(cuts, saved),
        fates,
        reclaimedTokens: saved,
        problems,
      }),
    };
  }

  *#evictAll(judged: readonly (readonly Decided[])[], fates: Map<number, Fate>): Pausing<View> {
    const items: ViewItem[] = [];
    let isSame = true;
    for (const [position, item] of this.#view.items.entries()) {
      if (position % PAUSE_EVERY === 0) yield PAUSE;
      const after = this.#evict(position, item, judged[position], fates);
      isSame &&= after === item;
      if (after !== null) items.push(after);
    }
    return isSame ? this.#view : { items };
  }

  #lastTurn(): number {
    const outline = outlineOf(this.#reader, this.#context);
    let position = this.#reader.length - 1;
    while (position >= 0 && (outline(position) & BEGINS_TURN) === 0) position--;
    return position;
  }

  *#cutTier(tier: EvictedTier, cap: number, judged: Decided[][]): Pausing<CutOfTier> {
    const positions: number[] = [];
    const units: Unit[] = [];
    let held = 0;
    for (let position = 0; position < this.#reader.length; position++) {
      if (position % PAUSE_EVERY === 0) yield PAUSE;
      const parts = this.#parts(tier, position);
      held += parts.tokens;
      for (const unit of parts.units) {
        positions.push(position);
        units.push(unit);
      }
    }
    const free = units.filter(({ lock }) => lock === null);
    let wanted = 0;
    for (let left = held; left > cap && wanted < free.length; wanted++) left -= free[wanted]?.frees ?? 0;
    const evicted = evictedCount(wanted, free.length, this.#params);
    let [freed, saved] = [0, 0];
    for (let at = 0; at < evicted; at++) {
      freed += free[at]?.frees ?? 0;
      saved += free[at]?.saves ?? 0;
    }
    const cut: TierCut = { tier, cap, held, freed, candidates: free.length, evicted, sentences: new Map() };
    let left = evicted;
    for (const [at, unit] of units.entries()) {
      const position = positions[at] ?? 0;
      const goes = unit.lock === null && left-- > 0;
      const here = judged[position];
      if (here === undefined) judged[position] = [{ unit, cut, goes }];
      else here.push({ unit, cut, goes });
    }
    return { cut, units, saved };
  }

  #parts(tier: EvictedTier, position: number): TierParts {
    const facts = this.#reader.facts(position);
    return tierParts(tier, this.#reader.item(position), facts, position >= this.#open, this.#params, this.#context);
  }

  #evict(
    position: number,
    item: ViewItem,
    judged: readonly Decided[] | undefined,
    fates: Map<number, Fate>,
  ): ViewItem | null {
    if (judged === undefined || item.kind !== 'source') return item;
    const gone = judged.filter(({ goes }) => goes);
    if (gone.length === 0) return item;
    const facts = this.#reader.facts(position);
    const units = gone.map(({ unit }) => unit);
    const after = withoutUnits(item, facts, units, this.#context);
    if (after !== item) fates.set(item.index, goneFate(item, gone, facts, this.#context));
    return after;
  }

  #explainer(judged: readonly (readonly Decided[])[], cuts: readonly TierCut[]): (position: number) => Fate {
    const { stage } = this.#context;
    const capped = cuts.map(({ tier }) => tier).join(', ');
    const words =
      cuts.length === 0
        ? 'no cap on images, thinking or calls is set'
        : `holds nothing of the capped tiers (${capped})`;
    const none = keptBecause(stage, NOT_CONCERNED, `kept: ${words}`);
    return (position) => {
      const said = judged[position];
      if (said === undefined) return none;
      const facts = this.#reader.facts(position);
      return fateOfUnits(this.#reader.item(position), said, facts, this.#params, this.#context) ?? none;
    };
  }
}
