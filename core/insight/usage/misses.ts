// Requests that did not find in the cache what the one before had left there, and why, by what is recorded beside a
// provider's own diagnosis: that one is shown next to it, and tests it.
//
// How much was found shows where two requests parted, for a cache is keyed by what a request begins with: tools, system prompt,
// messages. Whenever a session's cache is lost, the same few lengths are found again: the beginning that every session of
// the tool shares (tools, and the system prompt up to what differs by folder and day), and all that stands before the
// messages. Found was only the first: the system prompt changed. The second: an early message did.
import type { MessageFacts } from '../../model/message.ts';
import { grouped } from '../../view/words.ts';
import { cacheRuleOf, MINUTE } from '../cacheRules.ts';
import { requestTime } from '../requestTime.ts';
import type { CacheMiss, MissCause, Request, RequestFigure, RequestRecord } from './types.ts';

/** What stands around the requests, asked for where one of them missed. */
export interface MissEvidence {
  /** Whose sessions share the beginning of their system prompt (see SHARES_HEAD). */
  readonly format: string;
  facts(index: number): MessageFacts;
  /** ISO-8601; undefined = not recorded. */
  timestamp(index: number): string | undefined;
}

/** A prompt below this is not worth caching to most providers (1,024 to 4,096 is their least). Unit: tokens. */
const CACHE_TOKENS = 5000;
/** What was cached and is read by less than this share was missed: a moved breakpoint costs less than that. */
const MISS_SHARE = 0.5;
/** An input below this share of the one before, with no compaction between, is another conversation's. */
const FALLEN_SHARE = 0.5;
/** Lengths within this factor are one: what differs by folder and day is a few hundred tokens of tens of thousands. */
const NEAR = 1.02;
/** Tools whose requests all begin with the same tools and the same part of a system prompt, cached for every session. */
const SHARES_HEAD: ReadonlySet<string> = new Set(['claude-code']);
const HOUR = 60 * MINUTE;

/** Every request that lost over half of what the one before it had left, in order, with its probable cause. */
export function findLosses(requests: readonly Request[], evidence: MissEvidence | null): readonly CacheMiss[] {
  const runs = runsOf(requests, evidence);
  const lost = requests.flatMap((now, i) => {
    const before = requests[i - 1];
    const left = before === undefined || runs[i] !== runs[i - 1] ? 0 : leftFor(before.figure, now.figure);
    const read = now.figure.cacheRead;
    const isLost = before !== undefined && read !== null && left >= CACHE_TOKENS && read < MISS_SHARE * left;
    return isLost ? [{ i, now, before, left, read }] : [];
  });
  const missed = new Map(lost.map((each) => [each.i, each]));
  const heads = headsOf(requests, runs, missed);
  const misses: CacheMiss[] = [];
  for (const [i, request] of requests.entries()) {
    const head = heads.get(keyOf(runs[i], request)) ?? null;
    const read = request.figure.cacheRead ?? 0;
    // After so long nothing of this session is left: what is found is what others keep in use.
    if (head !== null && read > 0 && isLongAfter(requests[i - 1], request)) head.shared = read;
    const miss = missed.get(i);
    if (miss === undefined) continue;
    const part = head && partOf(read, head, SHARES_HEAD.has(evidence?.format ?? ''));
    // What is found where the system prompt was not is what all sessions share from here on.
    if (head !== null && (part === 'system' || part === 'tools')) head.shared = read;
    const { now, before, left } = miss;
    const { cause, why } = explain({ now, before, earlier: requests.slice(0, i), read, head, part, evidence });
    misses.push({
      at: now.figure.at,
      left,
      read,
      lost: left - read,
      cause,
      why,
      diagnosis: now.record.diagnosis ?? null,
    });
  }
  return misses;
}

function isLongAfter(before: Request | undefined, now: Request): boolean {
  return Date.parse(now.record.timestamp ?? '') - Date.parse(before?.record.timestamp ?? '') > HOUR;
}

