import type { View, ViewItem } from '../view/types.ts';

/** What one stage changed: items that were there before and are not after, and the reverse. An edit is both. */
export interface ViewDelta {
  readonly removed: readonly ViewItem[];
  readonly added: readonly ViewItem[];
}

const NOTHING: ViewDelta = { removed: [], added: [] };

/** Compares two views by their items' identity: stages share what they leave alone. O(length), cheap. */
export function viewDelta(before: View, after: View): ViewDelta {
  if (before === after) return NOTHING;
  const [a, b] = [before.items, after.items];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let [endA, endB] = [a.length, b.length];
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  if (endA - from !== endB - from) return distinct(a.slice(from, endA), b.slice(from, endB));
  // As many as before: mostly edits in place.
  const removed: ViewItem[] = [];
  const added: ViewItem[] = [];
  for (let at = from; at < endA; at++) {
    const [old, now] = [a[at], b[at]];
    if (old === undefined || now === undefined || old === now) continue;
    removed.push(old);
    added.push(now);
  }
  return distinct(removed, added);
}

// What only moved is neither.
function distinct(removed: readonly ViewItem[], added: readonly ViewItem[]): ViewDelta {
  if (removed.length === 0 || added.length === 0) return { removed, added };
  const after = new Set(added);
  const before = new Set(removed);
  return { removed: removed.filter((item) => !after.has(item)), added: added.filter((item) => !before.has(item)) };
}
