// A search for the best point of a grid that is too large to be gone through: along one axis at a time, from several starts,
// until no axis gives a better one. Deterministic: the same seed asks for the same places in the same order.
import { seededRng } from '../../util/rng.ts';

/** What the search asks for: places of the grid it does not know yet, in one go. Answered with an order's keys, in order. */
export type SearchSteps = Generator<readonly Place[], Place, readonly SortKey[]>;

/** One position in the values of each axis. */
export type Place = readonly number[];

/** Compared item by item; less is better. */
export type SortKey = readonly number[];

/** Where a search begins, and how large the grid is. `sizes` = number of values of each axis. */
export interface SearchInput {
  readonly sizes: readonly number[];
  /** The first start; the others are drawn. */
  readonly start: Place;
  readonly starts: number;
  readonly seed: number;
}

/** Asks for places, and gives the best it found. */
export function* searchGrid({ sizes, start, starts, seed }: SearchInput): SearchSteps {
  const rng = seededRng(seed);
  const known = new Map<string, { readonly place: Place; readonly key: SortKey }>();
  const ask = function* (places: readonly Place[]): Generator<readonly Place[], void, readonly SortKey[]> {
    const unknown = places.filter((place) => !known.has(String(place)));
    if (unknown.length === 0) return;
    const keys = yield unknown;
    for (const [at, place] of unknown.entries()) known.set(String(place), { place, key: keys[at] ?? [] });
  };
  const keyOf = (place: Place): SortKey => known.get(String(place))?.key ?? [];
  for (let round = 0; round < starts; round++) {
    let best = round === 0 ? start : sizes.map((size) => rng.below(size));
    yield* ask([best]);
    for (let unchanged = 0, axis = 0; unchanged < sizes.length; axis = (axis + 1) % sizes.length) {
      const line = lineThrough(best, axis, sizes[axis] ?? 1);
      yield* ask(line);
      const better = bestOf([best, ...line], keyOf);
      unchanged = compareKeys(keyOf(better), keyOf(best)) < 0 ? 1 : unchanged + 1;
      best = better;
    }
  }
  return bestOf(
    [...known.values()].map(({ place }) => place),
    keyOf,
  );
}

/** Less than 0 = `a` is better. */
export function compareKeys(a: SortKey, b: SortKey): number {
  for (const [at, own] of a.entries()) {
    const other = b[at] ?? 0;
    if (own !== other) return own - other;
  }
  return 0;
}

function lineThrough(place: Place, axis: number, size: number): readonly Place[] {
  return Array.from({ length: size }, (_, at) => place.with(axis, at));
}

function bestOf(places: readonly Place[], keyOf: (place: Place) => SortKey): Place {
  return places.reduce((best, place) => (compareKeys(keyOf(place), keyOf(best)) < 0 ? place : best));
}