// What the request before had left there, as far as this one may hold it.
function leftFor(before: RequestFigure, now: RequestFigure): number {
  return Math.min((before.cacheRead ?? 0) + (before.cacheWrite ?? 0), now.input);
}

// A file may hold several conversations one after the other: the input falls though nothing was compacted, or time goes
// back. Each has its own beginning. Gives the number of the conversation that each request is of.
function runsOf(requests: readonly Request[], evidence: MissEvidence | null): readonly number[] {
  let run = 0;
  return requests.map((now, i) => {
    const before = requests[i - 1];
    if (before !== undefined && before.record.era === now.record.era && isOther(before, now, evidence)) run++;
    return run;
  });
}

function isOther(before: Request, now: Request, evidence: MissEvidence | null): boolean {
  if (now.figure.input < before.figure.input * FALLEN_SHARE) return true;
  const [from, to] = [startOf(before.record, undefined, evidence), startOf(now.record, before.record, evidence)];
  return from !== null && to !== null && to < from - MINUTE;
}

/** What a model's requests of one conversation found where they could not find more: its first one, and those that missed. */
interface Head {
  readonly first: RequestFigure;
  /** The first request began the conversation. */
  readonly isFresh: boolean;
  readonly reads: readonly number[];
  /** What all sessions of the tool share, as it was found last; null = not seen yet. */
  shared: number | null;
}

function headsOf(
  requests: readonly Request[],
  runs: readonly number[],
  missed: ReadonlyMap<number, unknown>,
): ReadonlyMap<string, Head> {
  const heads = new Map<string, Head>();
  for (const [i, now] of requests.entries()) {
    const key = keyOf(runs[i], now);
    const known = heads.get(key);
    const { figure, record } = now;
    const read = figure.cacheRead ?? 0;
    if (known === undefined) {
      const isFresh = i === 0 ? record.era === 0 : runs[i] !== runs[i - 1];
      heads.set(key, { first: figure, isFresh, reads: [read], shared: isFresh ? read : null });
    } else if (missed.has(i)) heads.set(key, { ...known, reads: [...known.reads, read] });
  }
  return heads;
}

function keyOf(run: number | undefined, { record }: Request): string {
  return `${run} ${record.model ?? ''}`;
}

/** The part of a request that what was found ends in; null = not known. */
type Part = 'tools' | 'system' | 'messages';

interface Case {
  readonly now: Request;
  readonly before: Request;
  readonly earlier: readonly Request[];
  readonly read: number;
  readonly head: Head | null;
  readonly part: Part | null;
  readonly evidence: MissEvidence | null;
}

interface Explained {
  readonly cause: MissCause;
  readonly why: string;
}

// What is certain comes first: who answered, what was compacted, how long an entry lives.
function explain(miss: Case): Explained {
  const { now, before } = miss;
  return (
    bySettings(before.record, now.record) ??
    byTime(miss) ??
    byEffort(before.record, now.record) ??
    byLength(miss) ??
    NONE
  );
}

const NONE: Explained = { cause: 'unknown', why: 'nothing that is recorded explains it' };

function bySettings(before: RequestRecord, now: RequestRecord): Explained | null {
  if (before.model !== now.model) {
    return { cause: 'model', why: `${now.model ?? 'another model'} answered: each model has its own cache` };
  }
  if (before.speed !== now.speed) {
    return { cause: 'speed', why: `asked for at ${now.speed ?? 'standard'} speed: each speed has its own cache` };
  }
  if (before.era !== now.era) return { cause: 'compaction', why: 'a recorded compaction came between' };
  return null;
}

function byEffort(before: RequestRecord, now: RequestRecord): Explained | null {
  if (before.effort === now.effort) return null;
  const [from, to] = [before.effort ?? 'none', now.effort ?? 'none'];
  return { cause: 'parameter', why: `the effort went from ${from} to ${to}, and the prompt depends on it` };
}

