// Which part became which. What an edit removes, splits, joins or moves it says as a map of parts; maps compose through
// all stages into the origins of an item. Nothing finds a part again by its kind, its id or its words: two results of one
// call, a renamed id, a merged turn are known only to whoever made them.
import type { PartPlace } from '../model/exchanges.ts';
import type { MessageFacts } from '../model/message.ts';
import type { Origins, ViewItem } from './types.ts';

/** Of each part behind an edit the parts before it that it is made of (positions in the facts' parts); none = written here. */
export type PartMap = readonly (readonly number[])[];

const NONE: readonly PartPlace[] = [];

/** The map of an edit that takes parts out of a message of `count` parts; all others keep their order. */
export function mapWithout(count: number, gone: ReadonlySet<number>): PartMap {
  const map: (readonly number[])[] = [];
  for (let part = 0; part < count; part++) if (!gone.has(part)) map.push([part]);
  return map;
}

/** The raw parts that a part of an item is made of. */
export function originOf(item: ViewItem, part: number): readonly PartPlace[] {
  if (item.origins !== undefined) return item.origins[part] ?? NONE;
  return item.kind === 'source' ? [{ message: item.index, part }] : NONE;
}

/** The messages of the transcript that an item is made of: its own, and those whose parts were put into it. */
export function messagesIn(own: number | null, origins: Origins | null | undefined): readonly number[] {
  const others = (origins ?? []).flat().map(({ message }) => message);
  return [...new Set(own === null ? others : [own, ...others])];
}

/** The origins of all parts of an item that has `count` of them. */
export function originsOf(item: ViewItem, count: number): Origins {
  return item.origins ?? Array.from({ length: count }, (_, part) => originOf(item, part));
}

/** The origins behind an edit of a message that had these. */
export function composeOrigins(before: Origins, map: PartMap): Origins {
  return map.map((parts) => parts.flatMap((part) => before[part] ?? NONE));
}

/** The raw part of an item's own message that one of its parts is; null if it is none, or one of another message. */
export function ownPartOf(item: ViewItem, part: number): number | null {
  if (item.kind === 'synthetic') return null;
  if (item.origins === undefined) return part;
  return item.origins[part]?.find(({ message }) => message === item.index)?.part ?? null;
}

/**
 * The item with another text. `map` says which part became which, `facts` are those of the text before; without a map the
 * edit left parts as many as they were, and in their order.
 */
export function editItem<T extends ViewItem>(
  item: T,
  text: string,
  edit?: { readonly facts: Pick<MessageFacts, 'parts'>; readonly map: PartMap },
): T {
  if (edit === undefined) return { ...item, text };
  return { ...item, text, origins: composeOrigins(originsOf(item, edit.facts.parts.length), edit.map) };
}

/** The item without some of its parts, in the words of {@link editItem}. */
export function editWithout<T extends ViewItem>(
  item: T,
  text: string,
  facts: Pick<MessageFacts, 'parts'>,
  gone: ReadonlySet<number>,
): T {
  return gone.size === 0
    ? editItem(item, text)
    : editItem(item, text, { facts, map: mapWithout(facts.parts.length, gone) });
}

/** True if both say the same of every part. */
export function sameOrigins(a: Origins | undefined, b: Origins | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  return a.every((places, at) => samePlaces(places, b[at] ?? NONE));
}

function samePlaces(a: readonly PartPlace[], b: readonly PartPlace[]): boolean {
  return (
    a.length === b.length && a.every(({ message, part }, at) => message === b[at]?.message && part === b[at]?.part)
  );
}
