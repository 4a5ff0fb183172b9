// Findings of a session under a policy, from its uses, its recorded usage and what a provider makes of its thinking.
import { diagnosisText, saysChanged } from '../../model/cacheDiagnosis.ts';
import { hasFailedIn } from '../../model/failure.ts';
import type { Part, Usage } from '../../model/message.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import { type FailingBlock, keptWord, type ThinkingCounts } from '../../projection/binding/types.ts';
import { toolFamily } from '../../reading/tools.ts';
import { countOf, grouped } from '../../view/words.ts';
import { positionOf } from '../places.ts';
import type { Price } from '../prices.ts';
import type { Pricing } from '../pricing.ts';
import type { CacheMiss } from '../usage/types.ts';
import { callKey } from '../uses/calls.ts';
import { wasMissing } from '../uses/summary.ts';
import type { Use, UseLoss } from '../uses/types.ts';
import { mayBeHidden, saysItselfAgain, seesWhatWasDone } from './doubts.ts';
import type { Certainty, Finding } from './types.ts';

/** Requests in a row that would be refused. */
export interface RefusedRun {
  /** Call points of the first and the last. */
  readonly from: number;
  readonly to: number;
  readonly requests: number;
  /** Why the first would be. */
  readonly reason: string;
}

/** What findings are made of. */
export interface FindingsInput {
  readonly source: TranscriptSource;
  /** Under the policy, in the order of the session. */
  readonly uses: readonly Use[];
  /** As recorded; empty = no usage is recorded, or the policy is not the recorded history. */
  readonly misses: readonly CacheMiss[];
  readonly refused: readonly RefusedRun[];
  /** Ascending. */
  readonly callPoints: readonly number[];
  readonly pricing: Pricing;
  /** What is recorded of the request behind a message; null = nothing. */
  readonly usageAt: (index: number) => Usage | null;
  /** Tokens of a part. */
  readonly tokens: (index: number, part: number) => number;
}

