// browser-safe
// What a figure of cost covers, in words: the same wherever one is shown.
import { countOf, grouped } from './words.ts';

/** Requests that a cost is of, and those of them whose answers are in it. */
export interface CostCover {
  readonly requests: number;
  readonly answers: number;
  /** Further requests, that no price is known of; absent: there are none. */
  readonly unpriced?: number;
}

/** What the cost of a session is of; `requests` = all that were made. */
export function sessionCover({ requests, answers, unpriced }: Required<CostCover>): CostCover {
  return { requests: requests - unpriced, answers, unpriced };
}

/** `input and output`; `input, and output of 3 of 9 requests`; `input alone; 3 of 12 requests have no price`. */
export function coverWords({ requests, answers, unpriced = 0 }: CostCover): string {
  const without = unpricedWords(unpriced, requests + unpriced);
  return [partsWords(requests, answers), ...(without === null ? [] : [without])].join('; ');
}

function partsWords(requests: number, answers: number): string {
  if (answers === 0) return 'input alone';
  return answers >= requests
    ? 'input and output'
    : `input, and output of ${grouped(answers)} of ${countOf(requests, 'request')}`;
}

/** `3 of 12 requests have no price`; null = all have one. `requests` = all of them. */
export function unpricedWords(unpriced: number, requests: number): string | null {
  if (unpriced === 0) return null;
  return `${grouped(unpriced)} of ${countOf(requests, 'request')} ${unpriced === 1 ? 'has' : 'have'} no price`;
}

/** A sum of money in a table: `$1.20+` where some of the requests that it is of have no price. */
export function partialSum(text: string, unpriced: number): string {
  return unpriced === 0 ? text : `${text}+`;
}

/** What `+` behind a sum says; undefined = nothing is missing in it. */
export function partialTitle(unpriced: number): string | undefined {
  if (unpriced === 0) return undefined;
  return `Without ${countOf(unpriced, 'request')} of ${unpriced === 1 ? 'a model whose price is' : 'models whose prices are'} not known`;
}

/** `prices of A`; `prices of A and B`; `prices of 3 models`. */
export function pricesWords(models: readonly string[]): string {
  return models.length > 2 ? `prices of ${grouped(models.length)} models` : `prices of ${models.join(' and ')}`;
}
