// Sessions that several models answer: each request is priced and cached by the model that answered it. The reference is
// written from the rules' documentation: it keeps every request of every model as a list of what it held, and looks all
// of them up again for each request.
import { describe, expect, it } from 'vitest';
import { CacheFollower } from '../../core/insight/cache.ts';
import { AT_THE_END, type CachePoints } from '../../core/insight/cachePoints.ts';
import { MINUTE } from '../../core/insight/cacheRules.ts';
import { billedInputs, recordedCost, SessionSums } from '../../core/insight/money.ts';
import type { Price } from '../../core/insight/prices.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import type { MessageMeta } from '../../core/model/message.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

const RUNS = 600;
const REQUESTS = 40;
// Of each way to cache, and two that nothing is known of; the last has no price.
const MODELS = [
  'claude-sonnet-4-5',
  'claude-opus-4-6',
  'gpt-5.6-sol',
  'gpt-5.2',
  'gpt-4o',
  'gemini-2.5-pro',
  'llama-x',
];
const UNPRICED = 'llama-y';

const PRICES: readonly Price[] = MODELS.map((model, nth) => ({
  ...{
    model,
    input: 2 + nth,
    cachedRead: 0.1 * (nth + 1),
    cacheWrite: 3 + nth,
    cacheWrite1h: 5 + nth,
    output: 20 + nth,
  },
  ...(nth % 2 === 0 && {
    above: [{ tokens: 9_000, input: 7, cachedRead: 0.7, cacheWrite: 8, cacheWrite1h: 11, output: 50 }],
  }),
}));

/** What a request holds, block by block, from the first: names of what they say, and their tokens. */
type Blocks = readonly { readonly name: string; readonly tokens: number }[];

interface Made {
  readonly at: number;
  readonly model: string;
  readonly blocks: Blocks;
  /** Up to here it is as the request before. */
  readonly common: number;
  readonly time: number | null;
}

const tokensOf = (blocks: Blocks) => blocks.reduce((sum, { tokens }) => sum + tokens, 0);

/** Requests that grow and are cut, at random times, of a few models in turn. What was changed does not come back. */
function randomSession(rng: Rng): readonly Made[] {
  const all = [...MODELS, UNPRICED];
  const models = Array.from({ length: 1 + rng.below(4) }, () => rng.pick(all));
  const isTimed = rng.chance(0.8);
  const made: Made[] = [];
  let [name, time, blocks, model]: [number, number, Blocks, string] = [0, 0, [], models[0] ?? ''];
  for (let at = 0; at < REQUESTS; at++) {
    if (rng.chance(0.3)) model = rng.pick(models);
    const kept = rng.chance(0.15) ? blocks.slice(0, rng.below(blocks.length + 1)) : blocks;
    const more = rng.chance(0.1) ? 22 : 1 + rng.below(4);
    const added = Array.from({ length: more }, () => ({ name: `b${name++}`, tokens: 1 + rng.below(900) }));
    const next = [...kept, ...added];
    const common = at === 0 ? 0 : kept.length;
    time += rng.pick([10_000, MINUTE, 4 * MINUTE, 6 * MINUTE, 11 * MINUTE, 31 * MINUTE, 25 * 60 * MINUTE]);
    made.push({ at, model, blocks: next, common, time: isTimed ? time : null });
    blocks = next;
  }
  return made;
}

// As the documentation has them (docs/cache.md, "The rules"): no rule of the program is asked.
interface Documented {
  readonly minimum: number;
  readonly byContent: boolean;
  readonly step: number;
  readonly lookback: number;
  readonly lives: number;
  readonly fromUse: boolean;
}

const FOREVER = Number.POSITIVE_INFINITY;
const claude = (minimum: number) => ({
  minimum,
  byContent: false,
  step: 1,
  lookback: 20,
  lives: 5 * MINUTE,
  fromUse: true,
});
const unknown = { minimum: 0, byContent: true, step: 1, lookback: FOREVER, lives: FOREVER, fromUse: true };
const DOCUMENTED: Readonly<Record<string, Documented>> = {
  'claude-sonnet-4-5': claude(1024),
  'claude-opus-4-6': claude(4096),
  'gpt-5.6-sol': { minimum: 1024, byContent: false, step: 1, lookback: FOREVER, lives: 30 * MINUTE, fromUse: true },
  'gpt-5.2': { minimum: 1024, byContent: true, step: 128, lookback: FOREVER, lives: 24 * 60 * MINUTE, fromUse: true },
  'gpt-4o': { minimum: 1024, byContent: true, step: 128, lookback: FOREVER, lives: 10 * MINUTE, fromUse: true },
  'gemini-2.5-pro': {
    minimum: 2048,
    byContent: true,
    step: 1,
    lookback: FOREVER,
    lives: 24 * 60 * MINUTE,
    fromUse: false,
  },
  'llama-x': unknown,
  [UNPRICED]: unknown,
};

/** A beginning of a request that its model's provider keeps. */
interface Kept {
  readonly blocks: number;
  readonly tokens: number;
  until: number;
}

