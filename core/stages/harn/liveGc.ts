// reachability_gc along the call points. The window of roots slides, and with it the identifiers that are named there
// (counted, so that it is known when the last mention leaves). A result that is reachable watches one identifier that is
// named; only when that one is named no more another is looked for, and a result that finds none goes. When an identifier
// is named again, those of its results that are gone come back. So the cost is that of what changes: mentions that enter
// and leave, results that go and come back.
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemText } from '../../view/reader.ts';
import type { Fate, ViewItem } from '../../view/types.ts';
import { GcJudge, type GcRoots, type Reclaimed } from './gcJudge.ts';
import type { ReachabilityGcParams } from './reachabilityGc.ts';
import { type ReachabilityTable, type ResultInfo, reachabilityTable } from './reachabilityTable.ts';

const NOT_NAMED = -1;

/** A result behind the window that goes unless an identifier of it is named. */
interface Candidate {
  readonly cell: number;
  readonly slot: number;
  readonly part: number;
  readonly info: ResultInfo;
  /** An identifier of it that is named; -1 = none is, its body goes. */
  watched: number;
  /** True if its message has changed, or stands in the window: another candidate may have taken its place. */
  isOver: boolean;
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

/** The run of one spec's stage. */
export class LiveGc implements IncrementalRun {
  readonly respectsSignatures: boolean;
  readonly #params: ReachabilityGcParams;
  readonly #context: IncrementalContext;
  readonly #table: ReachabilityTable;
  readonly #judge: GcJudge;
  #input: LiveView | null = null;
  #position = 0;
  #start: LivePlace = { cell: 0, slot: 0 };
  readonly #roots = new Map<number, readonly Root[]>();
  readonly #candidates = new Map<number, readonly Candidate[]>();
  /** How often each identifier is named among the roots. */
  #named = new Int32Array(0);
  /** Where it was named last, a caller's text being the last of all. Only a hint: it may be out of date. */
  #lastCell = new Int32Array(0);
  #newest = 0;
  /** How many results that hold it are gone. */
  #gone = new Int32Array(0);
  readonly #labels = new Map<number, string>();
  readonly #watchers = new Map<number, Candidate[]>();
  /** The candidates that hold an identifier. */
  readonly #holders = new Map<number, Candidate[]>();
  /** What was shown last in a cell with bodies gone. */
  readonly #shown = new Map<number, Shown>();
  /** Identifiers whose count changed in this step; for each the step that changed it last, and what it was before. */
  readonly #counted: number[] = [];
  #countedIn = new Int32Array(0);
  #countBefore = new Int32Array(0);
  #steps = 0;
  readonly #dirty = new Set<number>();

  constructor(params: ReachabilityGcParams, context: IncrementalContext) {
    this.respectsSignatures = params.respectProviderSignatures;
    this.#params = params;
    this.#context = context;
    this.#table = reachabilityTable(context);
    this.#judge = new GcJudge(this.#table, params, context, this.#liveRoots());
  }

  /** Reads the identifiers of all results: then every one that a root may name is known. */
  *prepare(): Generator<void, void, void> {
    yield* this.#table.gather();
    this.#named = new Int32Array(this.#table.size);
    this.#gone = new Int32Array(this.#table.size);
    this.#countedIn = new Int32Array(this.#table.size);
    this.#countBefore = new Int32Array(this.#table.size);
    this.#lastCell = new Int32Array(this.#table.size);
    for (const { label, texts } of this.#params.rootTexts) {
      for (const text of texts) {
        for (const id of this.#table.rootIdsOfText(text)) {
          this.#named[id]!++;
          this.#lastCell[id] = this.#context.source.length;
          this.#labels.set(id, label);
        }
      }
    }
  }

