// The follower against the cache that keeps everything, on random sessions: requests that grow, and are cut, edited and
// shortened, with marks and without, quickly and slowly. Content that was changed never comes back: an entry that a
// request has left is forgotten by the follower (a choice it states).
import { expect, it } from 'vitest';
import { CacheFollower } from '../../core/insight/cache.ts';
import { AT_THE_END, type CachePoints, requestPoints } from '../../core/insight/cachePoints.ts';
import { type CacheRule, cacheRuleOf, MINUTE } from '../../core/insight/cacheRules.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import type { CacheTtl } from '../../core/model/cacheMark.ts';
import { type MarkFigures, MOST_MARKS } from '../../core/projection/callPointSums.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { type Block, PlainCache } from '../oracle/promptCache.ts';
import { cases } from '../support/cases.ts';

const RUNS = cases(300, 120);

interface Marked extends Block {
  readonly mark: CacheTtl | null;
}

class RandomSession {
  readonly #rng: Rng;
  readonly #isMarked: boolean;
  #made = 0;
  blocks: Marked[] = [];
  /** Blocks that the request before held too, in some form. */
  old = 0;

  constructor(rng: Rng) {
    this.#rng = rng;
    this.#isMarked = rng.chance(0.6);
  }

  #block(): Marked {
    const mark = this.#isMarked && this.#rng.chance(0.2) ? this.#rng.pick(['5m', '1h'] as const) : null;
    return { content: `b${this.#made++}`, tokens: 1 + this.#rng.below(600), mark };
  }

  /** The next request; answers how many blocks it has in common with the one before. */
  next(): number {
    const before = this.blocks;
    const rest = [...before];
    if (before.length > 0 && this.#rng.chance(0.3)) {
      const at = this.#rng.below(before.length);
      if (this.#rng.chance(0.5)) rest.splice(at, 1 + this.#rng.below(4));
      else rest[at] = this.#block();
    }
    this.old = rest.length;
    const more = this.#rng.chance(0.15) ? 15 + this.#rng.below(20) : 1 + this.#rng.below(5);
    this.blocks = [...rest, ...Array.from({ length: more }, () => this.#block())];
    let common = 0;
    while (common < before.length && before[common]?.content === this.blocks[common]?.content) common++;
    return common;
  }

  marks(): readonly MarkFigures[] {
    const found = this.blocks.flatMap(({ mark }, at) =>
      mark === null
        ? []
        : [{ tokens: tokensOf(this.blocks.slice(0, at + 1)), blocks: at + 1, ttl: mark, isNew: at >= this.old }],
    );
    return found.slice(-MOST_MARKS);
  }
}

const tokensOf = (blocks: readonly Block[]) => blocks.reduce((sum, { tokens }) => sum + tokens, 0);

function randomPoints(rng: Rng): CachePoints {
  const mode = rng.pick(['auto', 'recorded', 'end', 'end1h'] as const);
  const ttl = mode === 'end1h' ? '1h' : '5m';
  const marked = rng.chance(0.5);
  return { ...AT_THE_END, mode, ttl, marked, inMessages: marked };
}

function compare(model: string, rule: CacheRule, seed: number): void {
  const rng = seededRng(seed);
  const session = new RandomSession(rng);
  const points = randomPoints(rng);
  const overheadTokens = rng.pick([0, 0, 700, 3000]);
  const how: CachePoints = { ...points, overheadBlocks: overheadTokens > 0 ? 2 : 0 };
  const beside: Block[] = overheadTokens > 0 ? [half('tools', overheadTokens), half('system', overheadTokens)] : [];
  const follower = new CacheFollower(Pricing.one({ rule }), overheadTokens, how);
  const cache = new PlainCache(rule);
  const isTimed = rng.chance(0.8);
  let time = 0;
  for (let request = 0; request < 25; request++) {
    const common = session.next();
    const { blocks } = session;
    time += rng.pick([10_000, MINUTE, 3 * MINUTE, 7 * MINUTE, 20 * MINUTE, 70 * MINUTE]);
    const now = isTimed ? time : null;
    const marks = session.marks();
    const total = tokensOf(blocks);
    const prefix = {
      messages: common,
      tokens: tokensOf(blocks.slice(0, common)),
      blocks: common,
      again: 0,
      brokenBy: null,
    };
    const figures = { at: 0, prefix: request === 0 ? null : prefix, byCategory: [total], blocks: blocks.length, marks };
    const told = follower.next(figures, now);
    const whole = { tokens: total + overheadTokens, blocks: blocks.length + beside.length };
    const found = breakpoints(rule, how, marks, whole, overheadTokens);
    const simulated = cache.request([...beside, ...blocks], found, now);
    if (told === null) continue;
    const replay = `${model} seed ${seed} request ${request}`;
    expect(told.servedTokens, replay).toBeCloseTo(simulated.served);
    expect(told.writtenTokens, replay).toBeCloseTo(simulated.written);
    expect(told.loss?.why === 'time' ? told.loss.tokens : 0, replay).toBeCloseTo(simulated.late);
  }
}

function half(content: string, tokens: number): Block {
  return { content, tokens: tokens / 2 };
}

// OpenAI's own breakpoint at the end stands beside the marks.
function breakpoints(
  rule: CacheRule,
  how: CachePoints,
  marks: readonly MarkFigures[],
  whole: { readonly tokens: number; readonly blocks: number },
  overheadTokens: number,
) {
  const { known, points } = requestPoints(how, marks, whole, overheadTokens);
  if (!rule.automatic) return points;
  const own = known === 'recorded' ? points.filter(({ tokens }) => tokens < whole.tokens).slice(-3) : [];
  return [...own, { ...whole, ttl: how.ttl }];
}

it.each(['claude-sonnet-4-5', 'claude-opus-5', 'gpt-5.6-sol', 'gpt-5.2', 'gpt-4o'])('%s', (model) => {
  const rule = cacheRuleOf(model);
  if (rule === null) throw new Error(`no rule for ${model}`);
  for (let seed = 1; seed <= RUNS; seed++) compare(model, rule, seed);
});
