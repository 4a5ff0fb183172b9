// reachability_gc along the call points. The window of roots slides, and with it the identifiers that are named there. Of
// each result it is counted how many of its identifiers are named: it goes when the last is named no more, and comes back
// when one is named again. So the cost is that of what changes: mentions that enter and leave, times the results that hold
// them.
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import { ownPartOf } from '../../view/origins.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemText } from '../../view/reader.ts';
import type { Fate, ViewItem } from '../../view/types.ts';
import { GcDecider, type GcRoots, type Reclaimed } from './gcDecider.ts';
import { Holders } from './holders.ts';
import type { ReachabilityGcParams } from './reachabilityGc.ts';
import { type ReachabilityTable, type ResultInfo, reachabilityTable } from './reachabilityTable.ts';

/** A result behind the window that goes unless an identifier of it is named. */
interface Candidate {
  readonly slot: number;
  readonly part: number;
  readonly info: ResultInfo;
  /** Its number among all results of the transcript. */
  readonly rank: number;
}

interface Root {
  readonly item: ViewItem;
  readonly ids: Int32Array;
}

interface Shown {
  readonly given: readonly ViewItem[];
  readonly gone: readonly Candidate[];
  readonly items: readonly ViewItem[];
}

const NONE: readonly Candidate[] = [];

/** The run of one spec's stage. */
export class LiveGc implements IncrementalRun {
  readonly respectsSignatures: boolean;
  readonly #params: ReachabilityGcParams;
  readonly #context: IncrementalContext;
  readonly #table: ReachabilityTable;
  readonly #judge: GcDecider;
  #input: LiveView | null = null;
  #position = 0;
  #start: LivePlace = { cell: 0, slot: 0 };
  readonly #roots = new Map<number, readonly Root[]>();
  readonly #candidates = new Map<number, readonly Candidate[]>();
  /** How often each identifier is named among the roots. */
  #named = new Int32Array(0);
  /** 1 for those whose results have been told that it is. */
  #isTold = new Uint8Array(0);
  /** Identifiers that were named first, or no more, in this step. */
  readonly #turned: number[] = [];
  readonly #labels = new Map<number, string>();
  #holders: Holders;
  /** How many identifiers of a result are named, by rank; only of those that ever stood behind the window. */
  #mentions = new Int32Array(0);
  /** What was shown last in a cell with bodies gone. */
  readonly #shown = new Map<number, Shown>();
  readonly #dirty = new Set<number>();

  constructor(params: ReachabilityGcParams, context: IncrementalContext) {
    this.respectsSignatures = params.respectProviderSignatures;
    this.#params = params;
    this.#context = context;
    this.#table = reachabilityTable(context);
    this.#judge = new GcDecider(this.#table, params, context, this.#liveRoots());
    this.#holders = new Holders(this.#table, 0);
  }

  /** Reads the identifiers of all results: then every one that a root may name is known. */
  *prepare(): Generator<void, void, void> {
    yield* this.#table.gather();
    const { size } = this.#table;
    this.#named = new Int32Array(size);
    this.#isTold = new Uint8Array(size);
    this.#holders = new Holders(this.#table, this.#context.source.length);
    this.#mentions = new Int32Array(this.#holders.size);
    for (const { label, texts } of this.#params.rootTexts) {
      for (const text of texts) {
        const ids = this.#table.rootIdsOfText(text);
        this.#count(ids, 1);
        for (const id of ids) this.#labels.set(id, label);
      }
    }
  }

