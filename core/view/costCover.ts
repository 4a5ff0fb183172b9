// browser-safe
// What a figure of cost covers, in words: the same wherever one is shown.
import { countOf, grouped } from './words.ts';

/** Requests that a cost is of, and those of them whose answers are in it. */
export interface CostCover {
  readonly requests: number;
  readonly answers: number;
}

/** `input and output`; `input, and output of 3 of 9 requests`; `input alone`. */
export function coverWords({ requests, answers }: CostCover): string {
  if (answers === 0) return 'input alone';
  return answers >= requests
    ? 'input and output'
    : `input, and output of ${grouped(answers)} of ${countOf(requests, 'request')}`;
}
