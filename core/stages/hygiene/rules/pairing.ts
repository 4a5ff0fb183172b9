// Every call has exactly one result, directly after its turn; no result stands without its call. Real results are
// moved to where they belong, also late ones; only where there is none an error is put in, which says so.
import { setMember, valueTextAt } from '../../../util/json/index.ts';
import type { Draft } from '../draft.ts';
import { type CallRef, findPairs, type Pairs, type ResultRef } from '../pairs.ts';
import { syntheticResult, withId, withoutParts } from '../shape.ts';
import type { Change, RuleContext, RuleName, RuleResult } from '../types.ts';
import { defineRule } from './rule.ts';

/** Repairs pairs of calls and results. Source: hygiene facts, 3.5, with the defects named there repaired. */
export const pairing = defineRule({
  name: 'pairing',
  title: 'Calls and results',
  help: 'Gives every call exactly one result directly after its turn: moves real ones up, drops orphans and repetitions, and puts in an error where none was recorded.',
  fix: (messages, context) => repair('pairing', messages, context),
});

/** The same once more, where the history limit has cut between calls and results. */
export const pairingAgain = defineRule({
  name: 'pairing_again',
  title: 'Calls and results, after the cut',
  help: 'Repairs pairs that the history limit has torn.',
  fix: (messages, context) => repair('pairing_again', messages, context),
});

function repair(rule: 'pairing' | 'pairing_again', messages: readonly Draft[], context: RuleContext): RuleResult {
  const { same, around } = context;
  // Of pieces of a view the last one is another piece.
  const whole = around === undefined ? same?.whole : undefined;
  const last = whole?.[rule] ?? null;
  const isAlike = last !== null && same?.haveSamePairs(last, messages) === true;
  const pairs = isAlike ? null : (same?.pairsOf(messages) ?? findPairs(messages));
  if (pairs === null || isWhole(pairs, context)) {
    if (whole !== undefined) whole[rule] = messages;
    return { messages, changes: [] };
  }
  const plan = new Plan(rule, messages, pairs, context);
  return plan.isNeeded ? plan.carryOut() : { messages, changes: [] };
}

// Most histories are: then there is nothing to plan. Every call has a result, every result its call and names it, and
// between a turn and its last result stand only results of that turn.
function isWhole({ calls, results }: Pairs, { options }: RuleContext): boolean {
  const isDropped = (call: CallRef): boolean => call.errored && options.erroredResults === 'drop';
  for (const { call, part } of results) {
    if (call === null || isDropped(call)) return false;
    if ((part.callId ?? null) === null && (call.part.callId ?? null) !== null) return false;
  }
  for (let at = 0; at < calls.length; ) {
    const turn = calls[at]?.message ?? 0;
    let last = turn;
    let places = 0;
    for (; calls[at]?.message === turn; at++) {
      const result = calls[at]?.result?.message;
      if (result === undefined) return false;
      if (result <= last) continue;
      last = result;
      places++;
    }
    if (last - turn !== places) return false;
  }
  return true;
}

/** A message that goes before the results in place whose calls come later. `order` = position of the call in its turn. */
interface Extra {
  readonly order: number;
  readonly draft: Draft;
  readonly change: Change;
}

type Words = Pick<Change, 'objection' | 'done' | 'chip'>;

/** The chip of a result that nobody gave. */
export const SYNTHETIC_RESULT = 'synthetic result';
const STOPPED = 'failed or was aborted';

// A result that was made up gives way to one that somebody gave, also where it came first.
function describeRepeated(result: ResultRef, call: CallRef, id: string): Words {
  const { result: other } = call;
  const isMade =
    other !== null && (other.message > result.message || (other.message === result.message && other.at > result.at));
  return isMade
    ? {
        objection: `nobody gave this result, and the call "${id}" has a real one`,
        done: 'it was dropped; the real one stays',
        chip: 'duplicate',
      }
    : {
        objection: `the call "${id}" has another result already`,
        done: 'the repetition was dropped; the other stays',
        chip: 'duplicate',
      };
}

interface TurnPlan {
  readonly extras: Extra[];
}

class Plan {
  readonly changes: Change[] = [];
  readonly #rule: RuleName;
  readonly #messages: readonly Draft[];
  readonly #context: RuleContext;
  /** Parts that leave their message, and why. */
  readonly #gone = new Map<number, Map<number, Words>>();
  /** Results that need their call's id. */
  readonly #named = new Map<number, ResultRef[]>();
  readonly #turns = new Map<number, TurnPlan>();
  /** Messages moved as a whole. */
  readonly #moved = new Set<number>();
  /** Calls by turn. */
  readonly #calls: ReadonlyMap<number, readonly CallRef[]>;
  /** The position of each call in its turn. */
  readonly #order = new Map<CallRef, number>();
  /** The turn whose results a message holds in place. */
  readonly #inPlace = new Map<number, number>();

