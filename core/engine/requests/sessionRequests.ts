// The requests of a session as commands and sweeps follow them: how they are counted, the overhead, what a cache
// serves of them and what they cost. What depends on the spec alone is made for each of several.

import { CacheFollower } from '../../insight/cache.ts';
import { type CachePoints, type CachePointsMode, cachePointsOf } from '../../insight/cachePoints.ts';
import { PRICES, type Price } from '../../insight/prices.ts';
import { Pricing } from '../../insight/pricing.ts';
import { type ChargedRequest, RequestSummer } from '../../insight/requestSums.ts';
import { requestTime } from '../../insight/requestTime.ts';
import { UseFinder, UsesCounter, UsesFollower } from '../../insight/uses/index.ts';
import { CATEGORIES } from '../../model/category.ts';
import type { MessageMeta } from '../../model/message.ts';
import type { TranscriptMeta, TranscriptSource } from '../../model/transcript.ts';
import { callPoints } from '../../model/turns.ts';
import {
  type CallPointFigures,
  CallPointSums,
  type ReachedPoint,
  type TallyItem,
} from '../../projection/allCallPoints.ts';
import { type Tallied, talliedParts } from '../../projection/callPointSums.ts';
import { LoadedTools } from '../../projection/loadedTools.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ProjectOptions } from '../../projection/project.ts';
import type { Budget } from '../../tokens/budget.ts';
import { categoryIndex } from '../../tokens/categories.ts';
import { modelFacts } from '../../tokens/models.ts';
import { type CountedOverhead, countOverhead, knownOverhead, overheadOf, QUICK_COUNT } from '../../tokens/overhead.ts';
import { countedTokens } from '../../view/countedTokens.ts';
import { ItemMap } from '../../view/itemMap.ts';
import { createMemo } from '../../view/memo.ts';
import { itemFacts } from '../../view/reader.ts';
import { estimatedTokens, isUnrendered, itemPartTokens } from '../../view/tokens.ts';
import type { StageMemo, StageTokens, View, ViewItem } from '../../view/types.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { type CountedAbout, countingOf, type TokenCounting, windowOf } from './counting.ts';
import { stageInputs } from './stageInputs.ts';

/** How requests are counted and cached. */
export interface RequestOptions {
  /** False = estimates in place of counts. */
  readonly tokens: boolean;
  readonly cachePoints: CachePointsMode;
  /** Absent = those the program knows. */
  readonly prices?: readonly Price[];
}

/** A session whose requests are followed. */
export interface RequestedSession {
  readonly source: TranscriptSource;
  readonly meta: TranscriptMeta;
  readonly about: CountedAbout;
}

/** What requests must fit. Overhead in tokens. */
export interface RequestLimits {
  /** Null = no window is known. */
  readonly budget: Budget | null;
  readonly overhead: number;
}

/** One session, whatever the spec. */
export class SessionRequests {
  readonly source: TranscriptSource;
  readonly meta: TranscriptMeta;
  /** What its requests cost, each by its own model. */
  readonly pricing: Pricing;
  /** Ascending; the next request is the last. */
  readonly points: readonly number[];
  /** Shared by all specs: what stages derive from messages does not depend on their options. */
  readonly memo: StageMemo = createMemo();
  readonly counting: TokenCounting | null;
  readonly #about: CountedAbout;
  /** The model its requests are counted for; null = none is recorded. */
  readonly model: string | null;
  /** Tokens of messages as figures count them. */
  readonly counted: StageTokens;
  readonly #loads: LoadedTools;
  readonly #cachePoints: CachePoints;
  readonly #tally: TallyItem;
  #finder: UseFinder | null = null;

  /** Loads the tokenizer if counts are asked for. As figures are counted where nobody names one: a spec's own is for its stages. */
  static async open(session: RequestedSession, options: RequestOptions): Promise<SessionRequests> {
    const counting = options.tokens ? await countingOf(session.source, {}, session.about) : null;
    return new SessionRequests(session, options, counting);
  }

  private constructor(
    { source, meta, about }: RequestedSession,
    { cachePoints, prices = PRICES }: RequestOptions,
    counting: TokenCounting | null,
  ) {
    this.source = source;
    this.meta = meta;
    this.#about = about;
    this.counting = counting;
    this.points = callPoints(source);
    this.model = about.model ?? null;
    this.pricing = requestPricing({ source, meta, about }, prices);
    this.counted = counting === null ? estimatedTokens(source) : countedTokens(source, counting);
    this.#loads = new LoadedTools(meta.toolsJson, (text) => this.counted.text(text)).read(source);
    this.#cachePoints = cachePointsOf(cachePoints, evidenceOf({ source, meta, about }));
    this.#tally = tallyBy(this.counted, source, this.memo);
  }

