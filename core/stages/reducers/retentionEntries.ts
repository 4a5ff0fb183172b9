// Results in a view, as retention follows them, and which of a message have gone.
import type { ViewItem } from '../../view/types.ts';
import type { RetentionRule } from './retentionRules.ts';

/** Where a result is in the view, and whose. */
export interface PlacedResult {
  readonly cell: number;
  readonly slot: number;
  readonly part: number;
  readonly name: string | null;
  /** Number of the turn it is in; 0 = before the first. */
  readonly turn: number;
}

/** A result that is in the view. */
export interface Entry extends PlacedResult {
  rule: RetentionRule;
  /** Position among the results of its tool; -1 = not counted yet. */
  order: number;
  expired: boolean;
  /** Whether it had expired when its cell was shown last. */
  wasExpired: boolean;
  early: boolean;
  /** -1 = to be counted; `left` once it has expired. */
  tokens: number;
  left: number;
}

/** A result that was just read: nothing is known of it yet. */
export function entryOf({ cell, slot, part, name, turn }: PlacedResult, rule: RetentionRule): Entry {
  const state = { order: -1, expired: false, wasExpired: false, early: false, tokens: -1, left: -1 };
  return { cell, slot, part, name, rule, turn, ...state };
}

/** The results of one item that have gone. */
interface GoneOfItem {
  readonly item: ViewItem;
  readonly slot: number;
  readonly gone: readonly Entry[];
}

/** Of the items of a cell that some results have gone from. Most messages hold one result, and are alone in their cell. */
export function goneOf(entries: readonly Entry[], items: readonly ViewItem[]): readonly GoneOfItem[] {
  const [item] = items;
  if (items.length === 1 && item !== undefined) {
    const gone = entries.every(isGone) ? entries : entries.filter(isGone);
    return gone.length === 0 ? NOTHING_GONE : [{ item, slot: 0, gone }];
  }
  return items.flatMap((each, slot): readonly GoneOfItem[] => {
    const gone = entries.filter((entry) => entry.slot === slot && isGone(entry));
    return gone.length === 0 ? NOTHING_GONE : [{ item: each, slot, gone }];
  });
}

const NOTHING_GONE: readonly GoneOfItem[] = [];

/** True if a result has expired, in time or early. */
export function isGone({ expired, early }: Entry): boolean {
  return expired || early;
}
