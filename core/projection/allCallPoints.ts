// What the requests of a session hold, at all its call points, in about linear time: the view moves from one call point
// to the next, and every stage follows the changes (core/view/incremental.ts). A stage without an incremental form is
// run anew at each call point; that costs what the projection costs, times the call points. The oracle of all this is
// project() at each call point; tests compare.
import { CATEGORIES } from '../model/category.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { Fenwick } from '../util/fenwick.ts';
import { sha256 } from '../util/hash.ts';
import { mergeKinds } from '../view/fates.ts';
import type { IncrementalContext } from '../view/incremental.ts';
import { LiveView } from '../view/liveView.ts';
import { createMemo } from '../view/memo.ts';
import { estimatedTokens } from '../view/tokens.ts';
import {
  type FateKind,
  PAUSE as PAUSED,
  type SourceItem,
  type StageAnswer,
  type StageEffect,
  type ViewItem,
} from '../view/types.ts';
import { type CacheBreak, commonPrefix, explainBreak } from './cacheBreak.ts';
import { beginLiveStage, type LiveStage } from './liveStage.ts';
import type { ResolvedStage } from './parseSpec.ts';
import type { ProjectOptions } from './project.ts';

/** The beginning that a request has in common with the one before it: what a provider's cache can serve. */
export interface PrefixFigures {
  readonly messages: number;
  readonly tokens: number;
  /** Tokens behind it that are not new: messages that the request before held too, in some form, or in their place. */
  readonly again: number;
  /** What ended it; null = the request before is a beginning of this one, or this one of it. */
  readonly brokenBy: CacheBreak | null;
}

/** The request at one call point in figures. */
export interface CallPointFigures {
  readonly at: number;
  /** Messages in the view, synthetic ones too. */
  readonly items: number;
  /** Their parts: what providers call content blocks. */
  readonly blocks: number;
  /** Projected tokens, in the order of CATEGORIES. */
  readonly byCategory: readonly number[];
  /** How many source messages have each fate. */
  readonly counts: Readonly<Partial<Record<FateKind, number>>>;
  /** True if provider safety refused a stage. */
  readonly blocked: boolean;
  /** Against the request at the call point before it in the list; null at the first. */
  readonly prefix: PrefixFigures | null;
}

/** Adds the tokens of an item, by category, to `out`; gives the number of its parts. Asked when it comes into the view. */
export type TallyItem = (item: ViewItem, out: Float64Array) => number;

/** A session, a spec, and the call points asked for, ascending. */
export interface CallPointsInput {
  readonly source: TranscriptSource;
  readonly stages: readonly ResolvedStage[];
  readonly points: readonly number[];
  readonly tally: TallyItem;
  readonly options?: ProjectOptions;
}

/** What the run yields: what was asked for, what a stage asks its host for, or a moment in which others can be answered. */
export type CallPointStep<T = CallPointFigures> =
  | { readonly kind: 'point'; readonly figures: T }
  | { readonly kind: 'effect'; readonly effect: StageEffect }
  | { readonly kind: 'pause' };

/** Resumed with the answer to an effect, with null after anything else. */
export type CallPointsRun<T = CallPointFigures> = Generator<CallPointStep<T>, void, StageAnswer | null>;

/** A call point that the stages have moved to. */
export interface ReachedPoint {
  /** The call point before it; null at the first. */
  readonly before: number | null;
  readonly at: number;
  /** What the request there holds, and what is different from the one before. */
  readonly view: LiveView;
  readonly stages: readonly LiveStage[];
}

/** Kinds of the enabled stages that are run anew at every call point; empty = linear. */
export function naiveStages(stages: readonly ResolvedStage[]): readonly string[] {
  return stages.filter(({ enabled, bound }) => enabled && bound.incremental === undefined).map(({ kind }) => kind);
}

const PAUSE = { kind: 'pause' } as const;

/** Figures at all these call points, in order. Pauses at least once a call point. */
export function allCallPoints(input: CallPointsInput): CallPointsRun {
  let figures: CallPointSums | null = null;
  return followCallPoints(input, (point) => {
    figures ??= new CallPointSums(input.source, point, input.tally);
    return figures.take(point);
  });
}

/** Moves along the call points; `take` is asked what to yield at each. */
export function* followCallPoints<T>(
  input: Omit<CallPointsInput, 'tally'>,
  take: (point: ReachedPoint) => T,
): CallPointsRun<T> {
  const { source, points } = input;
  const { observe: _observe, ...options } = input.options ?? {};
  const context: Omit<IncrementalContext, 'stage'> = {
    source,
    memo: options.memo ?? createMemo(),
    sha256: options.sha256 ?? sha256,
    tokens: options.tokens ?? estimatedTokens(source),
    budget: options.budget ?? null,
  };
  const raw = new LiveView(source.length);
  const stages = input.stages
    .filter(({ enabled }) => enabled)
    .map((stage) => beginLiveStage(stage, { ...context, stage: stage.position }));
  for (const stage of stages) {
    for (const _ of stage.prepare()) yield PAUSE;
  }
  let before: number | null = null;
  for (const at of points) {
    for (let index = before ?? 0; index < at; index++) raw.set(index, [rawItem(index)]);
    let view = raw;
    for (const stage of stages) {
      yield* moveOn(stage, view, at);
      view = stage.output;
    }
    yield { kind: 'point', figures: take({ before, at, view, stages }) };
    for (const each of [raw, ...stages.map(({ output }) => output)]) each.settle();
    before = at;
  }
}

