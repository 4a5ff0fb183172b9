import type { MessageFacts, Part } from '../../model/message.ts';
import type { ViewItem } from '../../view/types.ts';

/**
 * True if the items of a cell differ in words alone: where turns begin, and calls and results with their places and ids,
 * are the same. Reducers go by no more.
 */
export function haveSameStructure(
  before: readonly ViewItem[],
  now: readonly ViewItem[],
  factsOf: (item: ViewItem) => MessageFacts,
): boolean {
  const slots = Math.max(before.length, now.length);
  for (let slot = 0; slot < slots; slot++) {
    const [a, b] = [before[slot], now[slot]];
    if (a !== b && !isSameMessage(a === undefined ? null : factsOf(a), b === undefined ? null : factsOf(b)))
      return false;
  }
  return true;
}

function isSameMessage(a: MessageFacts | null, b: MessageFacts | null): boolean {
  if (a === b) return true;
  if ((a?.beginsTurn ?? false) !== (b?.beginsTurn ?? false)) return false;
  const parts = Math.max(a?.parts.length ?? 0, b?.parts.length ?? 0);
  for (let at = 0; at < parts; at++) if (!isSamePart(a?.parts[at], b?.parts[at])) return false;
  return true;
}

function isSamePart(a: Part | undefined, b: Part | undefined): boolean {
  if (a === b) return true;
  const [own, other] = [isOfPair(a) ? a : null, isOfPair(b) ? b : null];
  if (own === null || other === null) return own === other;
  if (own.kind !== other.kind || (own.callId ?? null) !== (other.callId ?? null)) return false;
  return (own.name ?? null) === (other.name ?? null);
}

function isOfPair(part: Part | undefined): part is Part {
  return part?.kind === 'tool_call' || part?.kind === 'tool_result';
}