interface Found {
  readonly served: number;
  readonly inTime: number;
}

/** All that the provider of one model was sent, and what it keeps of it. */
class NaiveModel {
  readonly rule: Documented;
  /** Each of its requests with what was written of it. */
  readonly sent: { readonly made: Made; kept: Kept[] }[] = [];

  constructor(model: string) {
    this.rule = DOCUMENTED[model]!;
  }

  /** Up to where a request is as an earlier one, whichever requests lie between: no content comes back. */
  #same(made: Made, other: Made, all: readonly Made[]): number {
    return Math.min(...all.filter(({ at }) => at > other.at && at <= made.at).map(({ common }) => common));
  }

  find(made: Made, all: readonly Made[]): Found {
    const { byContent } = this.rule;
    const now = made.time ?? 0;
    let [served, inTime] = [0, 0];
    const candidates = byContent ? this.sent.slice(-1) : this.sent;
    for (const { made: other, kept } of candidates) {
      const same = this.#same(made, other, all);
      for (const entry of kept) {
        const tokens = byContent
          ? this.#byContent(made, Math.min(same, entry.blocks))
          : this.#byPoint(made, same, entry);
        inTime = Math.max(inTime, tokens);
        if (now <= entry.until) served = Math.max(served, tokens);
      }
    }
    // What a look-up finds over is told once.
    if (!byContent) for (const sent of this.sent) sent.kept = sent.kept.filter(({ until }) => now <= until);
    return { served, inTime };
  }

  #byContent(made: Made, same: number): number {
    const tokens = tokensOf(made.blocks.slice(0, same));
    const { minimum, step } = this.rule;
    return tokens < minimum ? 0 : minimum + Math.floor((tokens - minimum) / step) * step;
  }

  // The breakpoint is the request's end: how many positions back the entry is, the end being the first.
  #byPoint(made: Made, same: number, { blocks, tokens }: Kept): number {
    const isBeginning = blocks <= same;
    return isBeginning && made.blocks.length - blocks < this.rule.lookback ? tokens : 0;
  }

  /** A request of its own: what it writes; what it reads lives on, with all that it begins with. */
  take(made: Made, { served }: Found, all: readonly Made[]): number {
    const { byContent, minimum, lives, fromUse } = this.rule;
    const now = made.time ?? 0;
    const until = made.time === null ? FOREVER : now + lives;
    const total = tokensOf(made.blocks);
    const last = this.sent.at(-1)?.kept[0]?.until ?? until;
    if (!byContent) {
      for (const { made: other, kept } of this.sent) {
        const same = this.#same(made, other, all);
        for (const entry of kept) {
          const isRead = entry.tokens <= served && entry.blocks <= same && now <= entry.until;
          if (isRead && fromUse) entry.until = until;
        }
      }
    }
    const isWritten = byContent || total >= minimum;
    const ends = byContent && served > 0 && !fromUse ? last : until;
    this.sent.push({ made, kept: isWritten ? [{ blocks: made.blocks.length, tokens: total, until: ends }] : [] });
    if (byContent) return Math.max(0, this.#byContent(made, made.blocks.length) - served);
    return isWritten ? total - served : 0;
  }
}

const priceFor = (model: string) => PRICES.find((price) => price.model === model) ?? null;

function naiveCost(model: string, total: number, served: number, written: number): number | null {
  const price = priceFor(model);
  if (price === null) return null;
  const rates = price.above !== undefined && total > 9_000 ? price.above[0]! : price;
  const fresh = Math.max(0, total - served - written);
  return (fresh * rates.input + served * rates.cachedRead + written * rates.cacheWrite) / 1e6;
}

/** The session's requests, as pricing is given them: answers name their models. */
function pricingOf(session: readonly Made[]): Pricing {
  const models = [...new Set(session.map(({ model }) => model))];
  const callPoints = [...session.map(({ at }) => at), session.length];
  const metaAt = (index: number): MessageMeta => ({ model: session[index]?.model ?? '' });
  return Pricing.of({ model: models.at(-1) ?? null, models, callPoints, metaAt }, PRICES);
}

const POINTS: CachePoints = { ...AT_THE_END, mode: 'end' };

function figuresOf({ at, blocks, common }: Made) {
  const prefix = {
    ...{ messages: common, tokens: tokensOf(blocks.slice(0, common)), blocks: common },
    ...{ again: 0, brokenBy: null },
  };
  return { at, prefix: at === 0 ? null : prefix, byCategory: [tokensOf(blocks)], blocks: blocks.length };
}

