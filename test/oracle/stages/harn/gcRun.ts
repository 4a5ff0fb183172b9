// One run of reachability_gc: judge every tool result before the window, then edit. Written for long transcripts: only
// messages that hold results are looked at, and messages with the same short verdict share one fate.
import type { Part } from '../../../../core/model/message.ts';
import { GcDecider, type GcRoots, reclaimed } from '../../../../core/stages/harn/gcDecider.ts';
import type { ReachabilityGcParams } from '../../../../core/stages/harn/reachabilityGc.ts';
import { type ReachabilityTable, reachabilityTable } from '../../../../core/stages/harn/reachabilityTable.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import type { Fate, StageContext, View, ViewItem } from '../../../../core/view/types.ts';
import { RootSet } from './rootSet.ts';

/** What the run gives its stage. `items` null = nothing was reclaimed. */
export interface GcOutcome {
  readonly items: readonly ViewItem[] | null;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly reclaimed: number;
  readonly reclaimedChars: number;
  /** How many of them saved nothing: the pointer is no shorter than the body. */
  readonly unsaved: number;
}

/** A run over one view. */
export class GcRun {
  readonly #view: View;
  readonly #params: ReachabilityGcParams;
  readonly #stage: number;
  readonly #reader: ViewReader;
  readonly #table: ReachabilityTable;
  readonly #start: number;
  readonly #positions: readonly number[];
  readonly #simpleFates = new Map<number, Fate>();
  readonly #judge: GcDecider;

  constructor(view: View, params: ReachabilityGcParams, context: StageContext) {
    this.#view = view;
    this.#params = params;
    this.#stage = context.stage;
    this.#reader = readView(view, context.source, context.memo);
    this.#table = reachabilityTable(context);
    this.#start = Math.max(0, view.items.length - params.rootWindow);
    this.#positions = this.#resultPositions();
    // The roots are read after the results; whoever judges asks for them then.
    let roots: RootSet | null = null;
    const rootSet = (): RootSet => {
      roots ??= new RootSet(this.#table, this.#reader, context, this.#start, params.rootTexts);
      return roots;
    };
    this.#judge = new GcDecider(this.#table, params, context, this.#rootsOf(rootSet));
    this.#readResults();
    rootSet();
  }

  project(): GcOutcome {
    const fates = new Map<number, Fate>();
    const items: ViewItem[] = [...this.#view.items];
    let reclaimedChars = 0;
    let count = 0;
    let unsaved = 0;
    for (const position of this.#positions) {
      const item = this.#reader.item(position);
      if (item.kind !== 'source') continue;
      const simple = this.#simpleFate(position);
      if (simple !== null) {
        fates.set(item.index, simple);
        continue;
      }
      const verdicts = this.#judge.judgeMessage(item, position >= this.#start);
      fates.set(item.index, this.#judge.fateOf(item, verdicts));
      const gone = reclaimed(verdicts);
      if (gone.length === 0) continue;
      items[position] = this.#judge.edit(item, gone);
      count += gone.length;
      for (const each of gone) {
        const saved = this.#judge.saved(item, each);
        reclaimedChars += saved;
        if (saved === 0) unsaved++;
      }
    }
    return { items: count === 0 ? null : items, fates, reclaimedChars, reclaimed: count, unsaved };
  }

  #rootsOf(roots: () => RootSet): GcRoots {
    return {
      has: (id) => roots().has(id),
      place: (id) => {
        const place = roots().place(id);
        return place === null || 'label' in place ? place : { index: this.#reader.indexOf(place.position) };
      },
      windowFrom: () => {
        for (let from = this.#start; from < this.#reader.length; from++) {
          const index = this.#reader.indexOf(from);
          if (index !== null) return index;
        }
        return null;
      },
    };
  }

  #resultPositions(): number[] {
    const positions: number[] = [];
    for (let position = 0; position < this.#reader.length; position++) {
      const item = this.#reader.item(position);
      const holds =
        item.kind === 'source' && item.text === undefined
          ? this.#table.holdsResult(item.index)
          : this.#reader.facts(position).parts.some((part) => part.kind === 'tool_result');
      if (holds) positions.push(position);
    }
    return positions;
  }

  // Roots only know identifiers of results read before them (see ReachabilityTable.rootIds).
  #readResults(): void {
    for (const position of this.#positions) {
      if (position >= this.#start) return;
      const item = this.#reader.item(position);
      for (const [at, part] of this.#reader.facts(position).parts.entries()) {
        if (part.kind !== 'tool_result' || part.isError === true) continue;
        if (part.chars >= this.#params.minChars) this.#judge.info(item, at);
      }
    }
  }

  // A message with one result that is not even looked into: most are, and all of a kind read the same.
  #simpleFate(position: number): Fate | null {
    const { parts } = this.#reader.facts(position);
    const [only] = parts;
    if (parts.length !== 1 || only === undefined) return null;
    const key = this.#simpleKey(position, only);
    if (key === null) return null;
    const known = this.#simpleFates.get(key);
    if (known !== undefined) return known;
    const { rule, reason } = this.#judge.judge(this.#reader.item(position), 0, only, position >= this.#start);
    const fate: Fate = { kind: 'kept', stage: this.#stage, rule, reason };
    this.#simpleFates.set(key, fate);
    return fate;
  }

  #simpleKey(position: number, part: Part): number | null {
    if (position >= this.#start) return -1;
    if (part.kind === 'tool_result' && part.isError === true) return -2;
    return part.chars < this.#params.minChars ? part.chars : null;
  }
}
