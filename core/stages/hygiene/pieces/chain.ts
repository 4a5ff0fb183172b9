// The rules of a profile over the pieces of a view. The chain is cut into levels, each of which begins with a rule that
// looks beyond its piece; all pieces that changed pass a level before the next one begins, so that what a rule looks at is
// always up to date. Where pieces must be one for a rule to see all it looks at, they become one and begin again.
import { firstAt } from '../../../util/sorted.ts';
import type { LiveView } from '../../../view/liveView.ts';
import {
  PAUSE,
  type ResizeAnswer,
  type StageAnswer,
  type StageEffect,
  type View,
  type ViewItem,
} from '../../../view/types.ts';
import type { Draft } from '../draft.ts';
import { LocalRules } from '../localRules.ts';
import { findPairs, type Pairs } from '../pairs.ts';
import type { Profile } from '../profiles.ts';
import { runRules, runRulesPausing } from '../repair.ts';
import type { RuleContext, RuleName, SegmentContext } from '../types.ts';
import { ALONE, type CrossSegmentRule, OUTLOOKS } from './crossSegmentRules.ts';
import type { Range } from './piecePairs.ts';
import { type Block, NOBODY, type Segment, Segments, type Span } from './segments.ts';

/** So many pieces are taken out as one; fewer end one by one. */
export const LEAST_PIECES = 3;

/** Messages that rules look at before others may be answered. */
const SLICE = 200;

/** What the rules are run with. */
export interface ChainContext {
  readonly profile: Profile;
  readonly rules: Omit<RuleContext, 'around' | 'resized'>;
  readonly resized: Map<string, ResizeAnswer>;
  readonly cells: number;
  readonly draftOf: (item: ViewItem) => Draft;
  /** Called with pieces that have ended. */
  readonly ended: (segment: Segment) => void;
  /** Called with pieces that were taken out, or have come back: what they gave is to be reported again. */
  readonly turned: (segment: Segment) => void;
}

/** Yields what rules ask the host for, and pauses now and then, so that others are answered. */
export type ChainRun<T = void> = Generator<StageEffect, T, StageAnswer>;

interface Level {
  readonly rules: readonly RuleName[];
  readonly outlook: CrossSegmentRule | null;
  /** Pieces that come to the level, and those of them that wait for the others. */
  readonly arriving: Set<Segment>;
  readonly ready: Set<Segment>;
}

/** The pieces of a view on their way through a profile. */
export class Chain {
  readonly segments: Segments;
  readonly #context: ChainContext;
  /** What rules are given that look at nothing around a piece. */
  readonly #alone: RuleContext;
  #made: readonly Level[] | null = null;
  #local: LocalRules | null = null;
  readonly #reviewed = new Set<Segment>();
  #done = new Set<Segment>();
  /** Pieces that came back with a block, and the level that they come to next. */
  #back: readonly Segment[] = NOBODY;
  #backAt = 0;
  #looked = 0;
  #runs = 0;

  constructor(context: ChainContext) {
    this.segments = new Segments(context.cells);
    this.#context = context;
    this.#alone = { ...context.rules, resized: context.resized, around: ALONE };
  }

