// The rules that look beyond their segment: what each of them gets from the segments around it, which segments must be
// joined, and which are run again when others change.
import type { Draft } from '../draft.ts';
import { haveSamePairs, type Pairs } from '../pairs.ts';
import { holdsContent } from '../rules/content.ts';
import { mayHoldReasoning } from '../rules/openai.ts';
import { isSystem } from '../rules/rule.ts';
import { isListedAnswer } from '../rules/thinking.ts';
import type { RuleName, SegmentContext, Target } from '../types.ts';
import { IdsOutlook, ShortenedIds } from './idsOutlooks.ts';
import { PiecePairs, type Range } from './piecePairs.ts';
import { RouteSwitch } from './routeSwitch.ts';
import { NOBODY, type Segment, type Segments } from './segments.ts';

/** The outlook of a level of the chain. A level has its own: what it looks at is what the levels before it gave. */
export interface CrossSegmentRule {
  /** Takes in a piece's messages before the level; gives pieces that must be one. */
  enter?(segment: Segment, messages: readonly Draft[]): Range | null;
  /** Once all have entered: pieces that did not, and that must be looked at again. */
  others?(): Iterable<Segment>;
  /**
   * True if the rule sees no difference between a piece's messages as they were, which it left alone, and as they are (as
   * many). Absent = it may.
   */
  isAlike?(before: readonly Draft[], after: readonly Draft[]): boolean;
  /**
   * True if the rule would find around a piece what it found when it last ran on the same messages; then it need not run, and
   * {@link ran} is asked all the same. Absent = {@link around} says it.
   */
  isAsBefore?(segment: Segment): boolean;
  /** What the rule gets from the segments around this one. */
  around(segment: Segment): SegmentContext;
  /** The rule has run on a piece; gives pieces that must be looked at again. */
  ran?(): Iterable<Segment>;
  /** A piece is no more; gives pieces that must be looked at again. It may enter again, until it is dropped. */
  forget?(segment: Segment): Iterable<Segment>;
  /** A piece that is no more does not come back: what was kept of it goes. */
  drop?(segment: Segment): void;
  /**
   * Pieces side by side were taken out ({@link Segment.isThere} says so), and may come back as they were; gives pieces that
   * must be looked at again. Absent = each of them is forgotten.
   */
  takeOut?(pieces: readonly Segment[]): Iterable<Segment>;
  /** True if pieces that have come back as they were, between others that have not, need not enter. Absent = they must. */
  knowsBack?(): boolean;
  /** True if each of them would find around it what it found when it last ran. Absent, or false = each is asked. */
  areAsBefore?(pieces: readonly Segment[]): boolean;
}

/** What an outlook is made of. */
export interface CrossSegmentContext {
  readonly segments: Segments;
  readonly level: number;
  readonly cells: number;
  readonly historyLimit: number;
  readonly camelCallsOnly: boolean;
  readonly route: Target;
  readonly pairsOf: (messages: readonly Draft[]) => Pairs;
}

/** Nothing to report. */
export const ALONE: SegmentContext = {};

/** The outlooks by rule; rules that are not named look at one message. */
export const OUTLOOKS: Readonly<Partial<Record<RuleName, (context: CrossSegmentContext) => CrossSegmentRule>>> = {
  normalize_content: (context) => new LastContent(context),
  tool_ids: (context) => new IdsOutlook(context),
  drop_old_thinking: (context) => new LatestAnswer(context),
  pairing: (context) => new PairsOutlook(context),
  switched_reasoning: (context) => new RouteSwitch(context),
  orphan_reasoning: (context) => new NextMessage(context),
  function_call_pairs: () => new ShortenedIds(),
  google_bootstrap: (context) => new FirstTurn(context),
  merge_assistant_turns: (context) => new RunsOfRole(context, 'assistant'),
  merge_user_turns: (context) => new RunsOfRole(context, 'user'),
  history_limit: (context) => new LastTurns(context),
  pairing_again: (context) => new PairsOutlook(context),
};

class PairsOutlook implements CrossSegmentRule {
  readonly #pairs: PiecePairs;

  constructor({ cells, pairsOf }: CrossSegmentContext) {
    this.#pairs = new PiecePairs(cells, pairsOf);
  }

  enter(segment: Segment, messages: readonly Draft[]): Range | null {
    return this.#pairs.enter(segment, messages);
  }

  isAlike(before: readonly Draft[], after: readonly Draft[]): boolean {
    return haveSamePairs(before, after);
  }

  around(): SegmentContext {
    return ALONE;
  }

  forget(segment: Segment): Iterable<Segment> {
    this.#pairs.forget(segment);
    return NOBODY;
  }

  drop(segment: Segment): void {
    this.#pairs.drop(segment);
  }

  takeOut(): Iterable<Segment> {
    return NOBODY;
  }

  knowsBack(): boolean {
    return this.#pairs.areWhole;
  }

  areAsBefore(): boolean {
    return true;
  }
}

