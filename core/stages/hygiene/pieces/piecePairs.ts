// Which pieces must be one for their calls and results to be read as in the whole view: a result that its own turn does
// not explain may belong to a call before, and one that stands before all calls of its piece to the turn before.
import { Fenwick } from '../../../util/fenwick.ts';
import type { Draft } from '../draft.ts';
import { haveSamePairs, type Pairs } from '../pairs.ts';
import type { Segment } from './segments.ts';

/** Pieces that must be one. */
export interface Range {
  readonly from: Segment;
  readonly to: Segment;
}

/** Ids, each with an answer: few of one piece. */
type Ids = readonly (readonly [id: string, is: boolean])[];

interface Known {
  /** What it was read from. */
  readonly messages: readonly Draft[];
  /** Ids of its calls; true = one of them has no result. */
  readonly calls: Ids;
  /** Ids of results that their turn does not explain; true = a call before it in the piece has that id. */
  readonly waits: Ids;
  readonly holdsCalls: boolean;
  /** Results stand before its first call. */
  readonly leads: boolean;
}

/** Calls and results of all pieces, by id. */
export class PiecePairs {
  readonly #pairsOf: (messages: readonly Draft[]) => Pairs;
  readonly #known = new Map<Segment, Known>();
  readonly #calling: Holders = new Map();
  readonly #waiting: Holders = new Map();
  readonly #leading = new Set<Segment>();
  /** Pieces with calls, by their start. */
  readonly #callers: Fenwick;
  readonly #byStart = new Map<number, Segment>();

  constructor(cells: number, pairsOf: (messages: readonly Draft[]) => Pairs) {
    this.#pairsOf = pairsOf;
    this.#callers = new Fenwick(cells);
  }

  /** Takes in what a piece holds; gives pieces that must be one, null if all is well. */
  enter(segment: Segment, messages: readonly Draft[]): Range | null {
    const known = this.#read(segment, messages);
    const from = this.#neededBy(segment, known);
    if (from !== null) return { from, to: segment };
    return this.#neededByLater(segment, known);
  }

  #read(segment: Segment, messages: readonly Draft[]): Known {
    const before = this.#known.get(segment);
    if (before?.messages === messages) return before;
    // A list of the same calls and results says the same of them.
    if (before !== undefined && haveSamePairs(before.messages, messages)) {
      const same = { ...before, messages };
      this.#known.set(segment, same);
      return same;
    }
    this.forget(segment);
    const known = this.#readNew(messages);
    this.#add(segment, known);
    return known;
  }

  #readNew(messages: readonly Draft[]): Known {
    if (!messages.some(({ pairing }) => pairing.calls || pairing.results)) return { messages, ...NO_CALLS };
    return { messages, ...readPairs(this.#pairsOf(messages)) };
  }

  forget(segment: Segment): void {
    const known = this.#known.get(segment);
    if (known === undefined) return;
    this.#known.delete(segment);
    for (const [id] of known.calls) remove(this.#calling, id, segment);
    for (const [id] of known.waits) remove(this.#waiting, id, segment);
    this.#leading.delete(segment);
    if (!known.holdsCalls) return;
    this.#callers.add(segment.start, -1);
    this.#byStart.delete(segment.start);
  }

  #add(segment: Segment, known: Known): void {
    this.#known.set(segment, known);
    for (const [id] of known.calls) add(this.#calling, id, segment);
    for (const [id] of known.waits) add(this.#waiting, id, segment);
    if (known.leads) this.#leading.add(segment);
    if (!known.holdsCalls) return;
    this.#callers.add(segment.start, 1);
    this.#byStart.set(segment.start, segment);
  }

  /** The earliest piece that must be one with this; null = none before it. */
  #neededBy(segment: Segment, { waits, leads }: Known): Segment | null {
    let from = leads ? this.#callerBefore(segment) : null;
    for (const [id, isKnown] of waits) {
      const earlier = holdersOf(this.#calling, id).filter(({ start }) => start < segment.start);
      // The earliest call without a result gets it; else it repeats the result of the latest call.
      const open = earlier.filter((each) =>
        this.#known.get(each)?.calls.some(([other, isOpen]) => isOpen && other === id),
      );
      const needed = open.length > 0 ? earliest(open) : isKnown ? null : latest(earlier);
      if (needed !== null && (from === null || needed.start < from.start)) from = needed;
    }
    return from;
  }

  #neededByLater(segment: Segment, { calls, holdsCalls }: Known): Range | null {
    const later = new Set<Segment>();
    for (const [id] of calls) for (const each of holdersOf(this.#waiting, id)) later.add(each);
    if (holdsCalls) for (const each of this.#leading) later.add(each);
    for (const to of later) {
      const known = to.start > segment.start ? this.#known.get(to) : undefined;
      const from = known === undefined ? null : this.#neededBy(to, known);
      if (from !== null) return { from, to };
    }
    return null;
  }

  #callerBefore({ start }: Segment): Segment | null {
    const before = this.#callers.before(start);
    return before === 0 ? null : (this.#byStart.get(this.#callers.find(before - 1)) ?? null);
  }
}

const NONE: Ids = [];
const NO_CALLS = { calls: NONE, waits: NONE, holdsCalls: false, leads: false };

function readPairs({ calls, results }: Pairs): Omit<Known, 'messages'> {
  const ids = new Map<string, boolean>();
  for (const { part, result } of calls) {
    const id = part.callId ?? null;
    if (id !== null) ids.set(id, ids.get(id) === true || result === null);
  }
  const waits = new Map<string, boolean>();
  for (const { part, call, late, duplicateOf } of results) {
    const id = part.callId ?? null;
    if (id === null || (call !== null && !late)) continue;
    waits.set(id, waits.get(id) !== false && (late || duplicateOf !== null));
  }
  const [first] = results;
  const [caller] = calls;
  const leads = first !== undefined && (caller === undefined || first.message < caller.message);
  const held = { calls: [...ids], waits: waits.size === 0 ? NONE : [...waits] };
  return { ...held, holdsCalls: caller !== undefined, leads };
}

/** Pieces by id. Mostly it is one. */
type Holders = Map<string, Segment | Set<Segment>>;

function holdersOf(holders: Holders, id: string): readonly Segment[] {
  const known = holders.get(id);
  if (known === undefined) return [];
  return known instanceof Set ? [...known] : [known];
}

function add(holders: Holders, id: string, segment: Segment): void {
  const known = holders.get(id);
  if (known === undefined) holders.set(id, segment);
  else if (known instanceof Set) known.add(segment);
  else if (known !== segment) holders.set(id, new Set([known, segment]));
}

function remove(holders: Holders, id: string, segment: Segment): void {
  const known = holders.get(id);
  if (known === segment) holders.delete(id);
  else if (known instanceof Set && known.delete(segment) && known.size === 0) holders.delete(id);
}

function earliest(segments: readonly Segment[]): Segment | null {
  return segments.reduce<Segment | null>(
    (best, each) => (best === null || each.start < best.start ? each : best),
    null,
  );
}

function latest(segments: readonly Segment[]): Segment | null {
  return segments.reduce<Segment | null>(
    (best, each) => (best === null || each.start > best.start ? each : best),
    null,
  );
}
