import { once } from '../util/once.ts';
import type { View } from './types.ts';

/** The way between positions in a view and source indices, both ways. */
export interface SourceMap {
  /** Source index of the item at a position; null for a synthetic one or out of range. */
  indexOf(position: number): number | null;
  /** Position of a source message in the view; null if it is not there. */
  positionOf(index: number): number | null;
  /** Position of the synthetic message that covers a source message; null if none does. */
  coveredBy(index: number): number | null;
  /**
   * The position at which a source message stands, or before which its ghost belongs: that of the next source message
   * that is in the view, the view's length if none follows.
   */
  placeOf(index: number): number;
}

const NOWHERE = -1;

/** Builds the map of a view of messages [0, at). One pass; answers are O(1), coveredBy O(number of synthetic items). */
export function buildSourceMap(view: View, at: number): SourceMap {
  const positions = new Int32Array(at).fill(NOWHERE);
  const covers: { readonly position: number; readonly from: number; readonly to: number }[] = [];
  // By index: a slider makes one with each step, and iterators would be 10 MB of garbage at 100,000 messages.
  for (let position = 0; position < view.items.length; position++) {
    const item = view.items[position]!;
    if (item.kind === 'source') positions[item.index] = position;
    else covers.push({ position, ...item.covers });
  }
  const places = once(() => placesOf(positions, view.items.length));
  return {
    indexOf(position) {
      const item = view.items[position];
      return item?.kind === 'source' ? item.index : null;
    },
    positionOf(index) {
      const position = positions[index] ?? NOWHERE;
      return position === NOWHERE ? null : position;
    },
    coveredBy: (index) => covers.find(({ from, to }) => index >= from && index < to)?.position ?? null,
    placeOf: (index) => places()[index] ?? view.items.length,
  };
}

// Where each stands, or before which it belongs. Few ask for it.
function placesOf(positions: Int32Array, length: number): Int32Array {
  const places = new Int32Array(positions.length + 1).fill(length);
  for (let index = positions.length - 1; index >= 0; index--) {
    const own = positions[index] ?? NOWHERE;
    places[index] = own === NOWHERE ? (places[index + 1] ?? 0) : own;
  }
  return places;
}
