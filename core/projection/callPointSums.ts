// Sums over a view that moves along the call points: tokens, blocks, marks of the cache, fates, and the beginning that a
// request has in common with the one before. Each costs what has changed, not what is there.
import type { CacheTtl } from '../model/cacheMark.ts';
import { CATEGORIES, type Category } from '../model/category.ts';
import type { Part } from '../model/message.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import type { LoadedNow } from '../tokens/loaded.ts';
import { Fenwick } from '../util/fenwick.ts';
import { insertSorted } from '../util/sorted.ts';
import { mergeKinds } from '../view/fates.ts';
import type { LiveView } from '../view/liveView.ts';
import type { FateKind, ViewItem } from '../view/types.ts';
import type { ReachedPoint } from './allCallPoints.ts';
import type { ThinkingCounts } from './binding/types.ts';
import { type CacheBreak, commonPrefix, explainBreak } from './cacheBreak.ts';
import type { LiveStage } from './liveStage.ts';
import { type LoadableTool, type LoadedTools, unionOf } from './loadedTools.ts';

/** The beginning that a request has in common with the one before it: what a provider's cache can serve. */
export interface PrefixFigures {
  readonly messages: number;
  readonly tokens: number;
  /** Blocks of it (see CallPointFigures). */
  readonly blocks: number;
  /** Tokens behind it that are not new: messages that the request before held too, in some form, or in their place. */
  readonly again: number;
  /** What ended it; null = the request before is a beginning of this one, or this one of it. */
  readonly brokenBy: CacheBreak | null;
}

/** A mark of the prompt cache in a request: how much stands up to it, its own block included. */
export interface MarkFigures {
  readonly tokens: number;
  readonly blocks: number;
  readonly ttl: CacheTtl;
  /** On a message that the request before did not hold. */
  readonly isNew: boolean;
}

/** The request at one call point in figures. */
export interface CallPointFigures {
  readonly at: number;
  /** Messages in the view, synthetic ones too. */
  readonly items: number;
  /** Blocks as a cache's lookback counts them: parts, calls side by side as one, and results side by side. */
  readonly blocks: number;
  /** Projected tokens, in the order of CATEGORIES. */
  readonly byCategory: readonly number[];
  /** How many source messages have each fate. */
  readonly counts: Readonly<Partial<Record<FateKind, number>>>;
  /** True if provider safety refused a stage. */
  readonly blocked: boolean;
  /** What the provider makes of the signed thinking; null = it is not checked, or there is none. */
  readonly thinking: ThinkingCounts | null;
  /** The last marks in it, four at most, ascending. */
  readonly marks: readonly MarkFigures[];
  /** Against the request at the call point before it in the list; null at the first. */
  readonly prefix: PrefixFigures | null;
  /** The tools that its messages load; they are in no category. Absent = no message of the transcript can load any. */
  readonly loaded?: LoadedNow;
}

/** A mark within an item: tokens and blocks of the item up to it, its own block included. */
export interface ItemMark {
  readonly tokens: number;
  readonly blocks: number;
  readonly ttl: CacheTtl;
}

/** What an item adds to the sums, beside its tokens. */
export interface Tallied {
  readonly blocks: number;
  readonly marks: readonly ItemMark[];
}

/** Adds the tokens of an item, by category, to `out`. Asked when it comes into the view. */
export type TallyItem = (item: ViewItem, out: Float64Array) => Tallied;

/** Breakpoints a request may have: what providers take at most (Anthropic and OpenAI alike). */
export const MOST_MARKS = 4;

const NO_MARKS: readonly ItemMark[] = [];

/** Blocks and marks of a message, by its parts and their tokens. Blocks: see CallPointFigures. */
export function talliedParts(parts: readonly Part[], tokens: readonly number[]): Tallied {
  let blocks = 0;
  let sum = 0;
  let run: Category | null = null;
  const marks: ItemMark[] = [];
  for (const [at, { category, cacheMark }] of parts.entries()) {
    if (category !== run || !isRun(category)) blocks++;
    run = category;
    sum += tokens[at] ?? 0;
    if (cacheMark !== undefined) marks.push({ tokens: sum, blocks, ttl: cacheMark });
  }
  return { blocks, marks: marks.length === 0 ? NO_MARKS : marks };
}

