import type { Part } from '../../model/message.ts';
import { callsOf } from '../../model/readMessage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';

/** A call by source index and position in MessageFacts.parts. */
export interface CallPlace {
  readonly index: number;
  readonly part: Part;
}

/** Finds the call of any result of a transcript: the nearest one before it that it answers. */
export interface CallIndex {
  /** How many messages were read; a transcript that has grown needs a new index. */
  readonly length: number;
  callBefore(index: number, result: Part): CallPlace | null;
}

/** Reads all calls once; a question then costs a binary search. */
export function buildCallIndex(source: TranscriptSource): CallIndex {
  const byId = new Map<string, CallPlace[]>();
  const byName = new Map<string, CallPlace[]>();
  const withoutId = new Map<string, CallPlace[]>();
  for (let index = 0; index < source.length; index++) {
    const facts = source.facts(index);
    if (facts.role !== 'assistant') continue;
    for (const { part } of callsOf(facts)) {
      const place = { index, part };
      if (typeof part.callId === 'string') add(byId, part.callId, place);
      if (typeof part.name !== 'string') continue;
      add(byName, part.name, place);
      if (typeof part.callId !== 'string') add(withoutId, part.name, place);
    }
  }
  return {
    length: source.length,
    callBefore(index, result) {
      const name = result.name ?? '';
      if (typeof result.callId !== 'string') return lastBefore(byName.get(name), index);
      const own = lastBefore(byId.get(result.callId), index);
      const unnumbered = lastBefore(withoutId.get(name), index);
      return own === null || (unnumbered !== null && unnumbered.index > own.index) ? unnumbered : own;
    },
  };
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