/** The findings, dearest first, then by tokens, then by place. */
export function findingsOf(input: FindingsInput): readonly Finding[] {
  const steps = findingSteps(input);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Uses, or messages, between two pauses. */
const PAUSE_EVERY = 500;

/** The same, with pauses. */
export function* findingSteps(input: FindingsInput): Generator<void, readonly Finding[], void> {
  const found: Finding[] = [];
  for (const [nth, use] of input.uses.entries()) {
    const finding = ofUse(use, input.source);
    if (finding !== null) found.push(finding);
    if (nth % PAUSE_EVERY === 0) yield;
  }
  for (const finding of yield* startedTwice(input)) found.push(finding);
  for (const finding of yield* droppedByCompactions(input)) found.push(finding);
  // What a compaction put in place was never cached: how much of the rest was lost nobody knows.
  for (const miss of input.misses) if (miss.cause !== 'compaction') found.push(ofMiss(miss, input));
  for (const run of input.refused) found.push(ofRefused(run));
  yield;
  return found.sort(byCost);
}

/** Dearest first; what has no price comes behind, most tokens first. */
function byCost(a: Finding, b: Finding): number {
  return (b.cost ?? -1) - (a.cost ?? -1) || (b.tokens ?? -1) - (a.tokens ?? -1) || a.at - b.at;
}

function ofUse(use: Use, source: TranscriptSource): Finding | null {
  const { kind, outcome, changed, at, evidence, loss } = use;
  const confidence = mayBeHidden(use, source) ? 'suspect' : use.confidence;
  if (outcome !== 'gone') return null;
  const common = { at, evidence, sources: use.sources.map(({ index }) => index), loss, uses: [use] };
  const none = { tokens: null, cost: null };
  switch (kind) {
    case 'reread':
    case 'repeated_failure':
      // Another result is not proof that the first was forgotten.
      if (changed || seesWhatWasDone(use, source)) return null;
      return { kind: 'forgotten', ...common, tokens: use.tokens, cost: use.cost, certainty: confidence };
    case 'rule':
      return { kind: 'rule', ...common, ...none, certainty: 'suspect' };
    case 'dangling':
      return { kind: 'dangling', ...common, ...none, certainty: confidence };
    case 'quote':
    case 'anchor':
      return null;
  }
}

/** Within so many calls what a compaction took counts as used next. */
const NEXT_CALLS = 20;

// One finding a compaction; its uses that are findings themselves have their own sums.
function* droppedByCompactions({ source, uses, callPoints }: FindingsInput): Generator<void, readonly Finding[], void> {
  const bySince = new Map<number, Use[]>();
  for (const [nth, use] of uses.entries()) {
    if (nth % PAUSE_EVERY === 0) yield;
    const { loss } = use;
    if (!wasMissing(use) || loss === null || !isOfCompaction(loss) || saysItselfAgain(use, source)) continue;
    const { since } = loss;
    const place = positionOf(callPoints, since) ?? -1;
    const end = callPoints[place + NEXT_CALLS] ?? Number.POSITIVE_INFINITY;
    if (use.at >= end) continue;
    const own = bySince.get(since);
    if (own === undefined) bySince.set(since, [use]);
    else own.push(use);
  }
  return [...bySince].map(([since, own]): Finding => {
    const places = [...new Set(own.map(({ at }) => at))];
    const listed = places.slice(0, 3).map((at) => `#${at}`);
    const more = places.length > listed.length ? ` and ${places.length - listed.length} more` : '';
    return {
      kind: 'compaction_dropped',
      at: since,
      evidence: `${countOf(own.length, 'use')} within the next ${NEXT_CALLS} calls, in ${listed.join(', ')}${more}`,
      sources: [...new Set(own.flatMap(({ sources }) => sources.slice(0, 1).map(({ index }) => index)))],
      loss: own[0]?.loss ?? null,
      tokens: null,
      cost: null,
      certainty: certaintyOf(own, source),
      uses: own,
    };
  });
}

// A recorded history that holds no summary drops what it does not hold.
function isOfCompaction({ fate, rule }: UseLoss): boolean {
  return fate === 'summarised' || rule === 'recorded_left_out';
}

function certaintyOf(uses: readonly Use[], source: TranscriptSource): Certainty {
  if (uses.every((use) => mayBeHidden(use, source))) return 'suspect';
  return uses.some(({ confidence }) => confidence === 'certain') ? 'certain' : 'probable';
}

function ofMiss(miss: CacheMiss, { pricing, usageAt }: FindingsInput): Finding {
  const { price } = pricing.at(miss.at);
  // A provider that could not say what changed has said nothing.
  const { diagnosis } = miss;
  const said = diagnosis !== null && saysChanged(diagnosis) ? `provider: ${diagnosisText(diagnosis)}` : miss.why;
  const dearer = price === null ? null : missedRate(price, usageAt(miss.at)) - price.cachedRead;
  return {
    kind: 'cache_lost',
    at: miss.at,
    evidence: `${grouped(miss.lost)} of ${grouped(miss.left)} cached tokens not found: ${said}`,
    sources: [],
    loss: null,
    tokens: miss.lost,
    cost: dearer && (miss.lost * dearer) / 1e6,
    certainty: 'recorded',
    uses: [],
  };
}

// What was not found is paid as what the request did with it: written to the cache again, or read fresh.
function missedRate(price: Price, usage: Usage | null): number {
  if ((usage?.cacheWrite1h ?? 0) > 0) return price.cacheWrite1h ?? price.cacheWrite;
  return (usage?.cacheWrite ?? 0) > 0 ? price.cacheWrite : price.input;
}

function ofRefused({ from, to, requests, reason }: RefusedRun): Finding {
  const span = requests === 1 ? '' : `, and ${countOf(requests - 1, 'request')} up to #${to}`;
  const evidence = `${reason}${span}`;
  const none = { sources: [], loss: null, tokens: null, cost: null, uses: [] };
  return { kind: 'refused', at: from, evidence, certainty: 'probable', ...none };
}

const AGENT_ARGUMENTS = ['prompt', 'task', 'message', 'instructions', 'description'];

interface Started {
  readonly index: number;
  readonly call: Part;
}

type Results = Map<string, { readonly index: number; readonly part: number; readonly failed: boolean }>;

// The same task for the same kind of agent, though the first did not fail.
function* startedTwice({ source, tokens, pricing }: FindingsInput): Generator<void, readonly Finding[], void> {
  const first = new Map<string, Started>();
  const results: Results = new Map();
  const again: (Started & { readonly was: number; readonly key: string })[] = [];
  for (let index = 0; index < source.length; index++) {
    if (index % PAUSE_EVERY === 0) yield;
    const facts = source.facts(index);
    noteResults(source, index, results);
    const calls = facts.parts.filter(({ kind, name }) => kind === 'tool_call' && toolFamily(name ?? null) === 'agent');
    if (calls.length === 0) continue;
    const message: unknown = JSON.parse(source.text(index));
    for (const call of calls) {
      const key = callKey(message, call);
      if (!AGENT_ARGUMENTS.some((name) => key.includes(`"${name}":`))) continue;
      const was = first.get(key);
      // Two in one message are started on purpose; one that failed is started again.
      if (was === undefined || resultOf(was.call, results)?.failed === true) first.set(key, { index, call });
      else if (was.index !== index) again.push({ index, call, was: was.index, key });
    }
  }
  return again.map(({ index, was, call, key }): Finding => {
    const result = resultOf(call, results);
    const spent = result === undefined ? null : tokens(result.index, result.part);
    const { price } = pricing.at(index);
    const cost = spent === null || price === null ? null : (spent * price.input) / 1e6;
    const found = { kind: 'started_twice', at: index, evidence: key, sources: [was] } as const;
    return { ...found, loss: null, tokens: spent, cost, certainty: 'certain', uses: [] };
  });
}

function resultOf({ callId }: Part, results: Results) {
  return callId == null ? undefined : results.get(callId);
}

function noteResults(source: TranscriptSource, index: number, results: Results): void {
  for (const [at, part] of source.facts(index).parts.entries()) {
    if (part.kind !== 'tool_result' || part.callId == null) continue;
    results.set(part.callId, { index, part: at, failed: hasFailedIn(source, index, part) });
  }
}

/** Follows a walk along the call points and notes requests that a provider would refuse for their thinking. */
export class RefusedFollower {
  readonly #runs: RefusedRun[] = [];
  #isOpen = false;

  take({ at, thinking }: Pick<ReachedPoint, 'at' | 'thinking'>): void {
    const counts = thinking?.counts ?? null;
    const isRefused = counts !== null && keptWord(counts) === 'refused';
    const last = this.#runs.at(-1);
    if (isRefused && this.#isOpen && last !== undefined) {
      this.#runs[this.#runs.length - 1] = { ...last, to: at, requests: last.requests + 1 };
    } else if (isRefused) {
      this.#runs.push({ from: at, to: at, requests: 1, reason: reasonOf(counts, thinking?.outcome?.first ?? null) });
    }
    this.#isOpen = isRefused;
  }

  get runs(): readonly RefusedRun[] {
    return this.#runs;
  }
}

function reasonOf({ failing }: ThinkingCounts, first: FailingBlock | null): string {
  const count = `${countOf(failing, 'signed thinking block')} no longer valid`;
  return first === null ? count : `${count}; the first, in #${first.index}: ${first.cause.reason}`;
}