/** Whether parts of a category, side by side, are one block to a lookback. */
export function isRun(category: Category): boolean {
  return category === 'tool_call' || category === 'tool_result';
}

const SLOTS = CATEGORIES.length;

/** Sums over the last view, and over the fates of all stages together: figures at each call point, made again for each run. */
export class CallPointSums {
  readonly #stages: readonly LiveStage[];
  readonly #view: LiveView;
  readonly #tally: TallyItem;
  readonly #totals = new Float64Array(SLOTS);
  /** Tokens by category of each cell, as they were counted into the sums. */
  readonly #byCell: Float64Array;
  readonly #sums: Fenwick;
  readonly #blocksOf: Int32Array;
  readonly #blockSums: Fenwick;
  #blocks = 0;
  /** Cells with marks, ascending, and the marks from the beginning of the cell on. */
  readonly #markedCells: number[] = [];
  readonly #marks = new Map<number, readonly ItemMark[]>();
  readonly #kinds: (FateKind | undefined)[] = [];
  readonly #counts = new Map<FateKind, number>();
  readonly #scratch = new Float64Array(SLOTS);
  readonly #loads: LoadedSums | null;

  constructor(
    source: TranscriptSource,
    { stages, view }: ReachedPoint,
    tally: TallyItem,
    loads: LoadedTools | null = null,
  ) {
    this.#loads = loads?.isUsed === true ? new LoadedSums(loads) : null;
    this.#stages = stages;
    this.#view = view;
    this.#tally = tally;
    this.#byCell = new Float64Array((source.length + 1) * SLOTS);
    this.#sums = new Fenwick(source.length + 1);
    this.#blocksOf = new Int32Array(source.length + 1);
    this.#blockSums = new Fenwick(source.length + 1);
  }

