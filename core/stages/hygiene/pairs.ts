// Which result answers which call, in a history that may be broken: late results, repeated ids, missing ids. The same
// reading serves the ids rule, the pairing rule and the lint.
import type { Part } from '../../model/message.ts';
import { valueAt } from '../../model/partText.ts';
import { answers, callsOf, resultsOf } from '../../model/readMessage.ts';
import type { Draft } from './draft.ts';
import { isSyntheticResult } from './shape.ts';

/** A call, and the result that is its own. */
export interface CallRef {
  readonly message: number;
  readonly at: number;
  readonly part: Part;
  /** Its turn ended in an error or was aborted. */
  readonly errored: boolean;
  result: ResultRef | null;
}

/** A result, and what it is to its call: `late` = found behind another turn that calls; orphans answer nothing. */
export interface ResultRef {
  readonly message: number;
  readonly at: number;
  readonly part: Part;
  call: CallRef | null;
  late: boolean;
  /** The call that has another result already, if this one is a repetition. */
  duplicateOf: CallRef | null;
}

/** All calls and results of a list of messages, in order. */
export interface Pairs {
  readonly calls: readonly CallRef[];
  readonly results: readonly ResultRef[];
}

/**
 * True if two lists have the same calls and results, with the same ids, at the same places: what was found out of the
 * pairs of one then holds of the other. Quick where most messages are the same.
 */
export function haveSamePairs(a: readonly Draft[], b: readonly Draft[]): boolean {
  return a.length === b.length && a.every((draft, at) => draft === b[at] || hasSameParts(draft, b[at]));
}

function hasSameParts(a: Draft, b: Draft | undefined): boolean {
  if (b === undefined || a.pairing !== b.pairing) return false;
  if (!a.pairing.calls && !a.pairing.results) return true;
  const [own, other] = [a.facts.parts, b.facts.parts];
  if (own.length !== other.length || (a.pairing.calls && a.traits.stop !== b.traits.stop)) return false;
  return own.every(({ kind, callId, name, path }, at) => {
    const part = other[at];
    if (part === undefined || part.kind !== kind || (part.callId ?? null) !== (callId ?? null)) return false;
    // What an id is made for depends on how the call is written: not compared here.
    if (kind === 'tool_call' && (callId ?? '') === '') return false;
    return (
      (part.name ?? null) === (name ?? null) &&
      path.length === part.path.length &&
      path.every((key, step) => key === part.path[step])
    );
  });
}

/** Finds the pairs. Linear in the number of parts, save for very wide turns. */
export function findPairs(messages: readonly Draft[]): Pairs {
  const calls: CallRef[] = [];
  const results: ResultRef[] = [];
  let span: { readonly calls: CallRef[]; readonly results: ResultRef[] } = { calls: [], results: [] };
  for (const [message, draft] of messages.entries()) {
    const holds = draft.pairing;
    if (!holds.calls && !holds.results) continue;
    const { facts } = draft;
    if (holds.calls) {
      const own = callsOf(facts);
      matchInSpan(span.calls, span.results);
      const errored = draft.traits.stop !== null;
      span = { calls: own.map(({ at, part }) => ({ message, at, part, errored, result: null })), results: [] };
      calls.push(...span.calls);
    }
    if (!holds.results) continue;
    for (const { at, part } of resultsOf(facts)) {
      const result: ResultRef = { message, at, part, call: null, late: false, duplicateOf: null };
      results.push(result);
      span.results.push(result);
    }
  }
  matchInSpan(span.calls, span.results);
  matchLate(messages, calls, results);
  return { calls, results };
}

// Ids first; only then results that name no call, by the tool's name, or because one call is all there is.
function matchInSpan(calls: readonly CallRef[], results: readonly ResultRef[]): void {
  if (calls.length === 0 || results.length === 0) return;
  const [call] = calls;
  const [result] = results;
  if (calls.length === 1 && results.length === 1 && call !== undefined && result !== undefined) {
    const [own, named] = [call.part.callId ?? null, result.part.callId ?? null];
    if (own !== null && own === named) {
      join(call, result);
      return;
    }
  }
  const byId = new Map<string, CallRef[]>();
  for (const call of calls) {
    const id = call.part.callId ?? null;
    if (id === null) continue;
    const same = byId.get(id);
    if (same === undefined) byId.set(id, [call]);
    else same.push(call);
  }
  for (const result of results) {
    const id = result.part.callId ?? null;
    const call = id === null ? undefined : byId.get(id)?.find((each) => each.result === null);
    if (call !== undefined) join(call, result);
  }
  for (const result of results) {
    if (result.call !== null) continue;
    const open = calls.filter((call) => call.result === null);
    const named = open.find((call) => answers(result.part, call.part));
    const only = (result.part.callId ?? null) === null && calls.length === 1 ? open[0] : undefined;
    const call = named ?? (only === undefined || isOfAnother(result.part, only.part) ? undefined : only);
    if (call !== undefined) join(call, result);
  }
}

// A result that names another tool than the only call there is.
function isOfAnother(result: Part, call: Part): boolean {
  const [own, called] = [(result.name ?? '').trim(), (call.name ?? '').trim()];
  return own !== '' && called !== '' && own !== called;
}

function matchLate(messages: readonly Draft[], calls: readonly CallRef[], results: readonly ResultRef[]): void {
  if (results.every(({ call }) => call !== null)) return;
  const open = new Map<string, CallRef[]>();
  const known = new Map<string, CallRef>();
  let next = 0;
  for (const result of results) {
    for (; (calls[next]?.message ?? Number.POSITIVE_INFINITY) < result.message; next++)
      remember(calls[next], open, known);
    const id = result.part.callId ?? null;
    if (result.call !== null || id === null) continue;
    const call = open.get(id)?.find((each) => each.result === null);
    if (call === undefined) {
      result.duplicateOf = known.get(id) ?? null;
      replaceMade(messages, result);
      continue;
    }
    join(call, result);
    result.late = true;
  }
}

// A result that was made up is a repetition of the real one, also where it came first.
function replaceMade(messages: readonly Draft[], result: ResultRef): void {
  const call = result.duplicateOf;
  const before = call?.result ?? null;
  if (call === null || before === null || !isMade(messages, before) || isMade(messages, result)) return;
  before.call = null;
  before.duplicateOf = call;
  result.duplicateOf = null;
  join(call, result);
}

function isMade(messages: readonly Draft[], { message, part }: ResultRef): boolean {
  const draft = messages[message];
  return draft !== undefined && isSyntheticResult(valueAt(draft.value, part.path));
}

function remember(call: CallRef | undefined, open: Map<string, CallRef[]>, known: Map<string, CallRef>): void {
  const id = call?.part.callId ?? null;
  if (call === undefined || id === null) return;
  known.set(id, call);
  if (call.result !== null) return;
  const same = open.get(id);
  if (same === undefined) open.set(id, [call]);
  else same.push(call);
}

function join(call: CallRef, result: ResultRef): void {
  call.result = result;
  result.call = call;
}
