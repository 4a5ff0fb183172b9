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
  isError: (result: Part, position: number) => boolean = saysError,
): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  forEachExchange(length, factsAt, (exchange) => void exchanges.push(exchange), isError);
  return exchanges;
}

/** As {@link findExchanges}, one after the other: for readers that make something else of them. */
export function forEachExchange(
  length: number,
  factsAt: (position: number) => MessageFacts,
  take: (exchange: Exchange) => void,
  isError: (result: Part, position: number) => boolean = saysError,
): void {
  for (let i = 0; i < length; i++) {
    const facts = factsAt(i);
    if (facts.role !== 'assistant' || !facts.parts.some((part) => part.kind === 'tool_call')) continue;
    take({ message: i, calls: readCalls(i, facts, resultsUntilNextTurn(i + 1, length, factsAt), isError) });
  }
}

function saysError({ isError }: Part): boolean {
  return isError === true;
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
    const { role, parts } = factsAt(i);
    if (role === 'assistant') break;
    for (let part = 0; part < parts.length; part++) {
      const value = parts[part]!;
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
  const made: CallOutcome[] = [];
  let claimed: Set<PlacedResult> | null = null;
  const calls = callsOf(facts);
  for (const { at, part } of calls) {
    let found = withId(results, part);
    if (found.length === 0 && results.length > 0) {
      claimed ??= new Set(calls.flatMap(({ part }) => withId(results, part)));
      const taken = claimed;
      const first = results.find((result) => !taken.has(result) && answers(result.value, part));
      if (first !== undefined) {
        claimed.add(first);
        found = [first];
      }
    }
    made.push({ message, part: at, name: part.name ?? null, results: found, outcome: outcomeOf(found, isError) });
  }
  return made;
}

const NONE: PlacedResult[] = [];

// Mostly the only result answers the only call.
function withId(results: readonly PlacedResult[], call: Part): readonly PlacedResult[] {
  if (results.length === 0) return NONE;
  const [first] = results;
  if (results.length === 1) return sameId(first!.value, call) ? results : NONE;
  return results.filter((result) => sameId(result.value, call));
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
