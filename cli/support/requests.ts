// The requests of a session as commands follow them: how they are counted, the overhead, what a cache
// serves of them and what they cost. What depends on the spec alone is made for each of several.
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import { CacheFollower } from '../../core/insight/cache.ts';
import { type CachePoints, type CachePointsMode, cachePointsOf } from '../../core/insight/cachePoints.ts';
import { cacheRuleOf } from '../../core/insight/cacheRules.ts';
import { PRICES, type Price, priceOf } from '../../core/insight/prices.ts';
import { type ChargedRequest, RequestSummer } from '../../core/insight/requestSums.ts';
import { requestTime } from '../../core/insight/requestTime.ts';
import { UseFinder, UsesFollower } from '../../core/insight/uses/index.ts';
import { CATEGORIES } from '../../core/model/category.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import {
  type CallPointFigures,
  CallPointSums,
  type ReachedPoint,
  type TallyItem,
} from '../../core/projection/allCallPoints.ts';
import { talliedParts } from '../../core/projection/callPointSums.ts';
import { LoadedTools } from '../../core/projection/loadedTools.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { ProjectOptions } from '../../core/projection/project.ts';
import type { Budget } from '../../core/tokens/budget.ts';
import { categoryIndex } from '../../core/tokens/categories.ts';
import { bareModelId, modelFacts } from '../../core/tokens/models.ts';
import {
  type CountedOverhead,
  countOverhead,
  knownOverhead,
  overheadOf,
  QUICK_COUNT,
} from '../../core/tokens/overhead.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemFacts } from '../../core/view/reader.ts';
import { estimatedTokens, isUnrendered, itemPartTokens } from '../../core/view/tokens.ts';
import type { StageMemo, StageTokens, View } from '../../core/view/types.ts';
import { type CliCounting, countingOf } from './counting.ts';
import { modelOf } from './input.ts';
import { aboutOf, stageInputs } from './inputs.ts';

/** How requests are counted and cached. */
export interface RequestOptions {
  /** False = estimates in place of counts. */
  readonly tokens: boolean;
  readonly cachePoints: CachePointsMode;
}

/** What requests must fit. Overhead in tokens. */
export interface RequestLimits {
  /** Null = no window is known. */
  readonly budget: Budget | null;
  readonly overhead: number;
}

/** One session, whatever the spec. */
export class SessionRequests {
  readonly transcript: ImportedTranscript;
  readonly source: TranscriptSource;
  /** Null = no price is known. */
  readonly price: Price | null;
  /** Ascending; the next request is the last. */
  readonly points: readonly number[];
  /** Shared by all specs: what stages derive from messages does not depend on their options. */
  readonly memo: StageMemo = createMemo();
  readonly counting: CliCounting | null;
  readonly #model: string | null;
  /** Tokens of messages as figures count them. */
  readonly counted: StageTokens;
  readonly #loads: LoadedTools;
  readonly #cachePoints: CachePoints;
  readonly #tally: TallyItem;
  #finder: UseFinder | null = null;

  /** Loads the tokenizer if counts are asked for. As figures are counted where nobody names one: a spec's own is for its stages. */
  static async open(
    transcript: ImportedTranscript,
    source: TranscriptSource,
    options: RequestOptions,
  ): Promise<SessionRequests> {
    const counting = options.tokens ? await countingOf(source, {}, aboutOf(transcript)) : null;
    return new SessionRequests(transcript, source, options, counting);
  }

  private constructor(
    transcript: ImportedTranscript,
    source: TranscriptSource,
    { cachePoints }: RequestOptions,
    counting: CliCounting | null,
  ) {
    this.transcript = transcript;
    this.source = source;
    this.counting = counting;
    this.points = callPoints(source);
    this.#model = modelOf(transcript) ?? null;
    this.price = this.#model === null ? null : priceOf(PRICES, bareModelId(this.#model));
    this.counted = counting === null ? estimatedTokens(source) : countedTokens(source, counting);
    this.#loads = new LoadedTools(transcript.meta.toolsJson, (text) => this.counted.text(text)).read(source);
    this.#cachePoints = cachePointsOf(cachePoints, evidenceOf(transcript, source));
    this.#tally = tallyBy(this.counted, source, this.memo);
  }

