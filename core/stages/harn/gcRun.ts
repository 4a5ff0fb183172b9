// The run of reachability_gc. The window of roots slides, and with it the identifiers that are named there: what turns a
// result is followed by `Mentions`, and only results that turned are shown again. Identifiers are read when a message is
// first asked for: so one projection reads the results behind the window and the roots, and no more.

import { grownInts } from '../../util/ints.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type {
  IncrementalContext,
  IncrementalRun,
  IncrementalSteps,
  ReportDetails,
  StageDone,
} from '../../view/incremental.ts';
import type { CellSpan, LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemText } from '../../view/reader.ts';
import { type Fate, PAUSE, type SourceItem, type View, type ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { nothingToDo, policyReport } from './decision.ts';
import { GcDecider, type Reclaimed } from './gcDecider.ts';
import { Mentions } from './mentions.ts';
import { NONE, type RawCandidates, rawCandidates, SEVERAL } from './rawCandidates.ts';
import type { ReachabilityGcParams } from './reachabilityGc.ts';
import { type ReachabilityTable, type ResultInfo, reachabilityTable } from './reachabilityTable.ts';
import { type RootMessage, RootPlaces } from './rootPlaces.ts';
import { rootLabels } from './roots.ts';

/** A result behind the window that goes unless an identifier of it is named. */
interface Candidate {
  readonly slot: number;
  readonly part: number;
  readonly info: ResultInfo;
  /** Its number in `Mentions`. */
  rank: number;
}

interface Root extends RootMessage {
  readonly item: ViewItem;
}

interface Shown {
  readonly given: readonly ViewItem[];
  readonly gone: readonly Candidate[];
  readonly items: readonly ViewItem[];
}

const UNRANKED = -1;
const NO_CELLS: CellSpan = { from: 0, to: 0 };
const NO_CANDIDATES: readonly Candidate[] = [];
const NO_ROOTS: readonly Root[] = [];

/** Messages gone through, and results edited, between two pauses. One whose results or identifiers are read counts as many. */
const PASSED_AT_ONCE = 1024;
const READ_AS = 64;
const EDITED_AT_ONCE = 64;

/** The run of one spec's stage. */
export class GcRun implements IncrementalRun {
  readonly respectsSignatures: boolean;
  #params: ReachabilityGcParams;
  readonly #context: IncrementalContext;
  readonly #table: ReachabilityTable;
  #decider: GcDecider;
  readonly #notConcerned: Fate;
  #input: LiveView | null = null;
  #at = 0;
  /** Where the window of roots begins. */
  #position = 0;
  #start: LivePlace = { cell: 0, slot: 0 };
  readonly #roots = new Map<number, readonly Root[]>();
  /** By cell. */
  #candidates: (readonly Candidate[] | undefined)[] = [];
  /** By cell with one result, which is first in it, 1 + its number: most are named, and are never candidates by themselves. */
  #ones = new Int32Array(0);
  readonly #mentions = new Mentions((rank) => this.#table.resultAt(this.#numbers[rank]!).ids);
  readonly #places: RootPlaces;
  /** By rank the number of a result, and its message. */
  readonly #numbers: number[] = [];
  readonly #messages: number[] = [];
  /** By number of a result 1 + its rank; 0 = it has none. */
  #ranks = new Int32Array(0);
  /** What was shown last in a cell with bodies gone. */
  readonly #shown = new Map<number, Shown>();
  readonly #dirty = new Set<number>();
  /** Of messages with one result that is not even looked into: most are, and all of a kind read the same. */
  readonly #simpleFates = new Map<number, Fate>();
  /** Cells that nobody needs, as of the last step and for the next: their results are followed no more. */
  #leftOut = NO_CELLS;
  #nextLeftOut = NO_CELLS;
  readonly keepsTurns = true;
  /** True once it has moved on: then all results up to the call point are read, whether they are in the view or not. */
  #follows = false;

  constructor(params: ReachabilityGcParams, context: IncrementalContext) {
    this.respectsSignatures = params.respectProviderSignatures;
    this.#params = params;
    this.#context = context;
    this.#table = reachabilityTable(context);
    this.#places = new RootPlaces(params.rootTexts, (text) => this.#countText(text));
    this.#decider = this.#deciderFor(params);
    const reason = 'kept: it holds no tool result; only results are reclaimed';
    this.#notConcerned = keptBecause(context.stage, NOT_CONCERNED, reason);
  }

  #deciderFor(params: ReachabilityGcParams): GcDecider {
    return new GcDecider(this.#table, params, this.#context, {
      has: (id) => this.#mentions.names(id),
      isUnnamed: (info) => this.#isUnnamed(info),
      place: (id) => this.#placesNow().of(id),
      windowFrom: () => this.#windowFrom(),
    });
  }

  // The window of roots is where it slides to anyway. Before all results are read to begin again is quicker.
  reconfigure(params: ReachabilityGcParams): boolean {
    const known = this.#params;
    const isSame = JSON.stringify({ ...params, rootWindow: known.rootWindow }) === JSON.stringify(known);
    if (!isSame || this.#input === null || !this.#table.hasGathered(this.#at)) return false;
    this.#params = params;
    this.#decider = this.#deciderFor(params);
    return true;
  }

  *step(input: LiveView, at: number, overlay: Overlay): IncrementalSteps {
    const before = this.#input === null ? null : this.#start;
    this.#input = input;
    this.#at = at;
    this.#position = Math.max(0, input.length - this.#params.rootWindow);
    this.#start = input.place(this.#position);
    this.#simpleFates.clear();
    this.#places.forget();
    if (input.whole === null) yield* this.#moveOn(before, input, at);
    else yield* this.#readWhole(input.whole, input);
    let shown = 0;
    for (const cell of this.#dirty) {
      if (++shown % EDITED_AT_ONCE === 0) yield PAUSE;
      this.#show(cell, input, overlay);
    }
    this.#dirty.clear();
  }

  leaveOut(span: CellSpan | null): void {
    this.#nextLeftOut = span ?? NO_CELLS;
  }

  renew(cell: number, overlay: Overlay): void {
    this.#show(cell, this.#inputNow(), overlay);
  }

  fateOf(index: number): Fate | null {
    const item = this.#input?.source(index) ?? null;
    if (item?.kind !== 'source' || !this.#holdsResult(item)) return null;
    const isRoot = this.#isRoot(index);
    const simple = this.#simpleFate(item, isRoot);
    if (simple !== null) return simple;
    return this.#decider.fateOf(item, this.#decider.judgeMessage(item, isRoot));
  }

  /** Each message with results is given the reason they stay. */
  named(name: (index: number) => void): void {
    const { items } = this.#inputNow().toView();
    for (let position = 0; position < items.length; position++) {
      const item = items[position]!;
      if (item.kind === 'source' && this.#holdsResult(item)) name(item.index);
    }
  }

  explain(): Fate {
    return this.#notConcerned;
  }

  report(done: StageDone): ReportDetails {
    const input = this.#inputNow();
    const { rootWindow, rootTexts, requireWriteBarrier } = this.#params;
    let [count, unsaved, reclaimedChars] = [0, 0, 0];
    // Behind the start of the window there is none.
    const to = Math.min(input.cells, this.#start.cell + 1);
    for (let cell = 0; cell < to; cell++) {
      if (this.#isNamedOne(cell)) continue;
      for (const candidate of this.#candidatesAt(cell)) {
        if (this.#mentions.isNamed(candidate.rank)) continue;
        const item = input.at(cell)[candidate.slot];
        const saved = item === undefined ? 0 : this.#decider.saved(item, candidate);
        count++;
        reclaimedChars += saved;
        if (saved === 0) unsaved++;
      }
    }
    const longer = unsaved === 0 ? '' : ` · ${grouped(unsaved)} saved nothing`;
    const summary = count === 0 ? nothingToDo(input.length) : `${countOf(count, 'result')} reclaimed${longer}`;
    const roots = rootLabels(rootWindow, input.length, rootTexts, requireWriteBarrier);
    return policyReport(done, this.#params, { reason: 'reachability_gc', summary, reclaimedChars, roots });
  }

  #inputNow(): LiveView {
    if (this.#input === null) throw new Error('a stage is asked before its first step');
    return this.#input;
  }

  // Results first: a root names only what a result before it holds.
  *#readWhole({ items }: View, input: LiveView): IncrementalSteps {
    let passed = 0;
    this.#candidates = new Array<undefined>(input.cells).fill(undefined);
    this.#ones = new Int32Array(input.cells);
    const { source, memo } = this.#context;
    const raw = rawCandidates(memo, this.#params.minChars, source.length);
    for (let position = 0; position < this.#position; position++) {
      const item = items[position]!;
      passed += item.kind === 'source' && item.text === undefined && raw.isKnown(item.index) ? 1 : READ_AS;
      if (passed >= PASSED_AT_ONCE) {
        passed = 0;
        yield PAUSE;
      }
      if (item.kind === 'source') this.#readResults(item, position, input, raw);
    }
    for (let position = this.#position; position < items.length; position++) {
      passed += READ_AS;
      if (passed >= PASSED_AT_ONCE) {
        passed = 0;
        yield PAUSE;
      }
      const { cell } = input.place(position);
      const root = this.#rootOf(items[position]!);
      this.#mentions.count(root.ids, 1);
      this.#roots.set(cell, [...(this.#roots.get(cell) ?? NO_ROOTS), root]);
    }
    this.#mentions.settle(() => {});
    for (let cell = 0; cell < input.cells; cell++) {
      const one = this.#ones[cell]!;
      if (one !== 0) {
        if (!this.#mentions.isNamed(this.#rankOf(one - 1, cell))) this.#dirty.add(cell);
        continue;
      }
      const candidates = this.#candidates[cell];
      if (candidates === undefined) continue;
      this.#rank(candidates, cell);
      if (candidates.some(({ rank }) => !this.#mentions.isNamed(rank))) this.#dirty.add(cell);
    }
  }

  #readResults(item: SourceItem, position: number, input: LiveView, raw: RawCandidates): void {
    const { index } = item;
    const one = item.text === undefined ? raw.of(index, this.#oneResult) : SEVERAL;
    if (one === NONE) return;
    const slot = position - input.before(index);
    if (one !== SEVERAL && slot === 0) {
      this.#ones[index] = one + 1;
      return;
    }
    const candidates = this.#candidatesIn(item, slot);
    if (candidates.length > 0) this.#candidates[index] = candidates;
  }

  // A closure for each message would be most of what a step leaves to collect.
  readonly #oneResult = (index: number): number => {
    const [first, second] = this.#candidatesIn({ kind: 'source', index }, 0);
    return first === undefined ? NONE : second === undefined ? first.info.number : SEVERAL;
  };

  *#moveOn(before: LivePlace | null, input: LiveView, at: number): IncrementalSteps {
    for (const _ of this.#table.gatherResults(at)) yield PAUSE;
    if (!this.#follows) this.#readRootsAgain();
    this.#follows = true;
    const cells = new Set(input.changed.keys());
    for (const cell of this.#takeLeftOut()) cells.add(cell);
    const from = before?.cell ?? this.#start.cell;
    const to = Math.max(from, this.#start.cell);
    for (let cell = Math.min(from, this.#start.cell); cell <= to; cell++) cells.add(cell);
    for (const cell of cells) this.#reviewRoots(cell, input);
    this.#mentions.settle((rank) => this.#dirty.add(this.#messages[rank]!));
    for (const cell of cells) this.#reviewCandidates(cell, input);
  }

  // Gives the cells that are needed again.
  #takeLeftOut(): readonly number[] {
    const [before, now] = [this.#leftOut, this.#nextLeftOut];
    this.#leftOut = now;
    if (before === now) return [];
    for (let cell = now.from; cell < now.to; cell++) {
      if (cell >= before.from && cell < before.to) {
        cell = before.to - 1;
        continue;
      }
      // Whether a signed message is touched decides about all others.
      if (this.#context.source.facts(cell).signed) continue;
      for (const { rank } of this.#candidatesAt(cell)) this.#mentions.drop(rank);
    }
    const again: number[] = [];
    for (let cell = before.from; cell < before.to; cell++) {
      if (cell >= now.from && cell < now.to) {
        cell = now.to - 1;
        continue;
      }
      for (const { info } of this.#candidatesAt(cell)) this.#ranks[info.number] = 0;
      again.push(cell);
    }
    return again;
  }

  // The step from nothing has read the results that it asks about. Those that stand among the roots were not, and what
  // they hold may be named behind them.
  #readRootsAgain(): void {
    for (const [cell, roots] of this.#roots) {
      for (const { ids } of roots) this.#mentions.count(ids, -1);
      const again = roots.map(({ item }) => this.#rootOf(item));
      for (const { ids } of again) this.#mentions.count(ids, 1);
      this.#roots.set(cell, again);
    }
  }

  #holdsResult(item: SourceItem): boolean {
    if (item.text === undefined) return this.#table.holdsResult(item.index);
    return this.#decider.parts(item).some(({ kind }) => kind === 'tool_result');
  }

  #isRoot(index: number): boolean {
    return this.#inputNow().before(index + 1) > this.#position;
  }

  #inWindow(cell: number, slot: number): boolean {
    return cell > this.#start.cell || (cell === this.#start.cell && slot >= this.#start.slot);
  }

  #reviewRoots(cell: number, input: LiveView): void {
    const known = this.#roots.get(cell) ?? NO_ROOTS;
    const items = input.at(cell).filter((_, slot) => this.#inWindow(cell, slot));
    if (known.length === items.length && known.every(({ item }, at) => item === items[at])) return;
    for (const { ids } of known) this.#mentions.count(ids, -1);
    const roots = items.map((item) => this.#rootOf(item));
    for (const { ids } of roots) this.#mentions.count(ids, 1);
    if (roots.length === 0) this.#roots.delete(cell);
    else this.#roots.set(cell, roots);
  }

  #rootOf(item: ViewItem): Root {
    const isRaw = item.kind === 'source' && item.text === undefined;
    const ids = isRaw
      ? this.#table.rootIds(item.index)
      : this.#table.rootIdsOfJson(itemText(item, this.#context.source));
    return { item, ids, index: item.kind === 'source' ? item.index : null };
  }

  #countText(text: string): Int32Array {
    const ids = this.#table.idsOfText(text);
    this.#mentions.count(ids, 1);
    return ids;
  }

  #reviewCandidates(cell: number, input: LiveView): void {
    const found: Candidate[] = [];
    for (const [slot, item] of input.at(cell).entries()) {
      if (item.kind === 'source' && !this.#inWindow(cell, slot)) found.push(...this.#candidatesIn(item, slot));
    }
    if (found.length === 0 && this.#candidatesAt(cell).length === 0) return;
    this.#rank(found, cell);
    this.#ones[cell] = 0;
    this.#candidates[cell] = found.length > 0 ? found : undefined;
    this.#dirty.add(cell);
  }

  /** Without their ranks: the roots are counted before results are filed. */
  #candidatesIn(item: SourceItem, slot: number): readonly Candidate[] {
    if (!this.#holdsResult(item)) return NO_CANDIDATES;
    const parts = this.#decider.parts(item);
    let found: Candidate[] | null = null;
    for (let part = 0; part < parts.length; part++) {
      const info = this.#decider.candidate(item, part, parts[part]!);
      if (info === null) continue;
      found ??= [];
      found.push({ slot, part, info, rank: UNRANKED });
    }
    return found ?? NO_CANDIDATES;
  }

  #candidatesAt(cell: number): readonly Candidate[] {
    const known = this.#candidates[cell];
    const number = (this.#ones[cell] ?? 0) - 1;
    if (known !== undefined || number < 0) return known ?? NO_CANDIDATES;
    const info = this.#table.resultAt(number);
    const made = [{ slot: 0, part: info.part, info, rank: this.#ranks[number]! - 1 }];
    this.#candidates[cell] = made;
    return made;
  }

  #isNamedOne(cell: number): boolean {
    const number = (this.#ones[cell] ?? 0) - 1;
    return number >= 0 && this.#mentions.isNamed(this.#ranks[number]! - 1);
  }

  #rank(candidates: readonly Candidate[], index: number): void {
    for (const candidate of candidates) candidate.rank = this.#rankOf(candidate.info.number, index);
  }

  #rankOf(number: number, index: number): number {
    if (number >= this.#ranks.length) this.#ranks = grownInts(this.#ranks, this.#table.resultCount);
    const known = this.#ranks[number]!;
    if (known !== 0) return known - 1;
    const { namedBy } = this.#table;
    const guess = namedBy[number]!;
    this.#numbers.push(number);
    this.#messages.push(index);
    const rank = this.#mentions.add(guess === 0 ? null : guess - 1);
    this.#ranks[number] = rank + 1;
    const now = this.#mentions.namedBy(rank);
    if (now !== null && now !== guess - 1) namedBy[number] = now + 1;
    return rank;
  }

  #isUnnamed({ number }: ResultInfo): boolean {
    const rank = (this.#ranks[number] ?? 0) - 1;
    return rank >= 0 && !this.#mentions.isNamed(rank);
  }

  #gone(candidates: readonly Candidate[]): readonly Candidate[] {
    return candidates.filter(({ rank }) => !this.#mentions.isNamed(rank));
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const gone = this.#isNamedOne(cell) ? NO_CANDIDATES : this.#gone(this.#candidatesAt(cell));
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
    return item.kind === 'source' && bodies.length > 0 ? this.#decider.edit(item, bodies) : item;
  }

  #simpleFate(item: SourceItem, isRoot: boolean): Fate | null {
    const parts = this.#decider.parts(item);
    const [only] = parts;
    if (parts.length !== 1 || only === undefined) return null;
    const isShort = only.chars < this.#params.minChars;
    const key = isRoot ? -1 : only.isError === true ? -2 : isShort ? only.chars : null;
    if (key === null) return null;
    const fate = this.#simpleFates.get(key) ?? this.#decider.fateOf(item, this.#decider.judgeMessage(item, isRoot));
    this.#simpleFates.set(key, fate);
    return fate;
  }

  #placesNow(): RootPlaces {
    if (!this.#places.isSet) this.#places.set([...this.#rootsInOrder()], this.#table.size);
    return this.#places;
  }

  *#rootsInOrder(): Iterable<Root> {
    const input = this.#inputNow();
    for (let cell = input.nextCell(this.#start.cell); cell < input.cells; cell = input.nextCell(cell + 1)) {
      yield* this.#roots.get(cell) ?? NO_ROOTS;
    }
  }

  #windowFrom(): number | null {
    const input = this.#inputNow();
    for (let position = this.#position; position < input.length; position++) {
      const item = input.item(position);
      if (item.kind === 'source') return item.index;
    }
    return null;
  }
}