describe('a session of several models', () => {
  it('finds, writes, loses and pays what the documented rules give of each model by itself', () => {
    const seen = { time: 0, model: 0, back: 0, unpriced: 0 };
    for (let seed = 1; seed <= RUNS; seed++) {
      const session = randomSession(seededRng(seed));
      const follower = new CacheFollower(pricingOf(session), 0, POINTS);
      const naive = new Map<string, NaiveModel>();
      const naiveOf = (model: string) => naive.get(model) ?? naive.set(model, new NaiveModel(model)).get(model)!;
      for (const [nth, made] of session.entries()) {
        const replay = `seed ${seed} request ${nth} by ${made.model}`;
        const told = follower.next(figuresOf(made), made.time);
        const own = naiveOf(made.model);
        const before = session[nth - 1];
        const changed = before !== undefined && before.model !== made.model;
        const found = own.find(made, session);
        const gone = changed ? naiveOf(before.model).find(made, session) : null;
        const isBack = changed && own.sent.length > 0 && found.served > 0;
        const written = own.take(made, found, session);
        const total = tokensOf(made.blocks);
        const cost = naiveCost(made.model, total, found.served, written);
        if (cost === null) expect(follower.spent, replay).toBeNull();
        else expect(follower.spent, replay).toBeCloseTo(cost, 9);
        if (told === null) continue;
        expect(told.servedTokens, replay).toBe(found.served);
        expect(told.writtenTokens, replay).toBe(written);
        // What the model before would have served is lost by the change; what nobody would, by time.
        if (gone !== null && gone.served > found.served) {
          const loss = {
            why: 'model',
            tokens: gone.served - found.served,
            changed: { from: before?.model, to: made.model },
          };
          expect(told.loss, replay).toMatchObject(loss);
          seen.model++;
        } else {
          const late = Math.max(found.inTime, gone?.inTime ?? 0) - found.served;
          expect(told.loss?.why === 'time' ? told.loss.tokens : 0, replay).toBe(late);
          expect(told.loss?.why, replay).not.toBe('model');
          if (late > 0) seen.time++;
        }
        if (isBack) seen.back++;
        if (cost === null) seen.unpriced++;
      }
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(300);
  });
});

/** Answers that record what they were charged for, some nothing, some not their model, some made by the client. */
function randomAnswers(rng: Rng): readonly MessageMeta[] {
  const all = [...MODELS, UNPRICED];
  const models = Array.from({ length: 1 + rng.below(4) }, () => rng.pick(all));
  return Array.from({ length: 30 }, (): MessageMeta => {
    const usage = {
      input: 1 + rng.below(12_000),
      cacheRead: rng.below(5_000),
      cacheWrite: rng.below(3_000),
      output: rng.below(900),
    };
    if (rng.chance(0.1)) return rng.chance(0.5) ? { model: '<synthetic>' } : { model: UNPRICED, apiError: true };
    if (rng.chance(0.1)) return { usage };
    return { model: rng.pick(models), ...(rng.chance(0.9) && { usage }) };
  });
}

describe('what a session of several models costs', () => {
  it('is the sum of its requests, priced one by one; what has no price is counted', () => {
    let [partial, all] = [0, 0];
    for (let seed = 1; seed <= RUNS; seed++) {
      const metas = randomAnswers(seededRng(seed));
      const models = [...new Set(metas.flatMap(({ model }) => model ?? []))];
      const last = models.findLast((model) => !model.startsWith('<')) ?? null;
      const metaAt = (index: number) => metas[index] ?? {};
      const callPoints = [...metas.keys(), metas.length];
      const pricing = Pricing.of({ model: last, models, callPoints, metaAt }, PRICES);
      // By hand: the answer's own model, else the last one named before it, else the session's.
      let [sum, unpriced, requests, before]: [number, number, number, string | null] = [0, 0, 0, null];
      const answers = metas.flatMap(({ usage }, at) => (usage === undefined ? [] : [{ at, usage }]));
      const sums = new SessionSums(pricing);
      for (const [at, { model, usage, apiError }] of metas.entries()) {
        const isNamed = model !== undefined && apiError !== true && model !== '<synthetic>';
        if (isNamed) before = model;
        const name = (isNamed ? model : before) ?? last ?? '';
        expect(pricing.at(at).model, `seed ${seed} at ${at}`).toBe(name);
        sums.add(at, usage === undefined ? null : billedInputs(usage, false), priceFor(name) === null ? null : 0);
        if (usage === undefined) continue;
        const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = usage;
        const total = input + cacheRead + cacheWrite;
        const cost = naiveCost(name, total, cacheRead, cacheWrite);
        const price = priceFor(name);
        if (cost === null || price === null) {
          unpriced++;
          continue;
        }
        const rate = price.above !== undefined && total > 9_000 ? 50 : (price.output ?? 0);
        sum += cost + (output * rate) / 1e6;
        requests++;
      }
      const cost = recordedCost(pricing, answers, false);
      expect(cost === null ? null : [cost.requests, cost.unpriced]).toEqual(
        requests === 0 ? null : [requests, unpriced],
      );
      if (cost !== null) expect(cost.total).toBeCloseTo(sum, 9);
      expect(sums.cost.recorded === null ? null : sums.cost.recordedRequests).toBe(requests === 0 ? null : requests);
      if (sums.cost.recorded !== null) expect(sums.cost.recorded).toBeCloseTo(sum, 9);
      if (unpriced > 0 && requests > 0) partial++;
      if (unpriced > 0 && requests === 0) all++;
    }
    expect(Math.min(partial, all)).toBeGreaterThan(5);
  });
});
