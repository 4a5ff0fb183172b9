// Which points of a tuning run are worth a look: those that no other beats in all that counts at once.

/** What a point comes to, as far as it is compared; less is better. `price` = money, or tokens where no price is known. */
export interface Comparable {
  readonly price: number;
  readonly usesGone: number;
  readonly watchpointsGone: number;
}

/** For each point whether it is on the frontier: none is at least as good in all three, and better in one. Equal ones all are. */
export function frontierOf(points: readonly Comparable[]): readonly boolean[] {
  return points.map((point) => !points.some((other) => beats(other, point)));
}

function beats(a: Comparable, b: Comparable): boolean {
  const isAsGood = a.price <= b.price && a.usesGone <= b.usesGone && a.watchpointsGone <= b.watchpointsGone;
  return isAsGood && (a.price < b.price || a.usesGone < b.usesGone || a.watchpointsGone < b.watchpointsGone);
}
