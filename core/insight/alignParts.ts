import type { MessageFacts } from '../model/message.ts';
import { standsInView } from '../view/fates.ts';
import { originOf, originsOf } from '../view/origins.ts';
import type { Fate, FateKind, SourceItem } from '../view/types.ts';

/** What became of one part: its fate, and which part of the edited message it is (null = not there). */
export interface AlignedPart {
  readonly kind: FateKind;
  readonly reason: string;
  readonly projected: number | null;
}

/**
 * What became of the parts of a raw message in its own item, as the stages said (`origins`). `parts` = how many the edited
 * message has; `same(raw, projected)` tells whether two parts are equal in content: then the part is kept, whatever its
 * message is.
 */
export function alignParts(
  item: SourceItem,
  raw: Pick<MessageFacts, 'parts'>,
  parts: number,
  fate: Fate,
  same: (rawPart: number, projectedPart: number) => boolean,
): readonly AlignedPart[] {
  const named = new Map(fate.parts?.map((part) => [part.part, part]));
  const places = originsOf(item, parts).map((_, at) => originOf(item, at));
  return raw.parts.map((_, part) => {
    const at = places.findIndex((own) => own.some((place) => place.message === item.index && place.part === part));
    return { ...partFateIn(fate, named.get(part), at < 0 ? null : same(part, at)), projected: at < 0 ? null : at };
  });
}

/**
 * The fate of a part of a message with this fate. `isSame`: it stands in the view with the same content (true), in other
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
  // It stands in the view with another text, whatever the fate's word for its message.
  return { kind: standsInView(fate.kind) && fate.kind !== 'kept' ? fate.kind : 'rewritten', reason: fate.reason };
}