  constructor(rule: RuleName, messages: readonly Draft[], pairs: Pairs, context: RuleContext) {
    this.#rule = rule;
    this.#messages = messages;
    this.#context = context;
    for (const result of pairs.results) this.#judgeResult(result);
    this.#calls = Map.groupBy(pairs.calls, (call) => call.message);
    const byMessage = Map.groupBy(pairs.results, (result) => result.message);
    for (const [message, calls] of this.#calls) this.#planTurn(message, calls, byMessage);
  }

  get isNeeded(): boolean {
    return this.#gone.size > 0 || this.#named.size > 0 || this.#turns.size > 0;
  }

  #judgeResult(result: ResultRef): void {
    const { call } = result;
    if (call !== null && !this.#isOfErrored(call)) {
      if ((result.part.callId ?? null) === null && (call.part.callId ?? null) !== null) {
        this.#named.set(result.message, [...(this.#named.get(result.message) ?? []), result]);
      }
      return;
    }
    const id = result.part.callId ?? result.part.name ?? '';
    if (result.duplicateOf !== null && !this.#isOfErrored(result.duplicateOf)) {
      this.#remove(result, describeRepeated(result, result.duplicateOf, id));
    } else {
      const objection =
        (call ?? result.duplicateOf) === null
          ? `no call before it goes with the result "${id}"`
          : `its call is in a turn that ${STOPPED}`;
      this.#remove(result, { objection, done: 'the result was dropped', chip: 'orphan' });
    }
  }

