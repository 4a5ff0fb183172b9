// A preset at all call points: from where on it does not fit, and what each request holds up to there. The same at whatever
// turn it is asked, so it is remembered until there are other messages, or other counts.
import { positionOf, turnAt } from '../../insight/places.ts';
import { MOST_POINTS } from '../../insight/series.ts';
import { CATEGORIES } from '../../model/category.ts';
import type { CallPointFigures } from '../../projection/allCallPoints.ts';
import { keptWord, type ThinkingCounts } from '../../projection/binding/types.ts';
import { PRESETS } from '../../projection/presets.ts';
import type { FirstOver, PolicySums } from '../../protocol/types.ts';
import { type Budget, fitsTotal } from '../../tokens/budget.ts';
import { pricingKey, sessionPricing } from '../library/pricing.ts';
import { BoundedMap } from '../session/boundedMap.ts';
import { followFigures } from '../session/callPoints.ts';
import { tokenFigure } from '../session/projected.ts';
import { SessionCache } from '../session/sessionCache.ts';
import { keyOf, type Line, limitsOf, type RequestTokens } from './line.ts';

const SLOTS = CATEGORIES.length;

/** The requests under one preset, in order, up to the first that does not fit. */
interface WholeRun {
  /** In the order of CATEGORIES, call point by call point, as far as the walk went. */
  readonly byCategory: Uint32Array;
  readonly loaded: Uint32Array;
  readonly blocked: Uint8Array;
  readonly thinking: readonly (ThinkingCounts | null)[];
  readonly reached: number;
  readonly counted: boolean;
}

/** The first call point that does not fit; null = all fit. */
interface Over {
  readonly firstOver: FirstOver | null;
}

interface Summed extends Partial<Over> {
  readonly sums: PolicySums;
}

/** The figures of a line's request, if a walk has been there. */
export function figureInRun(
  line: Line,
): (RequestTokens & { readonly blocked: boolean; readonly thinking: ThinkingCounts | null }) | null {
  const run = runsOf(line).get(keyOf(line));
  const position = positionOf(line.session.outline.callPoints, line.at);
  if (run === undefined || position === null || position >= run.reached) return null;
  const sums = [...run.byCategory.subarray(position * SLOTS, (position + 1) * SLOTS)];
  const tokens = tokenFigure(sums, run.counted ? line.tokens.provenance : 'estimated');
  const loaded = run.loaded[position] ?? 0;
  return { tokens, loaded, blocked: run.blocked[position] === 1, thinking: run.thinking[position] ?? null };
}

/** The first call point that does not fit, from memory or by a walk along all of them. */
export async function firstOverOf(line: Line): Promise<Over> {
  const known = line.session.memo.get('engine.firstOver', () => new BoundedMap<string, Over>(KEPT));
  const key = keyOf(line);
  const found = known.get(key);
  if (found !== undefined) return found;
  const { over, isCounted } = await walkAll(line, key, false);
  if (isCounted && key === keyOf(line)) known.set(key, over);
  return over;
}

/** What the whole session comes to: from memory, or by a walk to its end. Nothing where the policy does not run. */
export async function sumsOf(line: Line): Promise<Partial<Summed>> {
  const known = line.session.memo.get('engine.presetSums', () => new BoundedMap<string, Summed>(KEPT));
  const keyNow = () => `${keyOf(line)} ${pricingKey(line.engine, line.session)}`;
  const key = keyNow();
  const found = known.get(key);
  if (found !== undefined) return found;
  const { over, sums, isCounted } = await walkAll(line, keyOf(line), true);
  if (sums === null) return {};
  const hasWindow = line.session.inputsFor(line.parsed.spec).budget !== null;
  const summed = { ...(hasWindow ? over : {}), sums };
  if (isCounted && key === keyNow()) known.set(key, summed);
  return summed;
}

/** So many as a table may have lines: of a transcript with 10,000 call points together 18 MB. */
const KEPT = 2 * PRESETS.length;

function runsOf({ session }: Line): BoundedMap<string, WholeRun> {
  return session.memo.get('engine.presetRuns', () => new BoundedMap<string, WholeRun>(KEPT));
}

interface Walked {
  readonly over: Over;
  /** null = it was not walked to the end. */
  readonly sums: PolicySums | null;
  /** False if a figure is a guess: then it is not remembered. */
  readonly isCounted: boolean;
}