function byTime(miss: Case): Explained | null {
  const { now, before, earlier, evidence } = miss;
  const times = [
    startOf(before.record, earlier.at(-2)?.record, evidence),
    startOf(now.record, before.record, evidence),
  ];
  const gap = (times[1] ?? Number.NaN) - (times[0] ?? Number.NaN);
  const lifetime = lifetimeOf(earlier);
  if (!(gap > lifetime)) return null;
  const lives = lifetime === HOUR ? 'an hour' : `${Math.round(lifetime / MINUTE)} minutes`;
  return {
    cause: 'time',
    why: `${Math.round(gap / MINUTE)} minutes had passed since the request before, and an entry lives ${lives}`,
  };
}

function startOf(
  { at, timestamp }: RequestRecord,
  before: RequestRecord | undefined,
  evidence: MissEvidence | null,
): number | null {
  const time = (index: number) => (index === at ? timestamp : evidence?.timestamp(index));
  return requestTime(before?.at ?? null, at, time);
}

// Of what was last written. Where several lifetimes are possible, the shortest that is documented.
function lifetimeOf(earlier: readonly Request[]): number {
  const wrote = earlier.findLast(({ figure }) => (figure.cacheWrite ?? 0) > 0)?.record.usage;
  return (wrote?.cacheWrite1h ?? 0) > 0 ? HOUR : 5 * MINUTE;
}

// Only where what is found goes by breakpoints is its length that of a part of the request.
function byLength(miss: Case): Explained | null {
  const { now, read, head, part } = miss;
  const rule = cacheRuleOf(now.record.model ?? null);
  if (head === null || part === null || rule?.provider !== 'anthropic') return null;
  if (part === 'messages') return byReach(miss, rule.lookback) ?? { cause: part, why: describeMessages(read, head) };
  if (part === 'tools') {
    const found =
      read === 0 ? 'nothing was found' : `the ${grouped(read)} tokens found are another beginning than before`;
    return { cause: part, why: `${found}: probably the tools changed, or the system prompt from its beginning` };
  }
  const why = `the ${grouped(read)} tokens found are what all sessions begin with: probably the system prompt behind them changed`;
  return { cause: part, why };
}

function describeMessages(read: number, { first }: Head): string {
  const found = grouped(read);
  return read > first.input
    ? `the ${found} tokens found reach into the messages: probably one behind them changed`
    : `the ${found} tokens found are tools and system prompt: probably an early message changed`;
}

function partOf(read: number, { first, isFresh, reads, shared }: Head, sharesHead: boolean): Part | null {
  const others = reads.filter((other) => other <= first.input);
  const someFoundMore = others.some((other) => other > read * NEAR);
  if (read === 0) return someFoundMore ? 'tools' : null;
  if (read > first.input) return 'messages';
  // To the token the same in every session, until the tools change.
  if (sharesHead && shared !== null && isNear(read, shared)) return read === shared ? 'system' : 'tools';
  if (someFoundMore) return 'system';
  const someFoundLess = others.some((other) => other * NEAR < read);
  return someFoundLess || (sharesHead && !isFresh && read * NEAR >= (first.cacheRead ?? 0)) ? 'messages' : null;
}

function isNear(a: number, b: number): boolean {
  return a <= b * NEAR && b <= a * NEAR;
}

// Blocks are counted one by one here: a lookback may take some together, so this explains a miss and predicts none.
function byReach({ now, before, evidence }: Case, lookback: number | null): Explained | null {
  if (evidence === null || lookback === null) return null;
  let blocks = 0;
  for (let index = before.figure.at; index < now.figure.at; index++) blocks += evidence.facts(index).parts.length;
  if (blocks <= lookback) return null;
  const why = `${grouped(blocks)} blocks came since the request before, and the cache is looked for ${lookback} back`;
  return { cause: 'reach', why };
}