  /** What stages are given under a spec. */
  async inputs(parsed: ParsedSpec): Promise<ProjectOptions> {
    const {
      bundle: _bundle,
      beside: _beside,
      ...inputs
    } = await stageInputs(this.source, parsed, aboutOf(this.transcript));
    return { ...inputs, memo: this.memo, sha256: nodeSha256 };
  }

  /** The overhead of its requests: the same in each, because a transcript records it once. */
  overhead({ spec }: Pick<ParsedSpec, 'spec'>): CountedOverhead {
    const { images } = modelFacts(this.#model ?? undefined);
    const recorded = countOverhead(this.transcript.meta, this.counting?.counter ?? QUICK_COUNT, images);
    const { beside, unrecorded } = knownOverhead(recorded, this.counting?.calibration ?? null);
    return overheadOf(beside, spec.budget?.overhead ?? unrecorded);
  }

  /** Figures of the call points of one walk, in order. */
  figures(): (point: ReachedPoint) => CallPointFigures {
    let sums: CallPointSums | null = null;
    return (point) => {
      sums ??= new CallPointSums(this.source, point, this.#tally, this.#loads);
      return sums.take(point);
    };
  }

  /** What the cache serves of the requests of one walk, in order, and what they cost. */
  charges(overhead: number): (figures: CallPointFigures) => ChargedRequest & { readonly spent: number } {
    const follower = new CacheFollower(cacheRuleOf(this.#model), this.price, overhead, this.#cachePoints);
    let before: number | null = null;
    return (figures) => {
      const time = requestTime(before, figures.at, (index) => this.transcript.messages[index]?.meta.timestamp);
      const cache = follower.next(figures, time);
      before = figures.at;
      return { cache, cost: this.price && follower.spent, spent: follower.spent };
    };
  }

  /** What the requests of a spec must fit, as `project` has it. */
  async limits(parsed: ParsedSpec): Promise<RequestLimits> {
    const { budget = null } = await stageInputs(this.source, parsed, aboutOf(this.transcript), this.counting !== null);
    return { budget, overhead: this.overhead(parsed).total };
  }

  /** The uses of what was said before, looked for once. */
  get finder(): UseFinder {
    if (this.#finder === null) {
      this.#finder = new UseFinder(this.source);
      for (const _ of this.#finder.grow());
    }
    return this.#finder;
  }

  /** Which of them hold along one walk: give it each call point. */
  uses(): UsesFollower {
    const { source, finder, transcript } = this;
    return new UsesFollower({ source, finder, front: transcript.meta, tokens: this.counted });
  }

  /** Sums over one walk: give it each call point. */
  summer({ budget, overhead }: RequestLimits): {
    readonly take: (point: ReachedPoint) => void;
    readonly summer: RequestSummer;
  } {
    const [figuresAt, charge] = [this.figures(), this.charges(overhead)];
    const summer = new RequestSummer(budget, overhead, this.source.length);
    const take = (point: ReachedPoint): void => {
      const figures = figuresAt(point);
      summer.add(figures, charge(figures));
    };
    return { take, summer };
  }

  /** Tokens of the messages of a view. */
  tokensOf({ items }: View): number {
    const counts = new Float64Array(CATEGORIES.length);
    for (const item of items) this.#tally(item, counts);
    return counts.reduce((sum, each) => sum + each, 0);
  }
}

function evidenceOf(transcript: ImportedTranscript, source: TranscriptSource) {
  const parts = transcript.messages.flatMap((_, index) => source.facts(index).parts);
  const ttls = parts.flatMap(({ cacheMark }) => (cacheMark === undefined ? [] : [cacheMark]));
  const hourWritten = transcript.messages.some(({ meta }) => (meta.usage?.cacheWrite1h ?? 0) > 0);
  return { beside: transcript.meta, ttls, hourWritten };
}

function tallyBy(tokens: StageTokens, source: TranscriptSource, memo: StageMemo): TallyItem {
  return (item, out) => {
    if (isUnrendered(item)) return { blocks: 0, marks: [] };
    const { parts } = itemFacts(item, source, memo);
    const counts = itemPartTokens(item, { source, tokens, memo });
    for (const [at, part] of parts.entries()) out[categoryIndex(part.category)]! += counts[at] ?? 0;
    return talliedParts(parts, counts);
  };
}
