// What the strip says. One place, so that screen and tests agree.
import type { Provenance, Series, SeriesPoint } from '../../core/protocol/types.ts';
import { formatCount, formatTokens, plural } from '../ui/format.ts';
import type { CacheSum } from './cells.ts';

type Cache = NonNullable<SeriesPoint['cache']>;

const CHANGE_WORD: Readonly<Record<NonNullable<Cache['brokenBy']>['change'], string>> = {
  edited: 'edited',
  removed: 'taken out',
  restored: 'put back',
  inserted: 'put in',
  replaced: 'replaced',
};

/** `$1.24`, `$0.0031`, `0`: small sums keep two digits that say something. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars >= 100) return `$${formatCount(dollars)}`;
  if (dollars >= 0.01) return `$${dollars.toFixed(2)}`;
  return `$${dollars.toPrecision(2)}`;
}

/** `41,200 of 53,500 tok kept`. */
export function keptWords(cache: Cache, total: number, provenance: Provenance): string {
  return `${formatTokens(cache.prefixTokens, provenance)} of ${formatTokens(total, provenance)} tok kept`;
}

/** `broken by Reachability GC at #57 (redacted)`; without a break, why not. */
export function breakWords({ brokenBy }: Cache): string {
  if (brokenBy === null) return 'the request only grew';
  const { title, index, change, fate } = brokenBy;
  const place = index === null ? '' : ` at #${index}`;
  return `broken by ${title}${place} (${fate === null || fate === 'kept' ? CHANGE_WORD[change] : fate})`;
}

/** What the break costs, in words; null without one. */
export function costWords(cache: Cache, provenance: Provenance): string | null {
  if (cache.brokenBy === null) return null;
  const again = `${formatTokens(cache.againTokens, provenance)} tok are sent and read again`;
  if (cache.cost === null) return `${again}; no price is known for this model`;
  return `${again}: ${provenance === 'estimated' ? 'about ' : ''}${formatCost(cache.cost)} more`;
}

/** One line for the whole session. */
export function sumWords({ breaks, again, cost }: CacheSum, provenance: Provenance): string {
  if (breaks === 0) return 'no cache break';
  const about = provenance === 'estimated' ? '~' : '';
  const price = cost === null ? '' : `, ${about}${formatCost(cost)}`;
  return `${plural(breaks, 'cache break')}, ${formatTokens(again, provenance)} tok again${price}`;
}

/** Why nothing is known of a request: it is on its way, or its policy is looked at in samples. */
export function unknownWords({ complete, naive }: Pick<Series, 'complete' | 'naive'>): string {
  if (!complete || naive.length === 0) return 'not computed yet';
  return `not looked at: ${naive.join(', ')} must be run anew at each call, so that only samples are`;
}

/** The whole cell in one sentence, for screen readers. */
export function cellWords(point: SeriesPoint, total: number, provenance: Provenance): string {
  const { cache, at } = point;
  if (cache === undefined) return `call #${at}: not computed yet`;
  if (cache === null) return `call #${at}: the first request, nothing is cached`;
  const cost = costWords(cache, provenance);
  return `call #${at}: ${keptWords(cache, total, provenance)}; ${breakWords(cache)}${cost === null ? '' : `; ${cost}`}`;
}