  step(input: LiveView, _at: number, overlay: Overlay): void {
    this.#input = input;
    this.#steps++;
    const before = this.#start;
    this.#position = Math.max(0, input.length - this.#params.rootWindow);
    this.#start = input.place(this.#position);
    const cells = new Set(input.changed.keys());
    const to = Math.max(before.cell, this.#start.cell);
    for (let cell = Math.min(before.cell, this.#start.cell); cell <= to; cell++) cells.add(cell);
    for (const cell of cells) this.#reviewRoots(cell, input);
    const counted = this.#counted;
    const appeared: number[] = [];
    for (const id of counted) if (this.#countBefore[id] === 0 && this.#named[id]! > 0) appeared.push(id);
    for (const cell of cells) this.#reviewCandidates(cell, input);
    for (const id of counted) if (this.#countBefore[id]! > 0 && this.#named[id] === 0) this.#loseMention(id);
    for (const id of appeared) this.#gainMention(id);
    counted.length = 0;
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
    for (const { ids } of known) this.#count(ids, -1, cell);
    const roots = items.map((item): Root => ({ item, ids: this.#idsOf(item) }));
    for (const { ids } of roots) this.#count(ids, 1, cell);
    if (roots.length > 0) this.#newest = cell;
    if (roots.length === 0) this.#roots.delete(cell);
    else this.#roots.set(cell, roots);
  }

  #idsOf(item: ViewItem): Int32Array {
    if (item.kind === 'source' && item.text === undefined) return this.#table.rootIds(item.index);
    return this.#table.rootIdsOfJson(itemText(item, this.#context.source));
  }

  #count(ids: Int32Array, by: 1 | -1, cell: number): void {
    const [named, lastCell, countedIn] = [this.#named, this.#lastCell, this.#countedIn];
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at]!;
      const count = named[id]!;
      if (countedIn[id] !== this.#steps) {
        countedIn[id] = this.#steps;
        this.#countBefore[id] = count;
        this.#counted.push(id);
      }
      named[id] = count + by;
      if (by === 1 && lastCell[id]! < cell) lastCell[id] = cell;
    }
  }

  #reviewCandidates(cell: number, input: LiveView): void {
    for (const candidate of this.#candidates.get(cell) ?? []) {
      candidate.isOver = true;
      if (candidate.watched === NOT_NAMED) this.#countGone(candidate, -1);
    }
    const found: Candidate[] = [];
    for (const [slot, item] of input.at(cell).entries()) {
      if (item.kind !== 'source' || this.#inWindow(cell, slot)) continue;
      for (const [at, part] of this.#judge.parts(item).entries()) {
        const info = this.#judge.candidate(item, at, part);
        if (info !== null) found.push({ cell, slot, part: at, info, watched: NOT_NAMED, isOver: false });
      }
    }
    for (const candidate of found) {
      for (const id of candidate.info.ids) push(this.#holders, id, candidate);
      this.#countGone(candidate, 1);
      this.#lookForMention(candidate);
    }
    if (found.length === 0) this.#candidates.delete(cell);
    else this.#candidates.set(cell, found);
    this.#dirty.add(cell);
  }

  // The one named last is not lost so soon.
  #lookForMention(candidate: Candidate): void {
    const { ids } = candidate.info;
    let found = NOT_NAMED;
    let latest = -1;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at]!;
      if ((this.#named[id] ?? 0) === 0) continue;
      const cell = this.#lastCell[id] ?? 0;
      if (cell <= latest) continue;
      found = id;
      latest = cell;
      if (cell >= this.#newest) break;
    }
    this.#watch(candidate, found);
  }

  #watch(candidate: Candidate, id: number): void {
    const wasGone = candidate.watched === NOT_NAMED;
    const isGone = id === NOT_NAMED;
    candidate.watched = id;
    if (!isGone) push(this.#watchers, id, candidate);
    if (wasGone !== isGone) this.#countGone(candidate, isGone ? 1 : -1);
  }

  #countGone({ info }: Candidate, by: number): void {
    const { ids } = info;
    for (let at = 0; at < ids.length; at++) this.#gone[ids[at]!]! += by;
  }

  #loseMention(id: number): void {
    const watchers = this.#watchers.get(id) ?? [];
    this.#watchers.delete(id);
    for (const candidate of watchers) {
      if (candidate.isOver || candidate.watched !== id) continue;
      this.#lookForMention(candidate);
      if (candidate.watched === NOT_NAMED) this.#dirty.add(candidate.cell);
    }
  }

  #gainMention(id: number): void {
    const holders = this.#holders.get(id) ?? [];
    let over = 0;
    for (let at = 0; at < holders.length && this.#gone[id]! > 0; at++) {
      const candidate = holders[at]!;
      if (candidate.isOver) over++;
      if (candidate.isOver || candidate.watched !== NOT_NAMED) continue;
      this.#watch(candidate, id);
      this.#dirty.add(candidate.cell);
    }
    if (over * 2 > holders.length) {
      this.#holders.set(
        id,
        holders.filter(({ isOver }) => !isOver),
      );
    }
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const gone = (this.#candidates.get(cell) ?? []).filter(({ watched }) => watched === NOT_NAMED);
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

function push<V>(map: Map<number, V[]>, key: number, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
