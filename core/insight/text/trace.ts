// The trace of a text over a session. A host searches the transcript (`search`), walks along the call points (`take` at
// each), and asks for the answer (`finish`); how it pauses, and who answers what stages ask, is its own affair.
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import { type TextSwitches, textPattern } from '../../util/textPattern.ts';
import { anchorsOf } from '../anchors/anchors.ts';
import { type AnchorFinder, anchorFinder, distinctAnchors } from '../anchors/finder.ts';
import { isCommon } from '../anchors/table.ts';
import { sampleEvenly, turnAt } from '../places.ts';
import { TRACE_ALL } from '../trace.ts';
import { ANCHORS_LEAST, type FollowedText, TextFollower } from './follow.ts';
import { PlaceLabels } from './labels.ts';
import { type Loss, lossOf, sourceLoss } from './loss.ts';
import {
  eventPlaces,
  type FrontHits,
  type RawPlaces,
  type RecordedFront,
  rawPlaces,
  searchFront,
  type TracedEvent,
} from './places.ts';
import { readItem } from './readItem.ts';
import { type RawHits, type TextQuery, TranscriptSearch } from './search.ts';
import { traceSentence } from './sentence.ts';
import {
  type AnchorState,
  isSaid,
  type TextChange,
  type TextLoss,
  type TextState,
  type TextTrace,
  type ViewPlace,
} from './types.ts';
import { presentParts, viewPlaces } from './viewPlaces.ts';

const PLACES_OF_CHANGE = 100;
/** Of a longer text the first count. */
const ANCHORS_MOST = 100;

/** What a trace goes over. `now` = the call point shown, which need not be one of a recorded request. */
export interface TextTraceInput {
  readonly source: TranscriptSource;
  readonly front: RecordedFront;
  /** Read only if nothing else says the text. */
  readonly events: () => Iterable<TracedEvent>;
  readonly callPoints: readonly number[];
  readonly turnStarts: readonly number[];
  readonly now: number;
}

/** The call points to walk along: all, but samples if there are many and each costs a projection. Ascending. */
export function pointsToFollow(
  { callPoints, now }: Pick<TextTraceInput, 'callPoints' | 'now'>,
  isNaive: boolean,
  samples: number,
): readonly number[] {
  const chosen = isNaive && callPoints.length > TRACE_ALL ? sampleEvenly(callPoints, samples) : callPoints;
  return chosen.includes(now) ? chosen : [...chosen, now].sort((a, b) => a - b);
}

interface SeenNow {
  readonly state: TextState;
  readonly places: readonly ViewPlace[];
  readonly total: number;
  readonly since: number | null;
  readonly loss: Loss | null;
  readonly originalGoneSince: number | null;
  readonly anchors: readonly AnchorState[];
  isPresent(index: number, part: number): boolean;
}

/** A text that was looked for in the whole transcript: what is followed, and by whom. */
interface Searched {
  readonly text: FollowedText;
  readonly follower: TextFollower;
}

/** The part of a trace that does not depend on the call point shown. */
export type StatesTrace = Pick<TextTrace, 'points' | 'changes' | 'counts' | 'first' | 'firstLoss'>;

/** One trace. Made for one text; see the file's beginning. */
export class TextTracer {
  readonly #input: TextTraceInput;
  readonly #query: TextQuery;
  readonly #labels: PlaceLabels;
  readonly #front: FrontHits;
  readonly #points: { readonly at: number; readonly turn: number; readonly state: TextState }[] = [];
  readonly #changes: TextChange[] = [];
  readonly #isCallPoint: ReadonlySet<number>;
  #searched: Searched | null = null;
  #state: TextState = 'not_yet';
  #lastLoss: Loss | null = null;
  #originalGoneSince: number | null = null;
  #now: SeenNow | null = null;
  #settled: TextLoss | null = null;
  #inEvents: RawPlaces | null = null;

  private constructor(input: TextTraceInput, query: TextQuery) {
    this.#input = input;
    this.#query = query;
    this.#labels = new PlaceLabels(input.source);
    this.#front = searchFront(input.front, query);
    this.#isCallPoint = new Set(input.callPoints);
  }

  /** null: there is nothing to look for. */
  static of(input: TextTraceInput, text: string, switches: TextSwitches): TextTracer | null {
    const pattern = textPattern(text, switches);
    return pattern === null ? null : new TextTracer(input, { pattern, finder: finderOf(pattern.text) });
  }

