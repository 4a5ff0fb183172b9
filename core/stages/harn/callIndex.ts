import type { Part } from '../../model/message.ts';
import { callsOf } from '../../model/readMessage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';

/** A call by source index and position in MessageFacts.parts. */
export interface CallPlace {
  readonly index: number;
  readonly part: Part;
}

/** Finds the call of any result of a transcript: the nearest one before it that it answers. Each message is read once. */
export class CallIndex {
  readonly #source: TranscriptSource;
  readonly #byId = new Map<string, CallPlace[]>();
  readonly #byName = new Map<string, CallPlace[]>();
  readonly #withoutId = new Map<string, CallPlace[]>();
  #read = 0;

  constructor(source: TranscriptSource) {
    this.#source = source;
  }

  /** Reads the calls of the messages [0, to) that were not read yet; a question then costs a binary search. */
  readTo(to: number): void {
    for (; this.#read < to; this.#read++) {
      const index = this.#read;
      const facts = this.#source.facts(index);
      if (facts.role !== 'assistant') continue;
      for (const { part } of callsOf(facts)) {
        const place = { index, part };
        if (typeof part.callId === 'string') add(this.#byId, part.callId, place);
        if (typeof part.name !== 'string') continue;
        add(this.#byName, part.name, place);
        if (typeof part.callId !== 'string') add(this.#withoutId, part.name, place);
      }
    }
  }

  /** The call that a result in message `index` answers; the messages before it must have been read. */
  callBefore(index: number, result: Part): CallPlace | null {
    const name = result.name ?? '';
    if (typeof result.callId !== 'string') return lastBefore(this.#byName.get(name), index);
    const own = lastBefore(this.#byId.get(result.callId), index);
    const unnumbered = lastBefore(this.#withoutId.get(name), index);
    return own === null || (unnumbered !== null && unnumbered.index > own.index) ? unnumbered : own;
  }
}

function add(map: Map<string, CallPlace[]>, key: string, place: CallPlace): void {
  const places = map.get(key);
  if (places === undefined) map.set(key, [place]);
  else places.push(place);
}

// The nearest message before `index`; of several calls in it the first.
function lastBefore(places: readonly CallPlace[] | undefined, index: number): CallPlace | null {
  if (places === undefined) return null;
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.index ?? index) < index) low = middle + 1;
    else high = middle;
  }
  let found = low - 1;
  while (found > 0 && places[found - 1]?.index === places[found]?.index) found--;
  return places[found] ?? null;
}
