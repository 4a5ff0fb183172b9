// Which result answers which call, in a history that may be broken: late results, repeated ids, missing ids. The same
// reading serves the ids rule, the pairing rule and the lint.
import type { Part } from '../../model/message.ts';
import { answers, callsOf, resultsOf } from '../../model/readMessage.ts';
import type { Draft } from './draft.ts';

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

/** Finds the pairs. Linear in the number of parts, save for very wide turns. */
export function findPairs(messages: readonly Draft[]): Pairs {
  const calls: CallRef[] = [];
  const results: ResultRef[] = [];
  let span: { readonly calls: CallRef[]; readonly results: ResultRef[] } = { calls: [], results: [] };
  for (const [message, draft] of messages.entries()) {
    const { facts } = draft;
    const own = facts.role === 'assistant' ? callsOf(facts) : [];
    if (own.length > 0) {
      matchInSpan(span.calls, span.results);
      const errored = draft.traits.stop !== null;
      span = { calls: own.map(({ at, part }) => ({ message, at, part, errored, result: null })), results: [] };
      calls.push(...span.calls);
    }
    for (const { at, part } of resultsOf(facts)) {
      const result: ResultRef = { message, at, part, call: null, late: false, duplicateOf: null };
      results.push(result);
      span.results.push(result);
    }
  }
  matchInSpan(span.calls, span.results);
  matchLate(calls, results);
  return { calls, results };
}

// Ids first; only then results that name no call, by the tool's name, or because one call is all there is.
function matchInSpan(calls: readonly CallRef[], results: readonly ResultRef[]): void {
  if (calls.length === 0 || results.length === 0) return;
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
    const call = named ?? only;
    if (call !== undefined) join(call, result);
  }
}

function matchLate(calls: readonly CallRef[], results: readonly ResultRef[]): void {
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
      continue;
    }
    join(call, result);
    result.late = true;
  }
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
