import type { StageMemo, ViewItem } from './types.ts';

interface Made<T> {
  readonly key: string | number;
  readonly made: T;
}

/** What is made of messages of a transcript: of raw ones by their number, of edited and made ones by the item. */
class MadeOf<T> {
  readonly raw: (Made<T> | undefined)[] = [];
  readonly others = new WeakMap<ViewItem, Made<T>>();
}

/**
 * What `make` gives of a message, made again only if it was another (`key`) last time: so the same edit of the same message
 * is one item in every projection, and its text is spliced and read again only once. `name` = whose it is: all that is
 * made depends on the item and the key.
 */
export function madeOnce<T>(name: string, item: ViewItem, key: string | number, memo: StageMemo, make: () => T): T {
  const { raw, others } = memo.get(name, () => new MadeOf<T>());
  const isRaw = item.kind === 'source' && item.text === undefined;
  const known = isRaw ? raw[item.index] : others.get(item);
  if (known?.key === key) return known.made;
  const made = make();
  if (isRaw) raw[item.index] = { key, made };
  else others.set(item, { key, made });
  return made;
}
