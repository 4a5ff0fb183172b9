// Results with the calls they answer, as LangChain pairs them: by id, with the nearest call before them that has it.
import { findExchanges, type PartPlace } from '../../../model/exchanges.ts';
import type { MessageFacts } from '../../../model/message.ts';
import { callsOf, resultsOf } from '../../../model/readMessage.ts';

/** A result with the call it answers. */
export interface ToolMessage {
  readonly place: PartPlace;
  readonly call: PartPlace;
  /** Its own name, else the call's. */
  readonly name: string | null;
}

/** Results in order: those with a call, and those that no call before them asked for. */
export interface ToolMessages {
  readonly paired: readonly ToolMessage[];
  readonly orphans: readonly PartPlace[];
}

interface Call {
  readonly place: PartPlace;
  readonly name: string | null;
}

type FactsAt = (position: number) => MessageFacts;

/** The results of a view that grows at its end. Without ids results pair by name, within a turn: so the last one is open. */
export class GrowingToolMessages {
  readonly #calls = new Map<string, Call>();
  /** Where the last turn begins: its message of the assistant, 0 before the first. */
  #start = 0;

  /** The view has one more message. If it begins a turn, gives the results of the turn before: they are settled. */
  push(position: number, factsAt: FactsAt): ToolMessages | null {
    const facts = factsAt(position);
    if (facts.role !== 'assistant') return null;
    const settled = this.open(position, factsAt);
    this.#start = position;
    for (const { at, part } of callsOf(facts)) {
      const place = { message: position, part: at };
      if (typeof part.callId === 'string') this.#calls.set(part.callId, { place, name: part.name ?? null });
    }
    return settled;
  }

  /** The results of the last turn, as far as the view goes. */
  open(length: number, factsAt: FactsAt): ToolMessages {
    const paired: ToolMessage[] = [];
    const orphans: PartPlace[] = [];
    const byName = this.#pairedByName(length, factsAt);
    for (let position = this.#start; position < length; position++) {
      for (const { at, part } of resultsOf(factsAt(position))) {
        const place = { message: position, part: at };
        const call = typeof part.callId === 'string' ? this.#calls.get(part.callId) : undefined;
        const found = call ?? byName.get(keyOf(place));
        if (found === undefined) orphans.push(place);
        else
          paired.push({ place, call: found.place, name: (part.name ?? '') === '' ? found.name : (part.name ?? null) });
      }
    }
    return { paired, orphans };
  }

  #pairedByName(length: number, factsAt: FactsAt): ReadonlyMap<string, Call> {
    const start = this.#start;
    const pairs = new Map<string, Call>();
    const [exchange] = findExchanges(length - start, (at) => factsAt(start + at));
    if (exchange?.message !== 0) return pairs;
    for (const { part, name, results } of exchange.calls) {
      const place = { message: start, part };
      for (const result of results) pairs.set(keyOf({ ...result, message: start + result.message }), { place, name });
    }
    return pairs;
  }
}

function keyOf({ message, part }: PartPlace): string {
  return `${message} ${part}`;
}
