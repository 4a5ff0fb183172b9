// Two policies along the call points of an open transcript, in step and in slices: sums, lines, where the requests differ.
import { DifferenceFollower } from '../../insight/compare/along.ts';
import { RequestSummer } from '../../insight/requestSums.ts';
import { UsesFollower } from '../../insight/uses/index.ts';
import { type CallPointFigures, CallPointSums, type ReachedPoint } from '../../projection/allCallPoints.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ComparedAlong, ComparedSums } from '../../protocol/compareTypes.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { whileWalking } from '../garbageLimit.ts';
import { sessionPricing } from '../library/pricing.ts';
import { PointWalk, SessionTally } from '../session/callPoints.ts';
import type { Session } from '../session/session.ts';
import { SessionCache } from '../session/sessionCache.ts';
import type { Turn } from '../session/workQueue.ts';

/** Requests, cache breaks and runs of differing requests that one answer holds. */
const MOST = 2_000;

/** What is walked, and in whose turn. */
export interface AlongWork {
  readonly engine: Engine;
  readonly session: Session;
  readonly a: ParsedSpec;
  readonly b: ParsedSpec;
  readonly turn: Turn;
  /** Called after each call point with how many are done. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Walks both policies. Ends with the turn. Error: the user's code failed. */
export function compareAlong(work: AlongWork): Promise<Result<ComparedAlong, ProtocolError>> {
  const { engine, session } = work;
  return whileWalking(engine.garbage, session.source.length, () => walkBoth(work));
}

async function walkBoth(work: AlongWork): Promise<Result<ComparedAlong, ProtocolError>> {
  const { session, turn, onProgress } = work;
  for (const _ of session.uses.grow()) {
    const pause = turn.pause();
    if (pause) await pause;
  }
  const { callPoints } = session.outline;
  const follower = new DifferenceFollower(session.source);
  const [a, b] = [new PolicyWalk(work, work.a), new PolicyWalk(work, work.b)];
  const points: { at: number; a: number; b: number; differs: boolean }[] = [];
  for (;;) {
    const [inA, inB] = [await a.next(), await b.next()];
    if (!inA.ok) return inA;
    if (!inB.ok) return inB;
    if (inA.value === null || inB.value === null) break;
    follower.take(inA.value, inB.value);
    const at = inA.value.at;
    points.push({ at, a: a.take(inA.value), b: b.take(inB.value), differs: follower.differsNow });
    onProgress(points.length, callPoints.length);
  }
  const runs = runsOf(points);
  return ok({
    points: thinned(points),
    a: a.sums,
    b: b.sums,
    provenance: a.isCounted && b.isCounted ? session.tokenizing(null).provenance : 'estimated',
    firstDifferenceAt: follower.firstDifferenceAt,
    differing: points.filter(({ differs }) => differs).length,
    runs: runs.slice(0, MOST),
    messages: follower.messages.length,
    hasWindow: a.hasWindow && b.hasWindow,
  });
}

/** The same, seen from the other side. */
export function swapped({ a, b, points, ...rest }: ComparedAlong): ComparedAlong {
  return { ...rest, a: b, b: a, points: points.map(({ at, a: inA, b: inB }) => ({ at, a: inB, b: inA })) };
}

/** One policy from call point to call point, with the sums up to there. */
class PolicyWalk {
  readonly hasWindow: boolean;
  readonly #walk: PointWalk;
  readonly #summer: RequestSummer;
  readonly #uses: UsesFollower;
  readonly #cache: SessionCache;
  readonly #tally: SessionTally;
  readonly #figures: (point: ReachedPoint) => CallPointFigures;
  readonly #breaks: number[] = [];

  constructor({ engine, session, turn }: AlongWork, parsed: ParsedSpec) {
    const { source, outline } = session;
    const tokens = session.tokenizing(null);
    const overhead = tokens.besideWith(parsed.spec.budget?.overhead).total;
    const tally = new SessionTally(session, tokens);
    const look = ({ view }: ReachedPoint) => tally.countAhead(view);
    this.#walk = new PointWalk({ engine, session, parsed, tokens, turn, points: outline.callPoints, look });
    const { budget } = this.#walk.inputs;
    this.hasWindow = budget !== null;
    this.#summer = new RequestSummer(budget, overhead, source.length);
    this.#cache = new SessionCache(engine, session, overhead);
    this.#tally = tally;
    const pricing = sessionPricing(engine, session);
    const front = source.row().meta;
    this.#uses = new UsesFollower({ source, finder: session.uses.finder, front, pricing, tokens: tokens.forStages() });
    let sums: CallPointSums | null = null;
    this.#figures = (point) => {
      sums ??= new CallPointSums(source, point, tally.add, tokens.loads);
      return sums.take(point);
    };
  }

  /** The next call point, as it is until the next is asked for; null = there is none. */
  next(): Promise<Result<ReachedPoint | null, ProtocolError>> {
    return this.#walk.next();
  }

  /** Takes a call point in; gives the tokens of its messages. */
  take(point: ReachedPoint): number {
    const figures = this.#figures(point);
    const { cache } = this.#cache.next(figures);
    this.#summer.add(figures, { cache, cost: this.#cache.charge.spent });
    if (cache?.brokenBy && this.#breaks.length < MOST) this.#breaks.push(point.at);
    this.#uses.take(point);
    return this.#summer.totals.at(-1) ?? 0;
  }

  get isCounted(): boolean {
    return this.#tally.counted && this.#walk.guesses === 0;
  }

  get sums(): ComparedSums {
    const { uses, gone } = this.#uses.summary;
    return { ...this.#summer.sums, uses, usesGone: gone, breaksAt: this.#breaks };
  }
}

interface WalkedPoint {
  readonly at: number;
  readonly a: number;
  readonly b: number;
  readonly differs: boolean;
}

function runsOf(points: readonly WalkedPoint[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  let open: [number, number] | null = null;
  for (const { at, differs } of points) {
    if (!differs) open = null;
    else if (open !== null) open[1] = at;
    else {
      open = [at, at];
      runs.push(open);
    }
  }
  return runs;
}

function thinned(points: readonly WalkedPoint[]): ComparedAlong['points'] {
  const bars = Math.min(MOST, points.length);
  return Array.from({ length: bars }, (_, bar) => {
    const shared = points.slice(
      Math.floor((bar * points.length) / bars),
      Math.floor(((bar + 1) * points.length) / bars),
    );
    const largest = (of: (point: WalkedPoint) => number) =>
      shared.reduce((most, point) => Math.max(most, of(point)), 0);
    return { at: shared[0]?.at ?? 0, a: largest(({ a }) => a), b: largest(({ b }) => b) };
  });
}
