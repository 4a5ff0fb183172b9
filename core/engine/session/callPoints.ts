// All call points of an open transcript: followed in slices, so that whoever clicks is answered in between.
import {
  type CallPointFigures,
  type CallPointStep,
  CallPointSums,
  followCallPoints,
  type ReachedPoint,
  type TallyItem,
} from '../../projection/allCallPoints.ts';
import { type Tallied, talliedParts } from '../../projection/callPointSums.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { LiveView } from '../../view/liveView.ts';
import { isUnrendered } from '../../view/tokens.ts';
import type { StageAnswer, ViewItem } from '../../view/types.ts';
import type { Engine } from '../engine.ts';
import { customFailure } from '../failures.ts';
import { whileWalking } from '../garbageLimit.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { gatherForPoints } from './prefetch.ts';
import { talliedRaw } from './rawBlocks.ts';
import type { Session } from './session.ts';
import { TableTokens } from './stageTokens.ts';
import type { Tokenizing } from './tokenizing.ts';
import type { Turn } from './workQueue.ts';

/** Characters of edits counted in one piece (about 10 ms). */
const COUNT_CHARS = 20_000;

const NOTHING: Tallied = { blocks: 0, marks: [] };

/** What is followed. */
export interface Following {
  readonly engine: Engine;
  readonly session: Session;
  readonly parsed: ParsedSpec;
  readonly tokens: Tokenizing;
  readonly turn: Turn;
  /** Ascending. */
  readonly points: readonly number[];
  /** What is done at each call point in pieces, before it is taken. */
  readonly look?: (point: ReachedPoint) => Iterable<void>;
}

/** The way along the call points, a call point at a time. Ends with the turn. */
export class PointWalk {
  readonly #work: Following;
  readonly #inputs: ReturnType<Session['inputsFor']>;
  readonly #run: Generator<CallPointStep<ReachedPoint>, void, StageAnswer | null>;
  #hasGathered = false;

