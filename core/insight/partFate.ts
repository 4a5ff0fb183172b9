import { standsInView } from '../view/fates.ts';
import type { Fate, FateKind } from '../view/types.ts';

/**
 * The fate of a part of a message with this fate. `isSame`: it is in the view with the same content (true), in other
 * words (false), or not at all (null); `named` = what the fate says of this part.
 */
export function partFateIn(
  fate: Pick<Fate, 'kind' | 'reason'>,
  named: Pick<Fate, 'kind' | 'reason'> | undefined,
  isSame: boolean | null,
): { readonly kind: FateKind; readonly reason: string } {
  // What a stage says of a part holds, unless a later one took it out, or put it back.
  if (named !== undefined && standsInView(named.kind) === (isSame !== null))
    return { kind: named.kind, reason: named.reason };
  if (isSame === null) {
    return { kind: standsInView(fate.kind) ? 'dropped' : fate.kind, reason: named?.reason ?? fate.reason };
  }
  if (isSame) return { kind: 'kept', reason: '' };
  // It is in the view with another text, whatever the fate's word for its message.
  return { kind: standsInView(fate.kind) && fate.kind !== 'kept' ? fate.kind : 'rewritten', reason: fate.reason };
}