  take({ before, at, thinking }: ReachedPoint): CallPointFigures {
    for (const cell of this.#view.changed.keys()) this.#countCell(cell);
    this.#loads?.settle(this.#sums);
    for (let index = before ?? 0; index < at; index++) this.#mergeKind(index);
    for (const stage of this.#stages) for (const index of stage.touched) if (index < at) this.#mergeKind(index);
    const counts: Partial<Record<FateKind, number>> = {};
    for (const [kind, count] of this.#counts) if (count > 0) counts[kind] = count;
    const figures: CallPointFigures = {
      at,
      items: this.#view.length,
      blocks: this.#blocks,
      byCategory: listOf(this.#totals),
      counts,
      blocked: this.#stages.some(({ blocked }) => blocked),
      thinking: thinking?.counts ?? null,
      marks: this.#lastMarks(before ?? 0),
      prefix: before === null ? null : this.#prefix(before, at),
    };
    return this.#loads === null ? figures : { ...figures, loaded: this.#loads.now };
  }

  #countCell(cell: number): void {
    const scratch = this.#scratch.fill(0);
    let blocks = 0;
    let marks = NO_MARKS;
    for (const item of this.#view.at(cell)) {
      const inCell = sumOf(scratch);
      const tallied = this.#tally(item, scratch);
      if (tallied.marks.length > 0) marks = [...marks, ...tallied.marks.map((mark) => moved(mark, inCell, blocks))];
      blocks += tallied.blocks;
    }
    this.#loads?.note(cell, this.#view.at(cell));
    this.#mark(cell, marks);
    const moreBlocks = blocks - this.#blocksOf[cell]!;
    this.#blocks += moreBlocks;
    this.#blocksOf[cell] = blocks;
    if (moreBlocks !== 0) this.#blockSums.add(cell, moreBlocks);
    let more = 0;
    for (let slot = 0; slot < SLOTS; slot++) {
      const differs = scratch[slot]! - this.#byCell[cell * SLOTS + slot]!;
      this.#byCell[cell * SLOTS + slot] = scratch[slot]!;
      this.#totals[slot]! += differs;
      more += differs;
    }
    if (more !== 0) this.#sums.add(cell, more);
  }

  #mark(cell: number, marks: readonly ItemMark[]): void {
    const known = this.#marks.has(cell);
    if (marks.length > 0) {
      this.#marks.set(cell, marks);
      if (!known) insertSorted(this.#markedCells, cell);
    } else if (known) {
      this.#marks.delete(cell);
      this.#markedCells.splice(this.#markedCells.indexOf(cell), 1);
    }
  }

  #lastMarks(before: number): readonly MarkFigures[] {
    const found: MarkFigures[] = [];
    for (let i = this.#markedCells.length - 1; i >= 0 && found.length < MOST_MARKS; i--) {
      const cell = this.#markedCells[i]!;
      const tokens = this.#sums.before(cell) + (this.#loads?.own(cell) ?? 0);
      const blocks = this.#blockSums.before(cell);
      const marks = (this.#marks.get(cell) ?? NO_MARKS).slice(found.length - MOST_MARKS);
      found.unshift(...marks.map((mark) => ({ ...moved(mark, tokens, blocks), isNew: cell >= before })));
    }
    return found;
  }

  #mergeKind(index: number): void {
    let kind: FateKind = 'kept';
    for (const stage of this.#stages) {
      kind = mergeKinds(kind, stage.kind(index));
    }
    const known = this.#kinds[index];
    if (known === kind) return;
    if (known !== undefined) this.#counts.set(known, (this.#counts.get(known) ?? 0) - 1);
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    this.#kinds[index] = kind;
  }

  #prefix(before: number, at: number): PrefixFigures {
    const { messages, cell, slot, old, now } = commonPrefix(this.#view);
    const within = this.#count(this.#view.at(cell).slice(0, slot));
    const tokens = this.#sums.before(cell) + within.tokens;
    const blocks = this.#blockSums.before(cell) + within.blocks;
    const all = sumOf(this.#totals) + (this.#loads?.now.tokens ?? 0);
    let added = 0;
    // What is new is behind the prefix in any case.
    for (let index = before; index < at; index++) {
      const item = this.#view.source(index);
      if (item !== null) added += this.#count([item]).tokens + (this.#loads?.own(index) ?? 0);
    }
    const brokenBy = old === null || now === null ? null : explainBreak(this.#stages, old, now);
    return { messages, tokens, blocks, again: Math.max(0, all - tokens - added), brokenBy };
  }

  #count(items: readonly ViewItem[]): { readonly tokens: number; readonly blocks: number } {
    const scratch = this.#scratch.fill(0);
    let blocks = 0;
    for (const item of items) blocks += this.#tally(item, scratch).blocks;
    return { tokens: sumOf(scratch), blocks };
  }
}

/** The tools that the cells of a view load, as the view moves: each tool is of the first cell that loads it. */
class LoadedSums {
  readonly #loads: LoadedTools;
  readonly #cells = new Map<number, readonly LoadableTool[]>();
  readonly #own = new Map<number, number>();
  #isSettled = true;
  now: LoadedNow = { names: [], tokens: 0 };

  constructor(loads: LoadedTools) {
    this.#loads = loads;
  }

  /** What a cell holds now. */
  note(cell: number, items: readonly ViewItem[]): void {
    const tools = items.flatMap((item) => this.#loads.of(item));
    if (tools.length === 0 && !this.#cells.has(cell)) return;
    if (tools.length === 0) this.#cells.delete(cell);
    else this.#cells.set(cell, tools);
    this.#isSettled = false;
  }

  /** Gives each tool to its first cell, and the sums over cells what has changed. */
  settle(sums: Fenwick): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const cells = [...this.#cells].sort(([a], [b]) => a - b);
    const { now, own } = unionOf(cells.map(([, tools]) => tools));
    const owned = new Map(cells.map(([cell], at) => [cell, own[at] ?? 0]));
    for (const cell of new Set([...this.#own.keys(), ...owned.keys()])) {
      const more = (owned.get(cell) ?? 0) - this.own(cell);
      if (more !== 0) sums.add(cell, more);
      this.#own.set(cell, owned.get(cell) ?? 0);
    }
    this.now = now;
  }

  /** Tokens of the tools that a cell is the first to load. */
  own(cell: number): number {
    return this.#own.get(cell) ?? 0;
  }
}

function moved({ tokens, blocks, ttl }: ItemMark, byTokens: number, byBlocks: number): ItemMark {
  return { tokens: tokens + byTokens, blocks: blocks + byBlocks, ttl };
}

function sumOf(tokens: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < tokens.length; at++) sum += tokens[at]!;
  return sum;
}

// Spreading a typed array goes through its iterator: ten times slower, at every call point.
function listOf(tokens: Float64Array): readonly number[] {
  const list: number[] = [];
  for (let at = 0; at < tokens.length; at++) list.push(tokens[at]!);
  return list;
}
