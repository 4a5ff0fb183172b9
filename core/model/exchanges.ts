// Which result answers which call. A call is made in an assistant message and answered before the next one; the
// same reading serves policies, reducers, lint and the law that pairs stay intact.
import { hasFailedIn } from './failure.ts';
import type { MessageFacts, Part } from './message.ts';
import { answers, callsOf } from './readMessage.ts';
import type { TranscriptSource } from './transcript.ts';

/** A part by position: `message` is the position in the list that was read, `part` the one in MessageFacts.parts. */
export interface PartPlace {
  readonly message: number;
  readonly part: number;
}

/** One call and what came of it. `open` = no result before the next assistant message. */
export interface CallOutcome extends PartPlace {
  readonly name: string | null;
  /** All results that answer it, in order; more than one only where the transcript repeats a result. */
  readonly results: readonly PartPlace[];
  /** failed = every result is an error: by the message alone, or (recordedExchanges) by what is recorded beside it too. */
  readonly outcome: 'failed' | 'succeeded' | 'open';
}

/** An assistant message that calls tools. */
export interface Exchange {
  readonly message: number;
  /** In the spec's order: `tool_calls[]`, then content blocks. */
  readonly calls: readonly CallOutcome[];
}

/**
 * Reads the exchanges of a list of messages, in order. A result answers a call by id; by name only where an id is
 * missing, and then each result answers one call. Linear in the number of parts (save for very wide turns).
 */
export function findExchanges(
  length: number,
  factsAt: (position: number) => MessageFacts,
  isError: (result: Part, position: number) => boolean = ({ isError: says }) => says === true,
): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  for (let i = 0; i < length; i++) {
    const facts = factsAt(i);
    if (facts.role !== 'assistant' || !facts.parts.some((part) => part.kind === 'tool_call')) continue;
    exchanges.push({ message: i, calls: readCalls(i, facts, resultsUntilNextTurn(i + 1, length, factsAt), isError) });
  }
  return exchanges;
}

/** Those of a transcript's messages [from, to) as it is recorded. Messages are named by their source indices. */
export function recordedExchanges(source: TranscriptSource, from: number, to: number): readonly Exchange[] {
  const facts = (position: number) => source.facts(from + position);
  const isError = (result: Part, position: number) => hasFailedIn(source, from + position, result);
  return findExchanges(to - from, facts, isError).map(({ message, calls }) => ({
    message: message + from,
    calls: calls.map((call) => ({
      ...call,
      message: call.message + from,
      results: call.results.map((result) => ({ ...result, message: result.message + from })),
    })),
  }));
}

interface PlacedResult extends PartPlace {
  readonly value: Part;
}

function resultsUntilNextTurn(from: number, length: number, factsAt: (i: number) => MessageFacts): PlacedResult[] {
  const results: PlacedResult[] = [];
  for (let i = from; i < length; i++) {
    const facts = factsAt(i);
    if (facts.role === 'assistant') break;
    for (const [part, value] of facts.parts.entries()) {
      if (value.kind === 'tool_result') results.push({ message: i, part, value });
    }
  }
  return results;
}

// Ids first, for all calls: a result with the right id must not be taken by a neighbour of the same name.
function readCalls(
  message: number,
  facts: MessageFacts,
  results: readonly PlacedResult[],
  isError: (result: Part, position: number) => boolean,
): CallOutcome[] {
  const calls = callsOf(facts);
  const claimed = new Set<PlacedResult>();
  const byId = calls.map(({ part }) => results.filter((result) => sameId(result.value, part)));
  for (const found of byId) for (const result of found) claimed.add(result);
  return calls.map(({ at, part }, position) => {
    let found: readonly PlacedResult[] = byId[position] ?? [];
    if (found.length === 0) {
      const first = results.find((result) => !claimed.has(result) && answers(result.value, part));
      if (first !== undefined) claimed.add(first);
      found = first === undefined ? [] : [first];
    }
    return { message, part: at, name: part.name ?? null, results: found, outcome: outcomeOf(found, isError) };
  });
}

function sameId(result: Part, call: Part): boolean {
  return typeof call.callId === 'string' && result.callId === call.callId;
}

function outcomeOf(
  results: readonly PlacedResult[],
  isError: (result: Part, position: number) => boolean,
): CallOutcome['outcome'] {
  if (results.length === 0) return 'open';
  return results.every(({ value, message }) => isError(value, message)) ? 'failed' : 'succeeded';
}