/** Failed turns go behind the last piece that holds something that stays. */
class LastContent implements CrossSegmentRule {
  readonly #segments: Segments;
  readonly #level: number;
  readonly #holders = new Set<Segment>();
  /** Start of that piece, -1 = none. */
  #start = -1;

  constructor({ segments, level }: CrossSegmentContext) {
    this.#segments = segments;
    this.#level = level;
  }

  enter(segment: Segment, messages: readonly Draft[]): null {
    if (messages.some(holdsContent)) this.#holders.add(segment);
    else this.#holders.delete(segment);
    return null;
  }

  others(): Iterable<Segment> {
    const before = this.#start;
    let last = this.#segments.last;
    while (last !== null && !this.#holders.has(last)) last = last.previous;
    this.#start = last?.start ?? -1;
    return before === this.#start ? NOBODY : between(this.#segments, before, this.#start);
  }

  around({ start }: Segment): SegmentContext {
    return { contentLater: start < this.#start };
  }

  forget(segment: Segment): Iterable<Segment> {
    this.#holders.delete(segment);
    return NOBODY;
  }

  // The last of the pieces that are there is looked for anyhow.
  takeOut(): Iterable<Segment> {
    return NOBODY;
  }

  knowsBack(): boolean {
    return true;
  }

  areAsBefore(pieces: readonly Segment[]): boolean {
    return pieces.every(({ start, ran }) => ran[this.#level]?.around.contentLater === start < this.#start);
  }
}

/** The pieces from one start to another, whichever is first. */
function* between(segments: Segments, a: number, b: number): Generator<Segment> {
  let segment = segments.holding(Math.max(a, b));
  for (; segment !== null && segment.start >= Math.min(a, b); segment = segment.previous) yield segment;
}

class LatestAnswer implements CrossSegmentRule {
  readonly #segments: Segments;
  readonly #level: number;
  readonly #holders = new Set<Segment>();
  #latest: Segment | null = null;

  constructor({ segments, level }: CrossSegmentContext) {
    this.#segments = segments;
    this.#level = level;
  }

  enter(segment: Segment, messages: readonly Draft[]): null {
    if (messages.some(isListedAnswer)) this.#holders.add(segment);
    else this.#holders.delete(segment);
    return null;
  }

  others(): Iterable<Segment> {
    const before = this.#latest;
    let latest = this.#segments.last;
    while (latest !== null && !this.#holders.has(latest)) latest = latest.previous;
    this.#latest = latest;
    // Between the two nobody has an answer to lose.
    return [before, latest].filter((each) => each !== null);
  }

  around({ start }: Segment): SegmentContext {
    return { answersLater: start < this.#latestStart };
  }

  forget(segment: Segment): Iterable<Segment> {
    this.#holders.delete(segment);
    if (this.#latest === segment) this.#latest = null;
    return NOBODY;
  }

  takeOut(): Iterable<Segment> {
    if (this.#latest?.isThere === false) this.#latest = null;
    return NOBODY;
  }

  knowsBack(): boolean {
    return true;
  }

  areAsBefore(pieces: readonly Segment[]): boolean {
    const latest = this.#latestStart;
    return pieces.every(({ start, ran }) => ran[this.#level]?.around.answersLater === start < latest);
  }

  get #latestStart(): number {
    return this.#latest?.start ?? -1;
  }
}

class NextMessage implements CrossSegmentRule {
  readonly #level: number;
  readonly #entered = new Set<Segment>();

  constructor({ level }: CrossSegmentContext) {
    this.#level = level;
  }

  enter(segment: Segment): null {
    this.#entered.add(segment);
    return null;
  }

  // The piece before may ask for its first message.
  isAlike(before: readonly Draft[], after: readonly Draft[]): boolean {
    return before[0] === after[0] && !before.some(mayHoldReasoning) && !after.some(mayHoldReasoning);
  }

  others(): Iterable<Segment> {
    const asks = new Set<Segment>();
    for (const { previous } of this.#entered) {
      let before = previous;
      while (before !== null && before.input(this.#level).length === 0) before = before.previous;
      const last = before?.input(this.#level).at(-1);
      if (before !== null && last !== undefined && mayHoldReasoning(last)) asks.add(before);
    }
    this.#entered.clear();
    return asks;
  }

  around(segment: Segment): SegmentContext {
    let next = segment.next;
    while (next !== null && next.input(this.#level).length === 0) next = next.next;
    return { next: next?.input(this.#level)[0] ?? null };
  }

  forget(segment: Segment): Iterable<Segment> {
    this.#entered.delete(segment);
    return NOBODY;
  }
}

class FirstTurn implements CrossSegmentRule {
  readonly #segments: Segments;
  readonly #level: number;
  #first: Segment | null = null;

  constructor({ segments, level }: CrossSegmentContext) {
    this.#segments = segments;
    this.#level = level;
  }

  others(): Iterable<Segment> {
    const before = this.#first;
    let first = this.#segments.first;
    while (first !== null && roleAt(first.input(this.#level), 'first') === null) first = first.next;
    this.#first = first;
    return before === first ? NOBODY : [before, first].filter((each) => each !== null);
  }

  isAlike(before: readonly Draft[], after: readonly Draft[]): boolean {
    return haveSameRoles(before, after);
  }

  around(segment: Segment): SegmentContext {
    return { hasTurnsBefore: segment !== this.#first };
  }

  forget(segment: Segment): Iterable<Segment> {
    if (this.#first === segment) this.#first = null;
    return NOBODY;
  }
}

class RunsOfRole implements CrossSegmentRule {
  readonly #level: number;
  readonly #role: string;

  constructor({ level }: CrossSegmentContext, role: string) {
    this.#level = level;
    this.#role = role;
  }

  enter(segment: Segment, messages: readonly Draft[]): Range | null {
    const isTurn = roleAt(messages, 'first') !== null;
    const before = this.#turnsBefore(segment.previous);
    const behind = this.#turnsBehind(segment.next);
    if (!isTurn) return this.#join(before, behind);
    return this.#join(before, segment) ?? this.#join(segment, behind);
  }

  // Two turns that stayed apart might be joined now.
  isAlike(before: readonly Draft[], after: readonly Draft[]): boolean {
    const turns = after.filter(({ role }) => !isSystem(role));
    const isJoined = turns.some(({ role }, at) => role === this.#role && role === turns[at + 1]?.role);
    return !isJoined && haveSameRoles(before, after);
  }

  around(): SegmentContext {
    return ALONE;
  }

  // Their neighbours are those they had: what has come between them enters.
  knowsBack(): boolean {
    return true;
  }

  areAsBefore(): boolean {
    return true;
  }

  #join(from: Segment | null, to: Segment | null): Range | null {
    if (from === null || to === null) return null;
    if (roleAt(from.input(this.#level), 'last') !== this.#role) return null;
    return roleAt(to.input(this.#level), 'first') === this.#role ? { from, to } : null;
  }

  #turnsBefore(from: Segment | null): Segment | null {
    let segment = from;
    while (segment !== null && roleAt(segment.input(this.#level), 'last') === null) segment = segment.previous;
    return segment;
  }

  #turnsBehind(from: Segment | null): Segment | null {
    let segment = from;
    while (segment !== null && roleAt(segment.input(this.#level), 'first') === null) segment = segment.next;
    return segment;
  }
}

function haveSameRoles(before: readonly Draft[], after: readonly Draft[]): boolean {
  return before.every(({ role }, at) => role === after[at]?.role);
}

/** The role of the first or last message that is a turn; null = there is none. */
function roleAt(messages: readonly Draft[], end: 'first' | 'last'): string | null {
  const isTurn = ({ role }: Draft): boolean => !isSystem(role);
  const found = end === 'first' ? messages.find(isTurn) : messages.findLast(isTurn);
  return found?.role ?? null;
}

/** Pieces before the one with the first user turn that stays go whole, those behind it stay whole. */
class LastTurns implements CrossSegmentRule {
  readonly #segments: Segments;
  readonly #limit: number;
  readonly #turns = new Map<Segment, number>();
  #total = 0;
  /** Start of the piece that is cut, -1 = none; and the user turns behind it. */
  #cut = -1;
  #behind = 0;

  constructor({ segments, historyLimit }: CrossSegmentContext) {
    this.#segments = segments;
    this.#limit = historyLimit;
  }

  enter(segment: Segment, messages: readonly Draft[]): null {
    if (this.#limit > 0) this.#note(segment, messages.filter(({ facts }) => facts.beginsTurn).length);
    return null;
  }

  isAlike(before: readonly Draft[], after: readonly Draft[]): boolean {
    return before.every(({ facts }, at) => facts.beginsTurn === after[at]?.facts.beginsTurn);
  }

  others(): Iterable<Segment> {
    if (this.#limit <= 0) return NOBODY;
    const before = this.#cut;
    this.#find();
    if (before < 0 && this.#cut < 0) return NOBODY;
    return between(this.#segments, before, this.#cut);
  }

  around(segment: Segment): SegmentContext {
    const { start } = segment;
    if (start > this.#cut) return { userTurns: { before: 0, behind: 0 } };
    if (start < this.#cut) return { userTurns: { before: 1, behind: this.#limit } };
    const own = this.#turns.get(segment) ?? 0;
    return { userTurns: { before: this.#total - this.#behind - own, behind: this.#behind } };
  }

  forget(segment: Segment): Iterable<Segment> {
    this.#note(segment, 0);
    return NOBODY;
  }

  #note(segment: Segment, turns: number): void {
    this.#total += turns - (this.#turns.get(segment) ?? 0);
    if (turns === 0) this.#turns.delete(segment);
    else this.#turns.set(segment, turns);
  }

  #find(): void {
    this.#cut = -1;
    if (this.#total <= this.#limit) return;
    this.#behind = 0;
    for (let segment = this.#segments.last; segment !== null; segment = segment.previous) {
      const own = this.#turns.get(segment) ?? 0;
      this.#cut = segment.start;
      if (this.#behind + own >= this.#limit) return;
      this.#behind += own;
    }
  }
}