  /** What requests must fit where no spec says it; null = it is not known. Unit: tokens. */
  get window(): number | null {
    return windowOf(this.#about);
  }

  /** What is recorded of a message; nothing of one that is not there. */
  metaAt(index: number): MessageMeta {
    return index < this.source.length ? (this.#about.metaAt?.(index) ?? {}) : {};
  }

  /** What stages are given under a spec. */
  async inputs(parsed: ParsedSpec): Promise<ProjectOptions> {
    const { bundle: _bundle, beside: _beside, ...inputs } = await stageInputs(this.source, parsed, this.#about);
    return { ...inputs, memo: this.memo, sha256: nodeSha256 };
  }

  /** The overhead of its requests: the same in each, because a transcript records it once. */
  overhead({ spec }: Pick<ParsedSpec, 'spec'>): CountedOverhead {
    const { images } = modelFacts(this.model ?? undefined);
    const recorded = countOverhead(this.meta, this.counting?.counter ?? QUICK_COUNT, images);
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
  charges(overhead: number): (figures: CallPointFigures) => ChargedRequest {
    const follower = new CacheFollower(this.pricing, overhead, this.#cachePoints);
    let before: number | null = null;
    return (figures) => {
      const time = requestTime(before, figures.at, (index) => this.metaAt(index).timestamp);
      const cache = follower.next(figures, time);
      before = figures.at;
      return { cache, cost: follower.spent };
    };
  }

  /** What the requests of a spec must fit, as `project` has it. */
  async limits(parsed: ParsedSpec): Promise<RequestLimits> {
    const { budget = null } = await stageInputs(this.source, parsed, this.#about, this.counting !== null);
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
    const { source, finder, meta } = this;
    return new UsesFollower({ source, finder, front: meta, tokens: this.counted });
  }

  /** How many of them there are along one walk, and how many of these are gone: give it each call point. */
  countedUses(): UsesCounter {
    const { source, finder, meta } = this;
    return new UsesCounter(source, finder, meta);
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

/** What the requests of a session cost, each by its own model. */
export function requestPricing({ source, meta, about }: RequestedSession, prices: readonly Price[]): Pricing {
  const { model = null, metaAt = () => ({}) } = about;
  const models = about.binding?.models ?? [];
  const stated = meta.bundle?.transcript.model;
  return Pricing.of({ model, models, stated, callPoints: callPoints(source), metaAt }, prices);
}

function evidenceOf({ source, meta, about }: RequestedSession) {
  const indices = Array.from({ length: source.length }, (_, index) => index);
  const parts = indices.flatMap((index) => source.facts(index).parts);
  const ttls = parts.flatMap(({ cacheMark }) => (cacheMark === undefined ? [] : [cacheMark]));
  const hourWritten = indices.some((index) => (about.metaAt?.(index).usage?.cacheWrite1h ?? 0) > 0);
  return { beside: meta, ttls, hourWritten };
}

const NOTHING: Tallied = { blocks: 0, marks: [] };

/** What an item adds to the sums: a category and a count for each part. */
interface TalliedItem {
  readonly slots: readonly number[];
  readonly counts: readonly number[];
  readonly tallied: Tallied;
}

// An item is the same whenever it comes into a view again, under whatever spec: it is counted once.
function tallyBy(tokens: StageTokens, source: TranscriptSource, memo: StageMemo): TallyItem {
  const raw: (TalliedItem | undefined)[] = [];
  const made = new ItemMap<TalliedItem>();
  const tally = (item: ViewItem): TalliedItem => {
    const { parts } = itemFacts(item, source, memo);
    const counts = itemPartTokens(item, { source, tokens, memo });
    return {
      slots: parts.map(({ category }) => categoryIndex(category)),
      counts: parts.map((_, at) => counts[at] ?? 0),
      tallied: talliedParts(parts, counts),
    };
  };
  return (item, out) => {
    if (isUnrendered(item)) return NOTHING;
    const index = item.kind === 'source' && item.text === undefined ? item.index : null;
    let known = index === null ? made.get(item) : raw[index];
    if (known === undefined) {
      known = tally(item);
      if (index === null) made.set(item, known);
      else raw[index] = known;
    }
    const { slots, counts } = known;
    for (let at = 0; at < slots.length; at++) out[slots[at]!]! += counts[at]!;
    return known.tallied;
  };
}