  constructor(work: Following) {
    const { session, parsed, tokens, points, look } = work;
    this.#work = work;
    this.#inputs = session.inputsFor(parsed.spec, { tokens });
    const options = { memo: session.memo, sha256: nodeSha256, ...this.#inputs };
    const { stages } = parsed;
    this.#run = followCallPoints({ source: session.source, stages, points, options }, (point) => point, look);
  }

  /** What the stages are given. */
  get inputs(): ReturnType<Session['inputsFor']> {
    return this.#inputs;
  }

  /** How many counts the stages had to guess so far. */
  get guesses(): number {
    return this.#inputs.tokens.guesses ?? 0;
  }

  /**
   * The next call point, as it is until the next is asked for; null = there is none. Error: the user's code failed; it would
   * at every other call point too.
   */
  async next(): Promise<Result<ReachedPoint | null, ProtocolError>> {
    const { engine, turn } = this.#work;
    if (!this.#hasGathered) await this.#gather();
    for (let answer: StageAnswer | null = null; ; ) {
      const pause = turn.pause();
      if (pause) await pause;
      if (this.#inputs.tokens instanceof TableTokens) this.#inputs.tokens.refill(COUNT_CHARS);
      const step = this.#run.next(answer);
      answer = null;
      if (step.done === true) return ok(null);
      if (step.value.kind === 'effect') answer = await engine.answerInBackground(step.value.effect);
      if (step.value.kind !== 'point') continue;
      const failed = failureAt(step.value.figures);
      return failed === null ? ok(step.value.figures) : err(failed);
    }
  }

  async #gather(): Promise<void> {
    this.#hasGathered = true;
    const { session, parsed, points, turn } = this.#work;
    await gatherForPoints(session, parsed.stages, points, turn);
  }
}

/**
 * Moves along the call points: `take` computes at each, `receive` gets what it made, and ends the run with false. Returns
 * how many counts the stages had to guess. Ends with the turn. Error: the user's code failed; it would at every other call
 * point too.
 */
export async function followInSlices<T>(
  work: Following,
  take: (point: ReachedPoint) => T,
  receive: (value: T) => boolean,
): Promise<Result<{ readonly guesses: number }, ProtocolError>> {
  const { engine, session } = work;
  return whileWalking(engine.garbage, session.source.length, async () => {
    const walk = new PointWalk(work);
    for (;;) {
      const reached = await walk.next();
      if (!reached.ok) return reached;
      if (reached.value === null || !receive(take(reached.value))) return ok({ guesses: walk.guesses });
    }
  });
}

/** As followInSlices, with the figures of each call point; `counted` = no figure up to here is a guess. */
export async function followFigures(
  work: Following,
  receive: (figures: CallPointFigures, counted: boolean) => boolean,
): Promise<Result<{ readonly counted: boolean }, ProtocolError>> {
  const { session, tokens } = work;
  const tally = new SessionTally(session, tokens);
  let sums: CallPointSums | null = null;
  const followed = await followInSlices(
    { ...work, look: (point) => tally.countAhead(point.view) },
    (point) => {
      sums ??= new CallPointSums(session.source, point, tally.add, tokens.loads);
      return sums.take(point);
    },
    (figures) => receive(figures, tally.counted),
  );
  return followed.ok ? ok({ counted: tally.counted && followed.value.guesses === 0 }) : followed;
}

function failureAt({ stages }: ReachedPoint): ProtocolError | null {
  for (const { problems } of stages) {
    const failed = customFailure(problems);
    if (failed !== null) return failed;
  }
  return null;
}

// Whether all that has come into the view is counted within one allowance, without looking what of it is known. A part takes 25
// characters of JSON at least, and costs its own and 64.
function isLittle(view: LiveView): boolean {
  let most = 0;
  for (const cell of view.changed.keys()) {
    for (const { text } of view.at(cell)) if (text !== undefined) most += 3 * text.length + 64;
    if (most > COUNT_CHARS) return false;
  }
  return true;
}

interface KnownItem {
  readonly byCategory: readonly number[];
  readonly tallied: Tallied;
  readonly counted: boolean;
}

/** Tokens of items by the session's counts; `counted` is false once an edit had to be estimated. */
export class SessionTally {
  readonly #session: Session;
  readonly #tokens: Tokenizing;
  readonly #allowance = { chars: COUNT_CHARS };
  /** What stages made is mostly the same object whenever it comes into the view again. */
  readonly #known = new WeakMap<ViewItem, KnownItem>();
  counted = true;

  constructor(session: Session, tokens: Tokenizing) {
    this.#session = session;
    this.#tokens = tokens;
  }

  readonly add: TallyItem = (item, out) => {
    if (isUnrendered(item)) return NOTHING;
    const { text } = item;
    if (item.kind === 'source' && text === undefined) {
      this.#tokens.table.addRange(out, item.index, item.index + 1);
      return talliedRaw(this.#session, item.index, (index) => this.#tokens.table.parts(index));
    }
    const { byCategory, tallied, counted } = this.#known.get(item) ?? this.#count(item, text ?? '');
    if (!counted) this.counted = false;
    for (let slot = 0; slot < byCategory.length; slot++) out[slot]! += byCategory[slot]!;
    return tallied;
  };

  /**
   * Counts what has come into the view, in pieces: ask it at each call point before the sums are made. More may come than one
   * piece should take, and what the sums were given as an estimate stays one in them.
   */
  *countAhead(view: LiveView): Generator<void> {
    this.#allowance.chars = COUNT_CHARS;
    if (isLittle(view)) return;
    for (const cell of view.changed.keys()) {
      for (const item of view.at(cell)) {
        if (item.text === undefined || isUnrendered(item) || this.#known.has(item)) continue;
        // Where nothing was spent there is nothing to count by yet.
        while (!this.#count(item, item.text).counted && this.#allowance.chars < COUNT_CHARS) {
          yield;
          this.#allowance.chars = COUNT_CHARS;
        }
      }
    }
  }

  #count(item: ViewItem, text: string) {
    const edit = this.#session.edits.read({ ...item, text });
    const { parts, byCategory, counted } = this.#tokens.edit(edit, this.#allowance);
    const known = { byCategory, tallied: talliedParts(edit.facts.parts, parts), counted };
    this.#known.set(item, known);
    return known;
  }
}
