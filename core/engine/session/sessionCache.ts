// The cache's figures of an open transcript: its marks, the times of its requests, what its usage records.
import { CacheFollower, type RequestFigures } from '../../insight/cache.ts';
import { type CachePoints, cachePointsOf } from '../../insight/cachePoints.ts';
import {
  billedCost,
  billedInputs,
  type RecordedAnswer,
  recordedInput,
  type SessionCost,
  SessionSums,
} from '../../insight/money.ts';
import { countBelow } from '../../insight/places.ts';
import type { PointCharge } from '../../insight/pointTable.ts';
import type { Pricing } from '../../insight/pricing.ts';
import type { CachePoint, RecordedCache } from '../../insight/types.ts';
import { includesCache, outputOf, promptOf } from '../../insight/usage/input.ts';
import type { Usage } from '../../model/message.ts';
import type { CallPointFigures, MarkFigures } from '../../projection/callPointSums.ts';
import { MOST_MARKS, talliedParts } from '../../projection/callPointSums.ts';
import type { CacheEvidence } from '../../protocol/types.ts';
import type { Engine } from '../engine.ts';
import { cachePointsModeOf, sessionPricing } from '../library/pricing.ts';
import { rawBlocks } from './rawBlocks.ts';
import { type RequestSpans, requestSpans } from './requestSpans.ts';
import type { Session } from './session.ts';
import type { Tokenizing } from './tokenizing.ts';

/** Answers whose usage is looked at to learn how long what they wrote lives. */
const EVIDENCE_ANSWERS = 50;

/** Follows the requests of an open transcript, in order. */
export class SessionCache {
  readonly #session: Session;
  readonly #points: CachePoints;
  readonly #follower: CacheFollower;
  readonly #includes: boolean;
  readonly #sums: SessionSums;
  readonly #spans: RequestSpans;
  #timed = false;
  #charge: PointCharge = { spent: null, billed: null, answered: null, output: null };
  readonly #pricing: Pricing;

  /** `overheadTokens` = those of the overhead in every request. */
  constructor(engine: Engine, session: Session, overheadTokens: number) {
    this.#session = session;
    this.#spans = requestSpans(session);
    this.#pricing = sessionPricing(engine, session);
    this.#points = cachePointsOf(cachePointsModeOf(engine), {
      beside: session.source.row().meta,
      ttls: session.source.digest().cacheMarks.values(),
      hourWritten: hourWritten(session),
    });
    this.#follower = new CacheFollower(this.#pricing, overheadTokens, this.#points);
    this.#includes = includesOf(session);
    this.#sums = new SessionSums(this.#pricing);
  }

  get evidence(): CacheEvidence {
    const { mode, marked, ttl } = this.#points;
    return { mode, marked, ttl, timed: this.#timed };
  }

  /** What the requests so far cost. */
  get cost(): SessionCost {
    return this.#sums.cost;
  }

  /** What the last request costs. */
  get charge(): PointCharge {
    return this.#charge;
  }

  /** The request at the next call point. */
  next(figures: RequestFigures & Pick<CallPointFigures, 'at'>): {
    readonly cache: CachePoint | null;
    readonly recorded?: RecordedCache;
  } {
    const { at } = figures;
    const { source } = this.#session;
    const requested = this.#spans.at(at)?.requested ?? null;
    if (requested !== null) this.#timed = true;
    const cache = this.#follower.next(figures, requested);
    const { spent } = this.#follower;
    this.#charge = { spent, billed: null, answered: null, output: null };
    if (at >= source.length) return { cache };
    const { usage, apiError, cacheDiagnosis: diagnosis, appliedEdits = [] } = source.meta(at);
    const isAnswer = usage !== undefined && apiError !== true;
    const charged = isAnswer ? recordedInput(usage, this.#includes) : null;
    const billed = isAnswer ? billedInputs(usage, this.#includes) : null;
    this.#sums.add(at, billed, spent);
    const cost = billedCost(this.#pricing.at(at).price, billed);
    const answered = cost !== null && cost.answers === cost.requests ? cost.output : null;
    this.#charge = { spent, billed: cost?.total ?? null, answered, output: isAnswer ? outputOf(usage) : null };
    if (usage === undefined) return { cache };
    const { cacheRead: read = null, cacheWrite: written = null } = promptOf(usage);
    if (charged === null && read === null && written === null) return { cache };
    const edits = appliedEdits.length === 0 ? {} : { edits: appliedEdits };
    const recorded = { input: charged?.total ?? null, read, written, ...edits };
    return { cache, recorded: diagnosis === undefined ? recorded : { ...recorded, diagnosis } };
  }
}

// Asked for by every preset's walk: read once for as long as there are no other messages.
function includesOf(session: Session): boolean {
  const messages = session.source.length;
  const known = session.memo.get('engine.includesCache', () => ({ messages: -1, includes: false }));
  if (known.messages !== messages) known.includes = includesCache(usages(session));
  known.messages = messages;
  return known.includes;
}

function* usages(session: Session): Generator<Usage> {
  for (const { usage } of answers(session)) yield usage;
}

function* answers({ source, outline }: Session): Generator<RecordedAnswer> {
  for (const at of outline.callPoints) {
    if (at >= source.length) return;
    const { usage, apiError } = source.meta(at);
    if (apiError !== true && usage !== undefined) yield { at, usage };
  }
}

/** What the answers of an open transcript record of their requests, in order. */
export function recordedAnswers(session: Session): readonly RecordedAnswer[] {
  return [...answers(session)];
}

function hourWritten({ source, outline }: Session): boolean {
  return outline.callPoints
    .slice(0, EVIDENCE_ANSWERS)
    .some((at) => at < source.length && (source.meta(at).usage?.cacheWrite1h ?? 0) > 0);
}

/** The raw history's figures at a call point; `before` = the one before it. It only grows. */
export function rawFigures(session: Session, tokens: Tokenizing, before: number | null, at: number): CallPointFigures {
  const { before: blocks } = rawBlocks(session);
  const loaded = tokens.loads.before(at);
  const prefix = before !== null && {
    messages: before,
    tokens: tokens.rangeTotal(0, before) + loadedBefore(tokens, before),
    blocks: blocks[before]!,
    again: 0,
    brokenBy: null,
  };
  const marks = rawMarks(session, tokens, before ?? 0, at);
  return {
    at,
    items: at,
    blocks: blocks[at]!,
    byCategory: tokens.range(0, at),
    counts: at === 0 ? {} : { kept: at },
    blocked: false,
    thinking: null,
    marks,
    prefix: prefix || null,
    ...(loaded !== null && { loaded }),
  };
}

function loadedBefore({ loads }: Tokenizing, at: number): number {
  return loads.before(at)?.tokens ?? 0;
}

function rawMarks({ source, memo }: Session, tokens: Tokenizing, before: number, at: number): readonly MarkFigures[] {
  const { before: blocks, marked } = rawBlocks({ source, memo });
  const found: MarkFigures[] = [];
  for (let i = countBelow(marked, at) - 1; i >= 0 && found.length < MOST_MARKS; i--) {
    const index = marked[i]!;
    const { marks } = talliedParts(source.facts(index).parts, tokens.table.parts(index));
    const [sum, count] = [tokens.rangeTotal(0, index) + loadedBefore(tokens, index + 1), blocks[index]!];
    const placed = marks.map((mark) => ({
      tokens: mark.tokens + sum,
      blocks: mark.blocks + count,
      ttl: mark.ttl,
      isNew: index >= before,
    }));
    found.unshift(...placed.slice(found.length - MOST_MARKS));
  }
  return found;
}
