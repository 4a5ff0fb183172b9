// Ids along the call points: which of them are taken, given or shortened by the pieces before.
import type { Draft } from '../draft.ts';
import type { IdMemory } from '../ids.ts';
import { haveSamePairs } from '../pairs.ts';
import type { SegmentContext } from '../types.ts';
import type { CrossSegmentContext, CrossSegmentRule } from './crossSegmentRules.ts';
import { PiecePairs, type Range } from './piecePairs.ts';
import { NOBODY, type Segment } from './segments.ts';
import { ThreadedState, type ThreadedValue } from './threadedState.ts';

/**
 * The outlook of `tool_ids`. Calls get their ids first, in order, then the results that answer none: so all calls stand before all
 * of these.
 */
export class IdsOutlook implements CrossSegmentRule {
  readonly #pairs: PiecePairs;
  readonly #taken = new ThreadedState();
  readonly #repeats = new ThreadedState();
  readonly #given = new ThreadedState();
  readonly #cells: number;
  /** How a call is written counts too. */
  readonly #isByShape: boolean;
  #segment: Segment | null = null;
  #calls: readonly (readonly [ThreadedState, ThreadedValue])[] = [];
  #orphans: readonly (readonly [ThreadedState, ThreadedValue])[] = [];
  /** It was asked of the piece, and need not run. */
  #isAsBefore = false;
  readonly #dirty = new Set<Segment>();

  constructor({ cells, camelCallsOnly, pairsOf }: CrossSegmentContext) {
    this.#pairs = new PiecePairs(cells, pairsOf);
    this.#isByShape = camelCallsOnly;
    this.#cells = cells;
  }

  enter(segment: Segment, messages: readonly Draft[]): Range | null {
    return this.#pairs.enter(segment, messages);
  }

  isAlike(before: readonly Draft[], after: readonly Draft[]): boolean {
    return !this.#isByShape && haveSamePairs(before, after);
  }

  isAsBefore(segment: Segment): boolean {
    const calls = segment.start;
    const orphans = this.#cells + segment.start;
    this.#turn(segment);
    this.#segment = segment;
    this.#isAsBefore =
      this.#taken.isAsBefore(calls) &&
      this.#repeats.isAsBefore(calls) &&
      this.#taken.isAsBefore(orphans) &&
      this.#given.isAsBefore(orphans);
    return this.#isAsBefore;
  }

  around(segment: Segment): SegmentContext {
    const taken = this.#taken.open(segment, segment.start);
    const repeats = this.#repeats.open(segment, segment.start);
    this.#segment = segment;
    this.#calls = [
      [this.#taken, taken],
      [this.#repeats, repeats],
    ];
    this.#orphans = [];
    return { ids: { taken: taken.ids(), repeats: repeats.numbers(), orphans: () => this.#openOrphans(segment) } };
  }

  ran(): Iterable<Segment> {
    if (!this.#isAsBefore) {
      this.#close(this.#calls);
      this.#calls = [];
      this.#close(this.#orphans);
      if (this.#segment !== null && this.#orphans.length === 0) this.#forgetOrphans(this.#segment);
    }
    this.#isAsBefore = false;
    if (this.#segment !== null) this.#dirty.delete(this.#segment);
    return this.#takeDirty();
  }

  forget(segment: Segment): Iterable<Segment> {
    this.#pairs.forget(segment);
    this.#turn(segment);
    return this.#takeDirty();
  }

  drop(segment: Segment): void {
    this.#pairs.drop(segment);
    this.#taken.forget(segment.start);
    this.#repeats.forget(segment.start);
    this.#forgetOrphans(segment);
  }

  takeOut(pieces: readonly Segment[]): Iterable<Segment> {
    if (this.#areApart) return NOBODY;
    for (const piece of pieces) this.#turn(piece);
    return this.#takeDirty();
  }

  knowsBack(): boolean {
    return this.#pairs.areWhole;
  }

  areAsBefore(): boolean {
    return this.#areApart;
  }

  get #areApart(): boolean {
    return this.#taken.isApart && this.#repeats.isApart && this.#given.isApart;
  }

  #takeDirty(): Iterable<Segment> {
    if (this.#dirty.size === 0) return NOBODY;
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    return dirty;
  }

  #turn({ start }: Segment): void {
    this.#note(this.#taken.turn(start));
    this.#note(this.#taken.turn(this.#cells + start));
    this.#note(this.#repeats.turn(start));
    this.#note(this.#given.turn(this.#cells + start));
  }

  #openOrphans(segment: Segment): ReturnType<IdMemory['orphans']> {
    this.#close(this.#calls);
    this.#calls = [];
    const taken = this.#taken.open(segment, this.#cells + segment.start);
    const given = this.#given.open(segment, this.#cells + segment.start);
    this.#orphans = [
      [this.#taken, taken],
      [this.#given, given],
    ];
    return { taken: taken.ids(), given: given.texts() };
  }

  #forgetOrphans({ start }: Segment): void {
    this.#note(this.#taken.forget(this.#cells + start));
    this.#note(this.#given.forget(this.#cells + start));
  }

  #close(hands: readonly (readonly [ThreadedState, ThreadedValue])[]): void {
    for (const [carry, hand] of hands) this.#note(carry.close(hand));
  }

  #note(segments: Iterable<Segment>): void {
    if (segments === NOBODY) return;
    for (const segment of segments) this.#dirty.add(segment);
  }
}

/** The outlook of `function_call_pairs`. */
export class ShortenedIds implements CrossSegmentRule {
  readonly #carry = new ThreadedState();
  #hand: ThreadedValue | null = null;
  #dirty: Iterable<Segment> = NOBODY;

  isAsBefore(segment: Segment): boolean {
    this.#dirty = this.#carry.turn(segment.start);
    return this.#carry.isAsBefore(segment.start);
  }

  around(segment: Segment): SegmentContext {
    this.#hand = this.#carry.open(segment, segment.start);
    return { shortened: this.#hand.ids() };
  }

  ran(): Iterable<Segment> {
    const dirty = [...this.#dirty, ...(this.#hand === null ? NOBODY : this.#carry.close(this.#hand))];
    this.#dirty = NOBODY;
    this.#hand = null;
    return dirty;
  }

  forget(segment: Segment): Iterable<Segment> {
    return this.#carry.turn(segment.start);
  }

  drop(segment: Segment): void {
    this.#carry.forget(segment.start);
  }
}
