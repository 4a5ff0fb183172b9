// browser-safe
import type { RequestSums } from './requestSums.ts';

/** Of the requests that were made: the next one, the last of all, is left out. `cost` null = none of them has a price. */
export function costMade({ requests, cost, costOfNext, unpriced }: MadeSums): {
  readonly cost: number | null;
  readonly unpriced: number;
} {
  const own = unpriced - (costOfNext === null ? 1 : 0);
  const isPriced = cost !== null && (requests <= 1 || own < requests - 1);
  return { cost: isPriced ? cost - (costOfNext ?? 0) : null, unpriced: own };
}

type MadeSums = Pick<RequestSums, 'requests' | 'cost' | 'costOfNext' | 'unpriced'>;