  // A view that does not move needs none.
  get #levels(): readonly Level[] {
    this.#made ??= levelsOf(this.#context, this.segments);
    return this.#made;
  }

  /** Runs the rules on a view given at once: it is one piece. Once it moves a new chain begins. */
  *runWhole(input: LiveView, view: View): ChainRun<Segment> {
    const { draftOf, profile, rules, resized } = this.#context;
    const segment = this.segments.first ?? this.segments.begin(0);
    segment.readWhole(input, view, draftOf);
    const { messages, changes } = yield* runRulesPausing(segment.drafts, profile.rules, { ...rules, resized }, resized);
    segment.lists[0] = messages;
    segment.changes[0] = changes;
    return segment;
  }

  /** A piece whose neighbours are others than before, or that is new. */
  touch(segment: Segment): void {
    segment.isBack = false;
    this.#levels[0]?.arriving.add(segment);
  }

  /**
   * Takes pieces side by side out as one: their cells, up to `to`, hold nothing any more. To be asked before any of them is
   * touched or reviewed. What was made of them stays, for they mostly come back as one ({@link putBack}).
   */
  takeOut(first: Segment, last: Segment, to: number): void {
    const { previous } = first;
    const { next } = last;
    const isMore = this.segments.isBesideBlock(first, last);
    if (!isMore) this.#endBlock();
    const pieces = this.segments.takeOut(first, last, to);
    if (isMore) for (const piece of this.segments.takeSurplus()) this.#end(piece);
    for (const { outlook, ready } of this.#levels) {
      if (outlook === null) continue;
      for (const other of outlook.takeOut?.(pieces) ?? forgetEach(outlook, pieces)) if (other.isThere) ready.add(other);
    }
    for (const piece of pieces) this.#context.turned(piece);
    for (const neighbour of [previous, next]) if (neighbour !== null) this.touch(neighbour);
  }

  /**
   * Puts back what was taken out, some of whose cells hold something again; the most pieces side by side that hold nothing stay
   * out. Gives the pieces to be touched: their messages or their neighbours may differ. The rest pass the levels as they did, as
   * long as nothing around them is different.
   */
  *putBack(view: LiveView): ChainRun<readonly Segment[]> {
    const { block } = this.segments;
    if (block === null) return NOBODY;
    const still = longestEmpty(block, view);
    this.segments.putBack(block, still);
    const { pieces } = block;
    const others: Segment[] = [];
    const back: Segment[] = [];
    for (let at = 0; at < pieces.length; at++) {
      if (at === still?.from) at = still.to;
      const piece = pieces[at];
      if (piece === undefined) break;
      const isInner = at > 0 && at !== still?.to && at + 1 !== (still?.from ?? pieces.length) && at + 1 < pieces.length;
      piece.isBack = isInner && piece.drafts.length > 0 && piece.holdsAsRead(view);
      (piece.isBack ? back : others).push(piece);
      if (this.#isPause(piece)) yield PAUSE;
    }
    for (const neighbour of [pieces[0]?.previous, pieces.at(-1)?.next]) if (neighbour != null) others.push(neighbour);
    this.#back = back;
    this.#backAt = 0;
    return others;
  }

  // What was taken out before comes back piece by piece, if it does.
  #endBlock(): void {
    const { block } = this.segments;
    if (block === null) return;
    for (const piece of block.pieces) this.#end(piece);
    this.segments.block = null;
  }

  /** A piece whose messages may be others than before. */
  review(segment: Segment): void {
    this.#reviewed.add(segment);
  }

  /** Runs the rules on what was touched, and on what that touches; gives the pieces that came through. */
  *run(view: LiveView): ChainRun<ReadonlySet<Segment>> {
    this.#done = new Set();
    this.#runs++;
    for (const segment of this.#reviewed) {
      this.#review(segment, view);
      if (this.#isPause(segment)) yield PAUSE;
    }
    this.#reviewed.clear();
    for (let at = 0; at < this.#levels.length; at++) {
      const level = this.#levels[at]!;
      if (level.arriving.size === 0 && level.ready.size === 0 && !this.#isBackAt(at)) continue;
      yield* this.#enter(level, at, view);
      if (this.#isBackAt(at)) yield* this.#enterBack(level, at);
      const earlier = this.#levels.slice(0, at + 1).findIndex(({ arriving }) => arriving.size > 0);
      if (earlier >= 0) at = earlier - 1;
      else yield* this.#runLevel(level, at);
    }
    for (const piece of this.#back) {
      if (!piece.isBack) continue;
      piece.isBack = false;
      this.#context.turned(piece);
    }
    this.#back = NOBODY;
    return this.#done;
  }

  #isBackAt(level: number): boolean {
    return this.#backAt === level && this.#back.length > 0;
  }

  *#enterBack({ outlook }: Level, at: number): ChainRun {
    if (outlook?.enter === undefined || outlook.knowsBack?.() === true) return;
    for (const piece of this.#back) {
      if (!piece.isBack) continue;
      const range = outlook.enter(piece, piece.input(at));
      if (range !== null) this.#join(range);
      if (this.#isPause(piece)) yield PAUSE;
    }
  }

  // A piece that is back runs where something around it differs, and continues with those that changed.
  *#passBack(level: Level, at: number): ChainRun {
    const { outlook } = level;
    this.#backAt = at + 1;
    if (outlook === null || outlook.areAsBefore?.(this.#back) === true) return;
    for (const piece of this.#back) {
      if (!piece.isBack) continue;
      if (isAsItRan(piece, level, at)) {
        addAll(level.ready, outlook.ran?.());
      } else level.ready.add(piece);
      if (this.#isPause(piece)) yield PAUSE;
    }
  }

  // Most changes of a view are texts that no rule looks at: the piece then passes as it did before.
  #review(segment: Segment, view: LiveView): void {
    const first = this.#levels[0];
    if (first === undefined || first.arriving.has(segment)) return;
    const before = segment.drafts;
    segment.read(view, this.#context.draftOf, this.#runs);
    if (segment.drafts !== before) {
      if (!this.#passesAgain(segment, before)) {
        first.arriving.add(segment);
        return;
      }
      segment.passesAs(segment.drafts);
    }
    // Where it ends may be another place than before.
    this.#done.add(segment);
  }

  // True if no rule did anything to the piece, none that looks beyond one message sees a difference, and those that look
  // at one message have nothing to do with the new ones.
  #passesAgain({ drafts, lists, changes }: Segment, before: readonly Draft[]): boolean {
    if (before.length !== drafts.length || lists.at(-1) !== before || changes.some(({ length }) => length > 0))
      return false;
    if (lists.length !== this.#levels.length) return false;
    const isSeen = ({ outlook }: Level): boolean => outlook !== null && outlook.isAlike?.(before, drafts) !== true;
    if (this.#levels.some(isSeen)) return false;
    const changed = drafts.filter((draft, at) => draft !== before[at]);
    this.#local ??= new LocalRules(this.#context.profile.rules);
    return this.#local.leave(changed, this.#alone);
  }

  *#enter(level: Level, at: number, view: LiveView): ChainRun {
    for (const segment of level.arriving) {
      level.arriving.delete(segment);
      if (at === 0) {
        segment.read(view, this.#context.draftOf, this.#runs);
        if (segment.drafts.length === 0 && segment.start > 0) {
          this.#leave(segment);
          continue;
        }
      }
      level.ready.add(segment);
      let range = level.outlook?.enter?.(segment, segment.input(at)) ?? null;
      while (range !== null) {
        this.#join(range);
        range = level.ready.has(segment) ? (level.outlook?.enter?.(segment, segment.input(at)) ?? null) : null;
      }
      if (this.#isPause(segment)) yield PAUSE;
    }
  }

  // Asked of every piece at every level: others may be answered now.
  #isPause(segment: Segment): boolean {
    this.#looked += segment.drafts.length;
    if (this.#looked < SLICE) return false;
    this.#looked = 0;
    return true;
  }

  /** Takes a piece out. */
  #end(segment: Segment): void {
    const dropped = this.segments.end(segment);
    segment.isBack = false;
    for (const { outlook, arriving, ready } of this.#levels) {
      if (dropped !== null) outlook?.drop?.(dropped);
      arriving.delete(segment);
      addAll(ready, outlook?.forget?.(segment));
      ready.delete(segment);
    }
    this.#done.delete(segment);
    this.#context.ended(segment);
  }

  #leave(segment: Segment): void {
    const { previous, next } = segment;
    this.#end(segment);
    for (const neighbour of [previous, next]) if (neighbour !== null) this.touch(neighbour);
  }

  #join({ from, to }: Range): void {
    const behind = to.next;
    while (from.next !== null && from.next !== behind) this.#end(from.next);
    for (const { arriving, ready } of this.#levels) {
      arriving.delete(from);
      ready.delete(from);
    }
    this.#done.delete(from);
    this.touch(from);
    if (behind !== null) this.touch(behind);
  }

  *#runLevel(level: Level, at: number): ChainRun {
    addAll(level.ready, level.outlook?.others?.());
    if (this.#isBackAt(at)) yield* this.#passBack(level, at);
    const next = this.#levels[at + 1]?.arriving ?? this.#done;
    while (level.ready.size > 0) {
      const ready = [...level.ready];
      if (ready.length > 1) ready.sort((a, b) => a.start - b.start);
      level.ready.clear();
      for (const segment of ready) {
        segment.isBack = false;
        if (!isAsItRan(segment, level, at)) yield* this.#runRules(segment, level, at);
        addAll(level.ready, level.outlook?.ran?.());
        next.add(segment);
        if (this.#isPause(segment)) yield PAUSE;
      }
    }
  }

  *#runRules(segment: Segment, { rules, outlook }: Level, at: number): ChainRun {
    const messages = segment.input(at);
    const around = outlook?.around(segment) ?? ALONE;
    const context = around === ALONE ? this.#alone : { ...this.#alone, around };
    const result = yield* runRules(messages, rules, context, this.#context.resized);
    segment.lists[at] = result.messages;
    segment.changes[at] = result.changes;
    // What an outlook remembers itself is not kept with each piece too: the ids of a piece are two tables.
    segment.ran[at] = { messages, around: outlook?.isAsBefore === undefined ? around : ALONE };
    segment.byIndex = null;
    segment.addedFor = null;
    segment.presence = null;
  }
}

function addAll(pieces: Set<Segment>, more: Iterable<Segment> | undefined): void {
  if (more === undefined || more === NOBODY) return;
  for (const segment of more) pieces.add(segment);
}

function* forgetEach(outlook: CrossSegmentRule, pieces: readonly Segment[]): Generator<Segment> {
  if (outlook.forget !== undefined) for (const piece of pieces) yield* outlook.forget(piece);
}

const startOf = ({ start }: Segment): number => start;

/** Of what was taken out the most pieces side by side that hold nothing; null = there are fewer than are taken out as one. */
function longestEmpty({ pieces, to: end }: Block, view: LiveView): Span | null {
  let longest = { from: 0, to: 0 };
  for (let from = 0; from < pieces.length; ) {
    const filled = view.nextCell(pieces[from]!.start);
    // The piece that holds that cell is the first that is not empty.
    const to = filled >= end ? pieces.length : Math.max(from, firstAt(pieces, filled + 1, startOf) - 1);
    if (to - from > longest.to - longest.from) longest = { from, to };
    from = to + 1;
  }
  return longest.to - longest.from < LEAST_PIECES ? null : longest;
}

// True if a level would make of a piece what it made of it.
function isAsItRan(segment: Segment, { outlook }: Level, at: number): boolean {
  const ran = segment.ran[at];
  if (ran === undefined || ran.messages !== segment.input(at)) return false;
  if (outlook === null) return true;
  return outlook.isAsBefore?.(segment) ?? isSameAround(ran.around, outlook.around(segment));
}

function isSameAround(a: SegmentContext, b: SegmentContext): boolean {
  if (a === b) return true;
  const { switched, userTurns } = b;
  return (
    a.contentLater === b.contentLater &&
    a.answersLater === b.answersLater &&
    a.next === b.next &&
    a.hasTurnsBefore === b.hasTurnsBefore &&
    a.switched?.later === switched?.later &&
    a.switched?.behind === switched?.behind &&
    a.userTurns?.before === userTurns?.before &&
    a.userTurns?.behind === userTurns?.behind
  );
}

function levelsOf({ profile, cells, rules: given }: ChainContext, segments: Segments): readonly Level[] {
  const pairsOf = (messages: readonly Draft[]): Pairs => given.same?.pairsOf(messages) ?? findPairs(messages);
  const { historyLimit, camelCallsOnly, route } = profile.options;
  const rules = profile.rules.filter((rule) => rule !== 'history_limit' || historyLimit > 0);
  return cut(rules).map((own, level): Level => {
    const [first] = own;
    const make = first === undefined ? undefined : OUTLOOKS[first];
    const outlook = make?.({ segments, level, cells, historyLimit, camelCallsOnly, route, pairsOf }) ?? null;
    return { rules: own, outlook, arriving: new Set(), ready: new Set() };
  });
}

// A level begins with each rule that looks beyond its piece.
function cut(rules: readonly RuleName[]): readonly (readonly RuleName[])[] {
  const levels: RuleName[][] = [[]];
  for (const rule of rules) {
    if (OUTLOOKS[rule] === undefined) levels.at(-1)?.push(rule);
    else levels.push([rule]);
  }
  return levels;
}
