// What a session's requests cost: their input as recorded and as a policy would have it, and their answers, where those are
// recorded: they are the same under any policy. Prices: prices.ts; what the cache serves: cache.ts; what a figure covers, in
// words: core/view/costCover.ts.
import type { CacheTtl } from '../model/cacheMark.ts';
import type { Usage, UsageFigures } from '../model/message.ts';
import { type Price, priceAt } from './prices.ts';
import type { Pricing } from './pricing.ts';
import { outputOf, promptOf, sizeOf } from './usage/input.ts';

/** A request's input by how it is charged, and its answer. Unit: tokens. */
export interface ChargedInput {
  readonly total: number;
  readonly read: number;
  readonly written: number;
  /** Of `written`: what is written to live for an hour. */
  readonly writtenForAnHour: number;
  /** Thinking included; null = not recorded. */
  readonly output: number | null;
}

/** What an answer costs, in US dollars; null = it is not recorded, or its price is not known. */
function outputCost(price: Price, { total, output }: ChargedInput): number | null {
  const { output: rate } = priceAt(price, total);
  return output === null || rate === undefined ? null : (output * rate) / 1e6;
}

/** What an input costs. US dollars. */
export function inputCost(price: Price, { total, read, written, writtenForAnHour }: ChargedInput): number {
  const { input, cachedRead, cacheWrite, cacheWrite1h = cacheWrite } = priceAt(price, total);
  const fresh = Math.max(0, total - read - written);
  const short = Math.max(0, written - writtenForAnHour);
  return (fresh * input + read * cachedRead + short * cacheWrite + writtenForAnHour * cacheWrite1h) / 1e6;
}

/** What a request held, as its answer records it; null if it records no input. `includes`: see includesCache. */
export function recordedInput(usage: Usage, includes: boolean): ChargedInput | null {
  return chargeOf(promptOf(usage), includes);
}

/**
 * All requests that an answer was billed for, each of them priced by itself; null if none is recorded. A compaction's
 * request comes on top of what the usage says else. Those of other models (an advisor's) are left out: their price is
 * another one.
 */
export function billedInputs(usage: Usage, includes: boolean): readonly ChargedInput[] | null {
  const { requests = [usage] } = usage;
  const own = requests.filter((each) => !('kind' in each) || each.kind !== 'other');
  const charged = own.flatMap((each) => chargeOf(each, includes) ?? []);
  return charged.length === 0 ? null : charged;
}

function chargeOf(figures: UsageFigures, includes: boolean): ChargedInput | null {
  const total = sizeOf(figures, includes);
  if (total === null) return null;
  const { cacheRead: read = 0, cacheWrite: written = 0, cacheWrite1h: writtenForAnHour = 0 } = figures;
  return { total, read, written, writtenForAnHour, output: outputOf(figures) };
}

/** What a request would be charged for, as the cache's rules have it. */
export function servedInput(total: number, served: number, written: number, ttl: CacheTtl): ChargedInput {
  return { total, read: served, written, writtenForAnHour: ttl === '1h' ? written : 0, output: null };
}

/** What one answer was billed for: its input, and the answer where that is recorded. US dollars. */
export interface BilledCost {
  /** Input and answers. */
  readonly total: number;
  /** Of it: the answers. */
  readonly output: number;
  /** Requests that are in it, and those of them whose answer is. */
  readonly requests: number;
  readonly answers: number;
}

/** What the requests of a session cost as recorded. */
export interface RecordedCost extends BilledCost {
  /** Requests that are recorded and not in it: no price is known of their model. */
  readonly unpriced: number;
}

/** What one answer was billed for; null = nothing is recorded (see billedInputs), or no price is known. */
export function billedCost(price: Price | null, billed: readonly ChargedInput[] | null): BilledCost | null {
  if (price === null || billed === null || billed.length === 0) return null;
  let [total, output, answers] = [0, 0, 0];
  for (const each of billed) {
    const answer = outputCost(price, each);
    total += inputCost(price, each) + (answer ?? 0);
    output += answer ?? 0;
    if (answer !== null) answers++;
  }
  return { total, output, requests: billed.length, answers };
}

/** What is recorded of the request at a call point. */
export interface RecordedAnswer {
  readonly at: number;
  readonly usage: Usage;
}

/** What all these requests cost, each by its own model; null = none records its input, or no price is known of any. */
export function recordedCost(
  pricing: Pricing,
  answers: readonly RecordedAnswer[],
  includes: boolean,
): RecordedCost | null {
  const sum = { total: 0, output: 0, requests: 0, answers: 0, unpriced: 0 };
  for (const { at, usage } of answers) {
    const billed = billedInputs(usage, includes);
    const cost = billedCost(pricing.at(at).price, billed);
    if (cost === null) {
      sum.unpriced += billed?.length ?? 0;
      continue;
    }
    sum.total += cost.total;
    sum.output += cost.output;
    sum.requests += cost.requests;
    sum.answers += cost.answers;
  }
  return sum.requests === 0 ? null : sum;
}

/** A whole session's requests. US dollars. */
export interface SessionCost {
  /** Requests that were made; those of them of whose model no price is known: they are in no sum. */
  readonly requests: number;
  readonly unpriced: number;
  /** Of the others: those that record their input. */
  readonly recordedRequests: number;
  /** Of the latter, answers included; null = there are none, or no price is known. */
  readonly recorded: number | null;
  /** Of all with a price, under the policy, with the same answers; null = no price is known. */
  readonly policy: number | null;
  /** Of both: the answers, and how many are counted. */
  readonly output: number;
  readonly answers: number;
}

/** Adds up both, request by request. */
export class SessionSums {
  readonly #pricing: Pricing;
  #requests = 0;
  #unpriced = 0;
  #recordedRequests = 0;
  #recorded = 0;
  #policy = 0;
  #output = 0;
  #answers = 0;

  constructor(pricing: Pricing) {
    this.#pricing = pricing;
  }

  /** A request that was made. `recorded` = what it was charged for (see billedInputs), null = not recorded; `policy` = what its input would cost. */
  add(at: number, recorded: readonly ChargedInput[] | null, policy: number | null): void {
    this.#requests++;
    const { price } = this.#pricing.at(at);
    if (price === null) this.#unpriced++;
    this.#policy += policy ?? 0;
    const cost = billedCost(price, recorded);
    if (cost === null) return;
    this.#recordedRequests++;
    this.#recorded += cost.total;
    this.#output += cost.output;
    if (cost.answers === cost.requests) this.#answers++;
  }

  get cost(): SessionCost {
    const counts = {
      ...{ requests: this.#requests, unpriced: this.#unpriced },
      ...{ recordedRequests: this.#recordedRequests, answers: this.#answers },
    };
    const isPriced = this.#requests === 0 ? this.#pricing.isPriced : this.#unpriced < this.#requests;
    if (!isPriced) return { ...counts, recorded: null, policy: null, output: 0 };
    const recorded = this.#recordedRequests === 0 ? null : this.#recorded;
    return { ...counts, recorded, policy: this.#policy + this.#output, output: this.#output };
  }
}