  #isOfErrored(call: CallRef): boolean {
    return call.errored && this.#context.options.erroredResults === 'drop';
  }

  #remove(place: CallRef | ResultRef, why: Words): void {
    const parts = this.#gone.get(place.message) ?? new Map<number, Words>();
    parts.set(place.at, why);
    this.#gone.set(place.message, parts);
  }

  #planTurn(message: number, calls: readonly CallRef[], results: ReadonlyMap<number, readonly ResultRef[]>): void {
    for (const [order, call] of calls.entries()) this.#order.set(call, order);
    const inPlace = this.#findInPlace(message, results);
    for (const call of calls) {
      const { result } = call;
      if (result === null || this.#isOfErrored(call)) this.#planMissing(call);
      else if (!inPlace.has(result.message)) this.#planMove(call, result);
    }
  }

  // The messages right after the turn that hold its results. One that is about to leave does not stand between.
  #findInPlace(message: number, results: ReadonlyMap<number, readonly ResultRef[]>): ReadonlySet<number> {
    const found = new Set<number>();
    for (let next = message + 1; next < this.#messages.length; next++) {
      const own = results.get(next) ?? [];
      if (own.length > 0 && this.#leaves(next)) continue;
      if (!own.some(({ call }) => call?.message === message && !this.#isOfErrored(call))) break;
      found.add(next);
      this.#inPlace.set(next, message);
    }
    return found;
  }

  #leaves(message: number): boolean {
    return this.#gone.get(message)?.size === this.#messages[message]?.facts.parts.length;
  }

  #planMissing(call: CallRef): void {
    const draft = this.#messages[call.message];
    if (draft === undefined) return;
    const name = call.part.name ?? 'unknown';
    if (call.errored) {
      if (!this.#context.options.dropErroredCalls) return;
      const objection = `the call of ${name} is in a turn that ${STOPPED}, and has no result`;
      this.#remove(call, { objection, done: 'the call was removed from its turn', chip: 'unfinished call' });
      return;
    }
    const made = draft.make(syntheticResult(draft.value, call.part));
    const objection = `the call of ${name}${call.part.callId ? ` ("${call.part.callId}")` : ''} has no result`;
    const done = 'a synthetic error result was put in; nobody gave it';
    const because = draft.index === null ? {} : { because: draft.index };
    this.#add(call, made, { kind: 'inserted', before: made, objection, done, chip: SYNTHETIC_RESULT, ...because });
  }

  #planMove(call: CallRef, result: ResultRef): void {
    const draft = this.#messages[result.message];
    if (draft === undefined) return;
    const where = result.late ? 'comes after a later turn that calls' : 'does not follow its turn directly';
    const objection = `the result of ${call.part.name ?? 'a call'} ${where}`;
    const because = this.#messages[call.message]?.index ?? null;
    const words = { objection, chip: result.late ? 'late result' : 'moved up', ...(because !== null && { because }) };
    const to = because === null ? 'its call' : `its call at #${because}`;
    const parts = draft.facts.parts.length - (this.#gone.get(result.message)?.size ?? 0);
    if (parts === 1) {
      this.#moved.add(result.message);
      const moved = this.#edited(result.message, draft).asMoved();
      const others = this.#wordsOf(result.message, draft);
      const objections = unique([...others.map((word) => word.objection), objection]);
      const done = unique([...others.map((word) => word.done), `it was moved up to ${to}`]);
      this.#add(call, moved, { kind: 'moved', before: draft, ...words, objection: objections, done });
      return;
    }
    this.#remove(result, { objection, done: `the result was moved up to ${to}`, chip: words.chip });
    const made = draft.make(messageOf(draft, result), [draft.origins[result.at] ?? []]);
    this.#add(call, made, {
      kind: 'inserted',
      before: made,
      done: `a message of its own holds it, at ${to}`,
      ...words,
    });
  }

  #add(call: CallRef, draft: Draft, change: Omit<Change, 'rule' | 'after' | 'severity'>): void {
    const turn = this.#turns.get(call.message) ?? { extras: [] };
    const full: Change = { rule: this.#rule, after: draft, severity: 'error', ...change };
    turn.extras.push({ order: this.#order.get(call) ?? 0, draft, change: full });
    this.#turns.set(call.message, turn);
  }

  /** The messages as planned. */
  carryOut(): RuleResult {
    const messages: Draft[] = [];
    let pending: Extra[] = [];
    let turn = -1;
    for (const [at, draft] of this.#messages.entries()) {
      if (turn >= 0 && this.#inPlace.get(at) !== turn && !this.#moved.has(at) && !this.#leaves(at)) {
        pending = this.#emit(pending, messages, Number.POSITIVE_INFINITY);
        turn = -1;
      }
      if (this.#moved.has(at)) continue;
      if (this.#inPlace.get(at) === turn && turn >= 0)
        pending = this.#emit(pending, messages, this.#firstOrder(at, turn));
      const edited = this.#apply(at, draft);
      if (edited !== null) messages.push(edited);
      const planned = this.#turns.get(at);
      if (planned !== undefined) {
        pending = planned.extras.toSorted((a, b) => a.order - b.order);
        turn = at;
      }
    }
    this.#emit(pending, messages, Number.POSITIVE_INFINITY);
    return { messages, changes: this.changes };
  }

  #emit(extras: Extra[], messages: Draft[], before: number): Extra[] {
    for (const extra of extras) {
      if (extra.order >= before) continue;
      messages.push(extra.draft);
      this.changes.push(extra.change);
    }
    return extras.filter((extra) => extra.order >= before);
  }

  #firstOrder(at: number, turn: number): number {
    const first = this.#calls.get(turn)?.findIndex((call) => call.result?.message === at) ?? -1;
    return first < 0 ? Number.POSITIVE_INFINITY : first;
  }

  #apply(at: number, draft: Draft): Draft | null {
    const isLeaving = this.#leaves(at);
    const after = isLeaving ? null : this.#edited(at, draft);
    if (after === draft) return draft;
    const words = this.#wordsOf(at, draft);
    const objection = unique(words.map((word) => word.objection));
    const kind = after === null ? 'dropped' : 'rewritten';
    const done = unique(words.map((word) => word.done));
    const chip = words[0]?.chip ?? '';
    this.changes.push({ rule: this.#rule, kind, before: draft, after, objection, done, severity: 'error', chip });
    return after;
  }

  // What is said of the parts that leave a message, and of those that are given an id.
  #wordsOf(at: number, { role }: Draft): readonly Words[] {
    const words = [...(this.#gone.get(at)?.values() ?? [])];
    if (!this.#named.has(at)) return words;
    const done = `it was given the id of its call${role === 'toolResult' ? ', and marked as an error' : ''}`;
    return [...words, { objection: 'a result names no call', done, chip: 'tool id' }];
  }

  #edited(at: number, draft: Draft): Draft {
    const named = this.#named.get(at);
    const gone = this.#gone.get(at);
    // Asked of every message: most are left as they are.
    if (named === undefined && gone === undefined) return draft;
    const text = named === undefined ? draft.text : textWithIds(draft, named);
    if (gone === undefined) return draft.with(text);
    const parts = new Set(gone.keys());
    return draft.with(withoutParts(text, draft.facts, parts), draft.originsWithout(parts));
  }
}

// Its results with the ids of their calls.
function textWithIds(draft: Draft, results: readonly ResultRef[]): string {
  const { value, role } = draft;
  let { text } = draft;
  for (const { part, call } of results) {
    const id = call?.part.callId ?? null;
    if (id === null) continue;
    text = withId(text, value, part, id);
    if (role === 'toolResult') text = setMember(text, [], 'isError', 'true');
  }
  return text;
}

function unique(words: readonly string[]): string {
  return [...new Set(words)].join('; ');
}

// A block taken out of a message that holds more.
function messageOf(draft: Draft, { part, call }: ResultRef): string {
  const [list, at] = part.path;
  const block = valueTextAt(draft.text, [list ?? 'content', at ?? 0]) ?? '{}';
  const id = part.callId ?? call?.part.callId ?? null;
  const text = `{"role":${JSON.stringify(draft.role === 'assistant' ? 'user' : draft.role)},"${list}":[${block}]}`;
  const named = { ...part, path: [list ?? 'content', 0, ...part.path.slice(2)] };
  if (id === null || part.callId === id) return text;
  return withId(text, JSON.parse(text), named, id);
}