async function walkAll(line: Line, key: string, toEnd: boolean): Promise<Walked> {
  const { callPoints } = line.session.outline;
  const isKept = callPoints.length <= MOST_POINTS;
  const byCategory = new Uint32Array(isKept ? callPoints.length * SLOTS : 0);
  const loaded = new Uint32Array(isKept ? callPoints.length : 0);
  const blocked = new Uint8Array(isKept ? callPoints.length : 0);
  const thinking: (ThinkingCounts | null)[] = [];
  const watch = new OverWatch(line);
  const sum = toEnd ? new SumWatch(line) : null;
  let reached = 0;
  const walked = await followFigures({ ...line, points: callPoints }, (figures) => {
    if (isKept) {
      byCategory.set(figures.byCategory, reached * SLOTS);
      loaded[reached] = figures.loaded?.tokens ?? 0;
      if (figures.thinking !== null) thinking[reached] = figures.thinking;
      blocked[reached++] = figures.blocked ? 1 : 0;
    }
    sum?.look(figures);
    return watch.look(figures) || toEnd;
  });
  const isCounted = walked.ok && walked.value.counted;
  // A summary may have been written meanwhile.
  if (isKept && isCounted && key === keyOf(line))
    runsOf(line).set(key, { byCategory, loaded, blocked, thinking, reached, counted: true });
  return { over: watch.over, sums: walked.ok ? (sum?.sums ?? null) : null, isCounted };
}

/** Looks for the first request that is too large. */
class OverWatch {
  readonly #line: Line;
  readonly #budget: Budget | null;
  readonly #beside: number;
  over: Over = { firstOver: null };

  constructor(line: Line) {
    const { budget, beside } = limitsOf(line);
    this.#line = line;
    this.#budget = budget;
    this.#beside = beside;
  }

  /** False once it is found. */
  look({ at, byCategory, loaded }: Pick<CallPointFigures, 'at' | 'byCategory' | 'loaded'>): boolean {
    if (this.over.firstOver !== null) return false;
    const tokens = byCategory.reduce((sum, each) => sum + each, this.#beside + (loaded?.tokens ?? 0));
    if (this.#budget === null || fitsTotal(this.#budget, tokens)) return true;
    const turn = turnAt(this.#line.session.outline.turnStarts, at) ?? 0;
    this.over = { firstOver: { at, turn, tokens } };
    return false;
  }
}

/** Sums up the requests, in order. */
class SumWatch {
  readonly #line: Line;
  readonly #beside: number;
  readonly #cache: SessionCache;
  readonly #isPriced: boolean;
  #peak: FirstOver = { at: 0, turn: 0, tokens: 0 };
  #breaks = 0;
  #refused = 0;
  #lossy = 0;
  #made = 0;
  #unpriced = 0;
  #cost = 0;

  constructor(line: Line) {
    this.#line = line;
    this.#beside = limitsOf(line).beside;
    this.#cache = new SessionCache(line.engine, line.session, this.#beside);
    this.#isPriced = sessionPricing(line.engine, line.session).isPriced;
  }

  look(figures: CallPointFigures): void {
    const { at, byCategory, loaded } = figures;
    const { session } = this.#line;
    const tokens = byCategory.reduce((sum, each) => sum + each, this.#beside + (loaded?.tokens ?? 0));
    if (tokens > this.#peak.tokens) this.#peak = { at, turn: turnAt(session.outline.turnStarts, at) ?? 0, tokens };
    const kept = figures.thinking === null ? 'kept' : keptWord(figures.thinking);
    if (kept === 'refused') this.#refused++;
    if (kept === 'drops') this.#lossy++;
    const { cache } = this.#cache.next(figures);
    if (cache?.brokenBy) this.#breaks++;
    // The request after the last message was not made: it costs nothing yet.
    if (at >= session.source.length) return;
    const { spent } = this.#cache.charge;
    this.#made++;
    if (spent === null) this.#unpriced++;
    this.#cost += spent ?? 0;
  }

  get sums(): PolicySums {
    return {
      ...{ peak: this.#peak, breaks: this.#breaks, unpriced: this.#unpriced },
      cost: (this.#made === 0 ? this.#isPriced : this.#unpriced < this.#made) ? this.#cost : null,
      thinking: { refused: this.#refused, drops: this.#lossy },
    };
  }
}
