// browser-safe
import type { Use, UsesSummary } from './types.ts';

/** What uses come to. */
export function summaryOf(uses: readonly Use[]): UsesSummary {
  const summer = new UsesSummer();
  for (const use of uses) summer.add(use);
  return summer.summary;
}

/** Adds up uses, in the order of the session. */
export class UsesSummer {
  #uses = 0;
  readonly #counts = { original: 0, elsewhere: 0, gone: 0 };
  #tokens = 0;
  #cost: number | null = 0;
  #firstGone: number | null = null;

  add(use: Use): void {
    const { outcome, changed, tokens, cost } = use;
    this.#uses++;
    this.#counts[outcome]++;
    if (wasMissing(use)) this.#firstGone ??= use.at;
    if (outcome !== 'gone' || changed) return;
    this.#tokens += tokens;
    this.#cost = this.#cost !== null && cost !== null ? this.#cost + cost : null;
  }

  get summary(): UsesSummary {
    const fetched = { tokensFetchedAgain: this.#tokens, costFetchedAgain: this.#cost };
    return { uses: this.#uses, ...this.#counts, ...fetched, firstGone: this.#firstGone };
  }
}

/** True if what was used was not in the request, as far as is certain or probable; a changed result proves nothing. */
export function wasMissing({ outcome, changed, confidence }: Pick<Use, 'outcome' | 'changed' | 'confidence'>): boolean {
  return outcome === 'gone' && !changed && confidence !== 'suspect';
}