/** Runs through, answering effects with `answer`. For hosts that need not pause. */
export function runCallPoints(
  input: CallPointsInput,
  answer: (effect: StageEffect) => StageAnswer,
): readonly CallPointFigures[] {
  const run = allCallPoints(input);
  const found: CallPointFigures[] = [];
  let step = run.next(null);
  while (step.done !== true) {
    if (step.value.kind === 'point') found.push(step.value.figures);
    step = run.next(step.value.kind === 'effect' ? answer(step.value.effect) : null);
  }
  return found;
}

function rawItem(index: number): SourceItem {
  return { kind: 'source', index };
}

function* moveOn(stage: LiveStage, input: LiveView, at: number): CallPointsRun<never> {
  const steps = stage.step(input, at);
  let step = steps.next();
  while (step.done !== true) {
    const isPause = step.value.effect === 'pause';
    const answer: StageAnswer | null = yield isPause ? PAUSE : { kind: 'effect', effect: step.value };
    if (answer === null && !isPause) throw new Error('an effect was not answered');
    step = steps.next(answer ?? PAUSED);
  }
}

const SLOTS = CATEGORIES.length;

/** Sums over the last view, and over the fates of all stages together: figures at each call point, made anew for each run. */
export class CallPointSums {
  readonly #stages: readonly LiveStage[];
  readonly #view: LiveView;
  readonly #tally: TallyItem;
  readonly #totals = new Float64Array(SLOTS);
  /** Tokens by category of each cell, as they were counted into the sums. */
  readonly #byCell: Float64Array;
  readonly #sums: Fenwick;
  readonly #blocksOf: Int32Array;
  #blocks = 0;
  readonly #kinds: (FateKind | undefined)[] = [];
  readonly #counts = new Map<FateKind, number>();
  readonly #scratch = new Float64Array(SLOTS);

  constructor(source: TranscriptSource, { stages, view }: ReachedPoint, tally: TallyItem) {
    this.#stages = stages;
    this.#view = view;
    this.#tally = tally;
    this.#byCell = new Float64Array((source.length + 1) * SLOTS);
    this.#sums = new Fenwick(source.length + 1);
    this.#blocksOf = new Int32Array(source.length + 1);
  }

  take({ before, at }: ReachedPoint): CallPointFigures {
    for (const cell of this.#view.changed.keys()) this.#countCell(cell);
    for (let index = before ?? 0; index < at; index++) this.#mergeKind(index);
    for (const stage of this.#stages) for (const index of stage.touched) if (index < at) this.#mergeKind(index);
    const counts: Partial<Record<FateKind, number>> = {};
    for (const [kind, count] of this.#counts) if (count > 0) counts[kind] = count;
    return {
      at,
      items: this.#view.length,
      blocks: this.#blocks,
      byCategory: [...this.#totals],
      counts,
      blocked: this.#stages.some(({ blocked }) => blocked),
      prefix: before === null ? null : this.#prefix(before, at),
    };
  }

  #countCell(cell: number): void {
    const scratch = this.#scratch.fill(0);
    let blocks = 0;
    for (const item of this.#view.at(cell)) blocks += this.#tally(item, scratch);
    this.#blocks += blocks - this.#blocksOf[cell]!;
    this.#blocksOf[cell] = blocks;
    let more = 0;
    for (let slot = 0; slot < SLOTS; slot++) {
      const differs = scratch[slot]! - this.#byCell[cell * SLOTS + slot]!;
      this.#byCell[cell * SLOTS + slot] = scratch[slot]!;
      this.#totals[slot]! += differs;
      more += differs;
    }
    if (more !== 0) this.#sums.add(cell, more);
  }

  #mergeKind(index: number): void {
    let kind: FateKind = 'kept';
    for (const stage of this.#stages) kind = mergeKinds(kind, stage.kind(index) ?? 'kept');
    const known = this.#kinds[index];
    if (known === kind) return;
    if (known !== undefined) this.#counts.set(known, (this.#counts.get(known) ?? 0) - 1);
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    this.#kinds[index] = kind;
  }

  #prefix(before: number, at: number): PrefixFigures {
    const { messages, cell, slot, old, now } = commonPrefix(this.#view);
    const within = this.#tokensOf(this.#view.at(cell).slice(0, slot));
    const tokens = this.#sums.before(cell) + within;
    const all = this.#totals.reduce((sum, each) => sum + each, 0);
    let added = 0;
    // What is new stands behind the prefix in any case.
    for (let index = before; index < at; index++) {
      const item = this.#view.source(index);
      if (item !== null) added += this.#tokensOf([item]);
    }
    const brokenBy = old === null || now === null ? null : explainBreak(this.#stages, old, now);
    return { messages, tokens, again: Math.max(0, all - tokens - added), brokenBy };
  }

  #tokensOf(items: readonly ViewItem[]): number {
    const scratch = this.#scratch.fill(0);
    for (const item of items) this.#tally(item, scratch);
    return scratch.reduce((sum, tokens) => sum + tokens, 0);
  }
}
