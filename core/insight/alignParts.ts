import type { MessageFacts, Part } from '../model/message.ts';
import type { Fate, FateKind } from '../view/types.ts';

/** What became of one part: its fate, and which part of the edited message it is (null = not there). */
export interface AlignedPart {
  readonly kind: FateKind;
  readonly reason: string;
  readonly projected: number | null;
}

/**
 * Aligns the parts of a raw message with those of its edited text. Parts that a fate calls dropped are left out; if
 * as many remain as the edited message has, they match in order, else by call id, place and kind, each once, in order.
 * `same(raw, projected)` tells whether two parts are equal in content: then the part is kept, whatever its message is.
 */
export function alignParts(
  raw: MessageFacts,
  projected: MessageFacts,
  fate: Fate,
  same: (rawPart: number, projectedPart: number) => boolean,
): readonly AlignedPart[] {
  const own = new Map(fate.parts?.map((part) => [part.part, part]));
  const gone = (part: number) => own.get(part)?.kind === 'dropped';
  const rest = raw.parts.map((_, part) => part).filter((part) => !gone(part));
  const inOrder = rest.length === projected.parts.length;
  const taken = inOrder ? new Map(rest.map((part, at) => [part, at])) : matchParts(raw, projected, rest);
  return raw.parts.map((_, part) => {
    const named = own.get(part);
    const at = taken.get(part) ?? null;
    if (named) return { kind: named.kind, reason: named.reason, projected: at };
    if (at === null) return { kind: 'dropped', reason: fate.reason, projected: null };
    const kept = same(part, at);
    return { kind: kept ? 'kept' : touched(fate.kind), reason: kept ? '' : fate.reason, projected: at };
  });
}

// The message stands in the view with another text, whatever the fate's word for it.
function touched(kind: FateKind): FateKind {
  return kind === 'kept' ? 'rewritten' : kind;
}

function matchParts(raw: MessageFacts, projected: MessageFacts, rest: readonly number[]): Map<number, number> {
  const matched = new Map<number, number>();
  let next = 0;
  for (const part of rest) {
    for (let at = next; at < projected.parts.length; at++) {
      if (!alike(raw.parts[part]!, projected.parts[at]!)) continue;
      matched.set(part, at);
      next = at + 1;
      break;
    }
  }
  return matched;
}

function alike(a: Part, b: Part): boolean {
  if (a.callId && b.callId) return a.callId === b.callId && a.kind === b.kind;
  return a.kind === b.kind && a.path[0] === b.path[0];
}