  /** The search of this text through the transcript, which other tracers of the same text may use too. */
  newSearch(): TranscriptSearch {
    return new TranscriptSearch(this.#input.source, this.#query);
  }

  /** Looks through the transcript, or through what `search` has left. Pauses often. */
  *search(search = this.newSearch()): Generator<void, void, void> {
    const { events, now } = this.#input;
    const raw = yield* search.finish();
    const inFront = this.#front.places.length > 0;
    const anchors = provingAnchors(raw);
    const text = { query: this.#query, raw, inFront, anchors, anchorsInFront: this.#front.anchors };
    this.#searched = { text, follower: new TextFollower(text) };
    // Instead of nowhere.
    if (raw.first === null && !inFront) this.#inEvents = yield* eventPlaces(events(), this.#query, now);
  }

  /** Searches what is new at a call point, before it is taken. Pauses between items. */
  look(point: ReachedPoint): Iterable<void> {
    return this.#known().follower.look(point);
  }

  /** At each call point of the walk, in order. */
  take(point: ReachedPoint): void {
    const { text, follower } = this.#known();
    const state = follower.take(point);
    const turn = this.#turn(point.at);
    if (state !== this.#state) {
      const loss = this.#lossAt(point, state);
      this.#lastLoss = loss ?? this.#lastLoss;
      const { places, total } = viewPlaces(point.view, follower, this.#front, this.#labels, PLACES_OF_CHANGE);
      this.#changes.push({ at: point.at, turn, state, places, total, loss: this.#withTurn(loss) });
      this.#state = state;
    }
    if (state === 'original') this.#originalGoneSince = null;
    else if (text.raw.first !== null && point.at > text.raw.first.message) this.#originalGoneSince ??= point.at;
    if (this.#isCallPoint.has(point.at)) this.#points.push({ at: point.at, turn, state });
    if (point.at === this.#input.now) this.#now = this.#seeNow(point, state);
  }

  /**
   * Where only samples were taken: the call points among which the text was first lost, the last sample that says it first.
   * Walk along them with the tracer of `finer`, and give it to `settle`. Empty = the first loss is known.
   */
  undecided(): readonly number[] {
    const { callPoints } = this.#input;
    const loss = this.#firstLoss();
    if (loss === null || this.#points.length === callPoints.length) return [];
    const before = this.#points.findLast(({ at }) => at < loss.at)?.at ?? -1;
    const between = callPoints.filter((at) => at >= before && at <= loss.at);
    return between.length > 2 ? between : [];
  }

  /** A tracer of the same text, which was searched already. */
  finer(): TextTracer {
    const finer = new TextTracer(this.#input, this.#query);
    const { text } = this.#known();
    finer.#searched = { text, follower: new TextFollower(text) };
    return finer;
  }

  /** Takes the first loss over from a tracer that went along every call point around it. */
  settle(finer: TextTracer): void {
    this.#settled = finer.#firstLoss();
  }

  #firstLoss(): TextLoss | null {
    return this.#changes.find(({ state, loss }) => loss !== null && !isSaid(state))?.loss ?? null;
  }

  /** What became of the text at each call point, behind the last one. Cheap: no place is looked for. */
  states(): StatesTrace {
    const { first } = this.#known().text.raw;
    return {
      points: this.#points,
      changes: this.#changes,
      counts: countStates(this.#points),
      first: first && { index: first.message, part: first.part },
      firstLoss: this.#settled ?? this.#firstLoss(),
    };
  }

  /** The answer, behind the last call point. */
  finish(): TextTrace {
    const { text } = this.#known();
    const [seen, { source, callPoints, now: at }] = [this.#now, this.#input];
    if (seen === null) throw new Error('a text was not followed to the call point shown');
    const { first } = text.raw;
    const { places, total } = this.#rawPlaces(text, seen);
    const loss = this.#withTurn(seen.loss);
    const anchors = isSaid(seen.state) || seen.anchors.length === 0 ? null : seen.anchors;
    const { state, since } = seen;
    const { points: followed, ...states } = this.states();
    const answer = {
      ...states,
      places,
      totalPlaces: total,
      now: {
        ...{ at, turn: this.#turn(at), state, places: seen.places, total: seen.total, since },
        ...{ loss, replacedBy: loss?.replacedBy ?? null, anchors },
      },
    };
    const isHere = first !== null && seen.isPresent(first.message, first.part);
    const firstLabel = first && this.#labels.message(first.message);
    const about = {
      ...answer,
      length: source.length,
      firstLabel,
      originalGoneSince: isHere ? null : seen.originalGoneSince,
    };
    const sampled = followed.length < callPoints.length;
    return { text: this.#query.pattern.text, sentence: traceSentence(about), points: followed, sampled, ...answer };
  }

  #known(): Searched {
    if (this.#searched === null) throw new Error('a text is followed before it was searched');
    return this.#searched;
  }

  // Of the place where it was first said, if that went; else of the last other one.
  #lossAt(point: ReachedPoint, state: TextState): Loss | null {
    const { text, follower } = this.#known();
    const { first } = text.raw;
    if (RANK[state] >= RANK[this.#state] && this.#state !== 'not_yet') return null;
    const read = readItem(this.#input.source);
    if (this.#state === 'elsewhere') {
      const item = follower.lost.at(-1);
      return item === undefined ? null : lossOf(point, item, this.#labels, read);
    }
    if (first === null || state === 'original' || point.at <= first.message) return null;
    return sourceLoss(point, first.message, this.#labels.part(first.message, first.part), read);
  }

  #seeNow(point: ReachedPoint, state: TextState): SeenNow {
    const { text, follower } = this.#known();
    const { view } = point;
    const { first } = text.raw;
    const { source } = this.#input;
    const present = presentParts(view, follower);
    const finder = text.query.finder?.anchors ?? [];
    const original = (): Loss | null =>
      first === null || point.at <= first.message
        ? null
        : sourceLoss(point, first.message, this.#labels.part(first.message, first.part), readItem(source));
    return {
      state,
      ...viewPlaces(view, follower, this.#front, this.#labels, PLACES_OF_CHANGE),
      since: this.#changes.at(-1)?.at ?? null,
      loss: state === 'original' || state === 'not_yet' ? null : state === 'elsewhere' ? original() : this.#lastLoss,
      originalGoneSince: this.#originalGoneSince,
      anchors: [...text.anchors].map((at) => ({ text: finder[at]?.text ?? '', present: follower.names(at) })),
      isPresent: (index, part) => present.has(`${index}.${part}`),
    };
  }

  #rawPlaces(text: FollowedText, { isPresent }: SeenNow): RawPlaces {
    const { source, now: at } = this.#input;
    return this.#inEvents ?? rawPlaces(source, text, this.#front, this.#labels, { at, isPresent });
  }

  #turn(at: number): number {
    return turnAt(this.#input.turnStarts, at) ?? 0;
  }

  #withTurn(loss: Loss | null): TextLoss | null {
    return loss && { ...loss, turn: this.#turn(loss.at) };
  }
}

/** The answer to a text of nothing but white space. */
export function emptyTextTrace({ callPoints, turnStarts, now: at }: TextTraceInput): TextTrace {
  const turn = (point: number): number => turnAt(turnStarts, point) ?? 0;
  const points = callPoints.map((point) => ({ at: point, turn: turn(point), state: 'not_yet' as const }));
  const place = { places: [], total: 0, since: null, loss: null, replacedBy: null, anchors: null };
  return {
    text: '',
    sentence: 'There is nothing to look for.',
    ...{ points, sampled: false, changes: [], first: null, places: [], totalPlaces: 0, firstLoss: null },
    now: { at, turn: turn(at), state: 'not_yet', ...place },
    counts: countStates(points),
    problem: 'empty',
  };
}

function finderOf(text: string): AnchorFinder | null {
  const anchors = distinctAnchors(anchorsOf(text)).slice(0, ANCHORS_MOST);
  return anchors.length < ANCHORS_LEAST ? null : anchorFinder(anchors);
}

// Those that nearly every part names prove nothing.
function provingAnchors({ named, parts }: RawHits): ReadonlySet<number> {
  return new Set([...named.keys()].filter((anchor) => !isCommon(named[anchor] ?? 0, parts)));
}

const RANK: Readonly<Record<TextState, number>> = { original: 3, elsewhere: 2, partly: 1, gone: 0, not_yet: 0 };

function countStates(points: readonly { readonly state: TextState }[]): Readonly<Record<TextState, number>> {
  const counts = { not_yet: 0, original: 0, elsewhere: 0, partly: 0, gone: 0 };
  for (const { state } of points) counts[state]++;
  return counts;
}
