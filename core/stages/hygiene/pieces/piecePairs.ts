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

/** What a piece holds. */
interface Held {
  /** Ids of its calls; true = one of them has no result. */
  readonly calls: Ids;
  /** Ids of results that their turn does not explain; true = a call before it in the piece has that id. */
  readonly waits: Ids;
  readonly holdsCalls: boolean;
  /** Results stand before its first call. */
  readonly leads: boolean;
}

interface Known extends Held {
  readonly segment: Segment;
  /** What it was read from. */
  messages: readonly Draft[];
  /** It has entered, and was not forgotten. It counts while its piece is there, too; else it may come back. */
  isIn: boolean;
}

/** Calls and results of all pieces, by id. */
export class PiecePairs {
  readonly #pairsOf: (messages: readonly Draft[]) => Pairs;
  readonly #known = new Map<Segment, Known>();
  readonly #calling: Holders = new Map();
  readonly #waiting: Holders = new Map();
  readonly #leading = new Set<Known>();
  /** Pieces with calls that are there, by their start; and of all that are known, which it is. */
  readonly #callers: Fenwick;
  readonly #byStart = new Map<number, Segment>();

  constructor(cells: number, pairsOf: (messages: readonly Draft[]) => Pairs) {
    this.#pairsOf = pairsOf;
    this.#callers = new Fenwick(cells);
  }

  /** Takes in what a piece holds; gives pieces that must be one, null if all is well. */
  enter(segment: Segment, messages: readonly Draft[]): Range | null {
    const known = this.#read(segment, messages);
    const from = this.#neededBy(known);
    if (from !== null) return { from, to: segment };
    return this.#neededByLater(known);
  }

  /** True if no piece needs another: all results are explained within their pieces. */
  get areWhole(): boolean {
    return this.#waiting.size === 0 && this.#leading.size === 0;
  }

  #read(segment: Segment, messages: readonly Draft[]): Known {
    const before = this.#known.get(segment);
    // A list of the same calls and results says the same of them.
    if (before !== undefined && (before.messages === messages || haveSamePairs(before.messages, messages))) {
      before.messages = messages;
      if (!before.isIn) this.#comeIn(before);
      return before;
    }
    this.drop(segment);
    const isPaired = messages.some(({ pairing }) => pairing.calls || pairing.results);
    const held = isPaired ? readPairs(this.#pairsOf(messages)) : NO_CALLS;
    const known = { segment, messages, isIn: false, ...held };
    this.#add(known);
    this.#comeIn(known);
    return known;
  }

  /** A piece is no more. What is known of it stays: it may enter again, until it is dropped. */
  forget(segment: Segment): void {
    const known = this.#known.get(segment);
    if (known?.isIn !== true) return;
    known.isIn = false;
    if (known.leads) this.#leading.delete(known);
    if (known.holdsCalls) this.#callers.add(segment.start, -1);
  }

  #comeIn(known: Known): void {
    known.isIn = true;
    if (known.leads) this.#leading.add(known);
    if (known.holdsCalls) this.#callers.add(known.segment.start, 1);
  }

  #add(known: Known): void {
    this.#known.set(known.segment, known);
    for (const [id] of known.calls) add(this.#calling, id, known);
    for (const [id] of known.waits) add(this.#waiting, id, known);
    if (known.holdsCalls) this.#byStart.set(known.segment.start, known.segment);
  }

  /** A piece does not come back as it was. */
  drop(segment: Segment): void {
    const known = this.#known.get(segment);
    if (known === undefined) return;
    this.forget(segment);
    this.#known.delete(segment);
    for (const [id] of known.calls) remove(this.#calling, id, known);
    for (const [id] of known.waits) remove(this.#waiting, id, known);
    if (known.holdsCalls) this.#byStart.delete(segment.start);
  }

  /** The earliest piece that must be one with this; null = none before it. */
  #neededBy({ segment, waits, leads }: Known): Segment | null {
    let from = leads ? this.#callerBefore(segment) : null;
    for (const [id, isKnown] of waits) {
      const earlier = holdersOf(this.#calling, id).filter((each) => each.segment.start < segment.start);
      // The earliest call without a result gets it; else it repeats the result of the latest call.
      const open = earlier.filter(({ calls }) => calls.some(([other, isOpen]) => isOpen && other === id));
      const needed = open.length > 0 ? earliest(open) : isKnown ? null : latest(earlier);
      if (needed !== null && (from === null || needed.start < from.start)) from = needed;
    }
    return from;
  }

  #neededByLater({ segment, calls, holdsCalls }: Known): Range | null {
    if (this.areWhole) return null;
    const later = new Set<Known>();
    for (const [id] of calls) for (const each of holdersOf(this.#waiting, id)) later.add(each);
    if (holdsCalls) for (const each of this.#leading) if (counts(each)) later.add(each);
    for (const known of later) {
      const from = known.segment.start > segment.start ? this.#neededBy(known) : null;
      if (from !== null) return { from, to: known.segment };
    }
    return null;
  }

  #callerBefore({ start }: Segment): Segment | null {
    for (let before = this.#callers.before(start); before > 0; before--) {
      const caller = this.#byStart.get(this.#callers.find(before - 1)) ?? null;
      if (caller?.isThere === true) return caller;
    }
    return null;
  }
}

const NONE: Ids = [];
const NO_CALLS = { calls: NONE, waits: NONE, holdsCalls: false, leads: false };

function readPairs({ calls, results }: Pairs): Held {
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
type Holders = Map<string, Known | Set<Known>>;

/** Those that are there. */
function holdersOf(holders: Holders, id: string): readonly Known[] {
  const known = holders.get(id);
  if (known === undefined) return NOBODY;
  if (known instanceof Set) return [...known].filter(counts);
  return counts(known) ? [known] : NOBODY;
}

const NOBODY: readonly Known[] = [];

function counts({ isIn, segment }: Known): boolean {
  return isIn && segment.isThere;
}

function add(holders: Holders, id: string, holder: Known): void {
  const known = holders.get(id);
  if (known === undefined) holders.set(id, holder);
  else if (known instanceof Set) known.add(holder);
  else if (known !== holder) holders.set(id, new Set([known, holder]));
}

function remove(holders: Holders, id: string, holder: Known): void {
  const known = holders.get(id);
  if (known === holder) holders.delete(id);
  else if (known instanceof Set && known.delete(holder) && known.size === 0) holders.delete(id);
}

function earliest(holders: readonly Known[]): Segment | null {
  return holders.reduce<Segment | null>(
    (best, { segment }) => (best === null || segment.start < best.start ? segment : best),
    null,
  );
}

function latest(holders: readonly Known[]): Segment | null {
  return holders.reduce<Segment | null>(
    (best, { segment }) => (best === null || segment.start > best.start ? segment : best),
    null,
  );
}
