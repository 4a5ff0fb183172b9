import type { Budget } from '../tokens/budget.ts';
import { grouped } from '../util/counts.ts';

export { countOf, grouped } from '../util/counts.ts';

/** What messages may take of a budget: `150,000`, or `150,000 − 21,340 overhead`. */
export function describeRoom({ total, beside }: Pick<Budget, 'total' | 'beside'>): string {
  return beside.total === 0 ? grouped(total) : `${grouped(total)} − ${grouped(beside.total)} overhead`;
}
