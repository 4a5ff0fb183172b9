// Atomic units: a call with all its results, and whatever stands between them. They are found from the newest end, as
// far as a window goes, so that a long history costs no more than what is shown of it.
import type { Part } from '../../model/message.ts';
import { answers, callsOf, resultsOf } from '../../model/readMessage.ts';
import { HOLDS_RESULT, outlineOf } from '../../view/outline.ts';
import type { ViewReader } from '../../view/reader.ts';
import type { StageContext } from '../../view/types.ts';

/**
 * Where the unit begins whose last message is at `end`: that of the earliest call that it, or a message it holds,
 * answers. By id, wherever the call stands; by name, where an id is missing, in the last assistant message before it.
 */
export type UnitStart = (end: number) => number;

/** Finds units in a view. Positions are those of the view. */
export function unitsOf(reader: ViewReader, context: Pick<StageContext, 'source' | 'memo'>): UnitStart {
  const outline = outlineOf(reader, context);
  const calls = callPlaces(context);
  const callOf = (position: number, result: Part): number | null => {
    const index = reader.indexOf(position);
    if (typeof result.callId === 'string' && index !== null) {
      const before = (calls.get(result.callId) ?? []).findLast((place) => place < index);
      const found = before === undefined ? null : positionOf(reader, before, position);
      if (found !== null) return found;
    }
    return nearestCall(reader, position, result);
  };
  return (end) => {
    let start = end;
    for (let position = end; position >= start; position--) {
      if ((outline(position) & HOLDS_RESULT) === 0) continue;
      for (const { part } of resultsOf(reader.facts(position))) {
        start = Math.min(start, callOf(position, part) ?? start);
      }
    }
    return start;
  };
}

/** Source indices of the messages that make a call, by its id; read on when the transcript has grown. */
function callPlaces({ source, memo }: Pick<StageContext, 'source' | 'memo'>): ReadonlyMap<string, readonly number[]> {
  const known = memo.get('context.calls', () => ({ length: 0, places: new Map<string, number[]>() }));
  for (; known.length < source.length; known.length++) {
    for (const part of source.facts(known.length).parts) {
      if (part.kind !== 'tool_call' || typeof part.callId !== 'string') continue;
      const places = known.places.get(part.callId);
      if (places === undefined) known.places.set(part.callId, [known.length]);
      else places.push(known.length);
    }
  }
  return known.places;
}

// Source messages are in a view in their order, with others between them.
function positionOf(reader: ViewReader, index: number, before: number): number | null {
  let low = 0;
  let high = before;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sourceAt(reader, middle, before) < index) low = middle + 1;
    else high = middle;
  }
  while (low < before && reader.indexOf(low) === null) low++;
  return low < before && reader.indexOf(low) === index ? low : null;
}

/** The source index at a position, or the next one after it. */
function sourceAt(reader: ViewReader, position: number, end: number): number {
  for (let at = position; at < end; at++) {
    const index = reader.indexOf(at);
    if (index !== null) return index;
  }
  return Number.POSITIVE_INFINITY;
}

function nearestCall(reader: ViewReader, position: number, result: Part): number | null {
  for (let at = position - 1; at >= 0; at--) {
    const facts = reader.facts(at);
    if (facts.role !== 'assistant') continue;
    return callsOf(facts).some(({ part }) => answers(result, part)) ? at : null;
  }
  return null;
}