  step(input: LiveView, _at: number, overlay: Overlay): void {
    this.#input = input;
    const before = this.#start;
    this.#position = Math.max(0, input.length - this.#params.rootWindow);
    this.#start = input.place(this.#position);
    const cells = new Set(input.changed.keys());
    const to = Math.max(before.cell, this.#start.cell);
    for (let cell = Math.min(before.cell, this.#start.cell); cell <= to; cell++) cells.add(cell);
    for (const cell of cells) this.#reviewRoots(cell, input);
    this.#tellAll();
    for (const cell of cells) this.#reviewCandidates(cell, input);
    for (const cell of this.#dirty) this.#show(cell, input, overlay);
    this.#dirty.clear();
  }

  fateOf(index: number): Fate | null {
    const items = this.#input?.at(index) ?? [];
    const item = items.at(-1);
    if (item?.kind !== 'source') return null;
    const verdicts = this.#judge.judgeMessage(item, this.#inWindow(index, items.length - 1));
    return verdicts.length === 0 ? null : this.#judge.fateOf(item, verdicts);
  }

  #inWindow(cell: number, slot: number): boolean {
    return cell > this.#start.cell || (cell === this.#start.cell && slot >= this.#start.slot);
  }

  #reviewRoots(cell: number, input: LiveView): void {
    const known = this.#roots.get(cell) ?? [];
    const items = input.at(cell).filter((_, slot) => this.#inWindow(cell, slot));
    if (known.length === items.length && known.every(({ item }, at) => item === items[at])) return;
    for (const { ids } of known) this.#count(ids, -1);
    const roots = items.map((item): Root => ({ item, ids: this.#idsOf(item) }));
    for (const { ids } of roots) this.#count(ids, 1);
    if (roots.length === 0) this.#roots.delete(cell);
    else this.#roots.set(cell, roots);
  }

  #idsOf(item: ViewItem): Int32Array {
    if (item.kind === 'source' && item.text === undefined) return this.#table.rootIds(item.index);
    return this.#table.rootIdsOfJson(itemText(item, this.#context.source));
  }

  #count(ids: Int32Array, by: 1 | -1): void {
    const named = this.#named;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at]!;
      const count = named[id]! + by;
      named[id] = count;
      if (count === (by === 1 ? 1 : 0)) this.#turned.push(id);
    }
  }

  // What is named first before what is named no more: most results that lose a mention have another by then.
  #tellAll(): void {
    for (const id of this.#turned) if (this.#named[id]! > 0 && this.#isTold[id] === 0) this.#tell(id, 1);
    for (const id of this.#turned) if (this.#named[id] === 0 && this.#isTold[id] === 1) this.#tell(id, -1);
    this.#turned.length = 0;
  }

  /** Tells the results that hold an identifier that it is named, or no more. */
  #tell(id: number, by: 1 | -1): void {
    this.#isTold[id] = by === 1 ? 1 : 0;
    const { starts, counts, ranks, messages } = this.#holders;
    const mentions = this.#mentions;
    // A result turns where its first identifier is named, or its last one no more.
    const turns = by === 1 ? 1 : 0;
    const from = starts[id]!;
    const to = from + counts[id]!;
    for (let at = from; at < to; at++) {
      const rank = ranks[at]!;
      const count = mentions[rank]! + by;
      mentions[rank] = count;
      if (count === turns) this.#dirty.add(messages[rank]!);
    }
  }

  /** From now on the result is told. */
  #follow(rank: number): void {
    const ids = this.#holders.add(rank);
    if (ids === null) return;
    let count = 0;
    for (let at = 0; at < ids.length; at++) count += this.#isTold[ids[at]!]!;
    this.#mentions[rank] = count;
  }

  #reviewCandidates(cell: number, input: LiveView): void {
    const found: Candidate[] = [];
    for (const [slot, item] of input.at(cell).entries()) {
      if (item.kind !== 'source' || this.#inWindow(cell, slot)) continue;
      for (const [at, part] of this.#judge.parts(item).entries()) {
        const info = this.#judge.candidate(item, at, part);
        if (info === null) continue;
        const rank = this.#holders.rank(item.index, ownPartOf(item, at) ?? -1);
        this.#follow(rank);
        found.push({ slot, part: at, info, rank });
      }
    }
    if (found.length === 0) this.#candidates.delete(cell);
    else this.#candidates.set(cell, found);
    this.#dirty.add(cell);
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const gone = (this.#candidates.get(cell) ?? NONE).filter(({ rank }) => this.#mentions[rank] === 0);
    overlay.fate(cell, gone.length === 0 ? null : 'redacted');
    if (gone.length === 0) overlay.pass(cell);
    else overlay.replace(cell, this.#itemsWithout(cell, gone, input));
  }

  // What comes and goes is mostly the same each time.
  #itemsWithout(cell: number, gone: readonly Candidate[], input: LiveView): readonly ViewItem[] {
    const given = input.at(cell);
    const known = this.#shown.get(cell);
    const isSame = known?.given === given && known.gone.length === gone.length;
    if (known !== undefined && isSame && known.gone.every((one, at) => one === gone[at])) return known.items;
    const items = given.map((item, slot) => this.#edited(item, slot, gone));
    this.#shown.set(cell, { given, gone, items });
    return items;
  }

  #edited(item: ViewItem, slot: number, candidates: readonly Candidate[]): ViewItem {
    const gone = candidates.filter((candidate) => candidate.slot === slot);
    const bodies = gone.map(({ part, info }): Reclaimed => ({ part, info }));
    return item.kind === 'source' && bodies.length > 0 ? this.#judge.edit(item, bodies) : item;
  }

  #liveRoots(): GcRoots {
    return {
      has: (id) => (this.#named[id] ?? 0) > 0,
      place: (id) => this.#lastMention(id),
      windowFrom: () => this.#windowFrom(),
    };
  }

  #lastMention(id: number): ReturnType<GcRoots['place']> {
    const input = this.#input;
    for (let position = (input?.length ?? 0) - 1; input !== null && position >= this.#position; position--) {
      const { cell, slot } = input.place(position);
      const item = input.at(cell)[slot];
      const root = this.#roots.get(cell)?.find((each) => each.item === item);
      if (root?.ids.includes(id) === true) return { index: item?.kind === 'source' ? item.index : null };
    }
    const label = this.#labels.get(id);
    return label === undefined ? null : { label };
  }

  #windowFrom(): number | null {
    const input = this.#input;
    for (let position = this.#position; input !== null && position < input.length; position++) {
      const item = input.item(position);
      if (item.kind === 'source') return item.index;
    }
    return null;
  }
}
