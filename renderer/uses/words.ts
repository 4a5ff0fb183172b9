import type { Use, UsedRow } from '../../core/protocol/types.ts';
import { formatCount } from '../ui/format.ts';

/** What a use does with what it relies on. `isLater` = the sentence is about the message that was used. */
export function verbOf({ kind, changed }: Pick<Use, 'kind' | 'changed'>): string {
  switch (kind) {
    case 'quote':
      return 'quotes';
    case 'anchor':
      return 'names';
    case 'reread':
      return changed ? 'reads again, changed' : 'reads again';
    case 'repeated_failure':
      return 'fails again';
    case 'dangling':
      return 'points to it';
    case 'rule':
      return 'may break the rule';
  }
}

/** What is not certain, in a word; '' where the words themselves show it. */
export function doubtWord({ confidence, ignored }: Pick<Use, 'confidence' | 'ignored'>): string {
  if (ignored) return 'although in the request';
  return confidence === 'certain' ? '' : confidence;
}

/** The messages that used something, each once, in their order. */
export function usersOf(uses: readonly Pick<Use, 'at'>[]): readonly number[] {
  return [...new Set(uses.map(({ at }) => at))];
}

/** `Used later by #212, #340 · 1 of 2 gone when used, since call #276`, of a row. */
export function describeUsedRow({ later, users, gone, goneSince, lacked }: Omit<UsedRow, 'index' | 'part'>): string {
  const named = users.map((at) => `#${at}`).join(', ');
  const more = later > users.length ? ` and ${formatCount(later - users.length)} more` : '';
  const since = goneSince === null ? '' : `, since call #${goneSince}`;
  return [
    ...(later > 0 ? [`Used later by ${named}${more}`] : []),
    ...(gone > 0 ? [`${formatCount(gone)} of ${formatCount(later)} gone when used${since}`] : []),
    ...(lacked ? ['It used something that was not in its request'] : []),
  ].join(' · ');
}

interface Placed {
  readonly at: number;
}

/** The next mark before or behind a call point; null = there is none. */
export function nextUse(marks: readonly Placed[], at: number, direction: -1 | 1): number | null {
  const found = direction > 0 ? marks.find((mark) => mark.at > at) : marks.findLast((mark) => mark.at < at);
  return found?.at ?? null;
}

/** The mark nearest to a place on screen. */
export function nearestUse(marks: readonly Placed[], xOf: (at: number) => number, x: number): number | null {
  let best: number | null = null;
  for (const { at } of marks) if (best === null || Math.abs(xOf(at) - x) < Math.abs(xOf(best) - x)) best = at;
  return best;
}
