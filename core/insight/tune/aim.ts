// What a tuning run is asked for: conditions that a point must meet, and what is to be as small as possible.
import type { RequestTokens } from '../requestSums.ts';
import type { SortKey } from './search.ts';

export const AIMS = ['money', 'tokens', 'uses'] as const;

/** Least money, least tokens, or fewest uses of something gone. */
export type Aim = (typeof AIMS)[number];

/** A point as far as it is judged. */
export interface TunedFigures {
  readonly tokens: RequestTokens;
  /** Of the requests that have a price; null = none of a session has. */
  readonly cost: number | null;
  readonly unpriced: number;
  readonly usesGone: number;
  readonly watchpointsGone: number;
  /** Requests over the window, and requests refused for their thinking. */
  readonly over: number;
  readonly refused: number;
}

/** Conditions; absent = none. */
export interface Conditions {
  /** Tokens of the largest request's messages at most. */
  readonly maxPeak?: number | undefined;
  readonly maxUsesGone?: number | undefined;
  /** Whether all watched texts must be kept. */
  readonly keepsWatched?: boolean;
}

/** What a condition that is broken is called. */
export type BrokenCondition = 'max_peak' | 'max_uses_gone' | 'keep';

/** The conditions that a point breaks. */
export function brokenConditions(
  { tokens, usesGone, watchpointsGone }: TunedFigures,
  { maxPeak, maxUsesGone, keepsWatched = false }: Conditions,
): readonly BrokenCondition[] {
  const broken: BrokenCondition[] = [];
  if (maxPeak !== undefined && tokens.peak > maxPeak) broken.push('max_peak');
  if (maxUsesGone !== undefined && usesGone > maxUsesGone) broken.push('max_uses_gone');
  if (keepsWatched && watchpointsGone > 0) broken.push('keep');
  return broken;
}

/** Orders points: conditions first, then what fits and is accepted, then the aim, then the other two. */
export function aimKey(figures: TunedFigures, aim: Aim, conditions: Conditions): SortKey {
  const { tokens, cost, usesGone, over, refused } = figures;
  const money = cost ?? tokens.mean;
  const order: Readonly<Record<Aim, readonly number[]>> = {
    money: [money, usesGone, tokens.mean],
    tokens: [tokens.mean, usesGone, money],
    uses: [usesGone, money, tokens.mean],
  };
  return [brokenConditions(figures, conditions).length, over + refused, ...order[aim]];
}
