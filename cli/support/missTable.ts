// Requests that lost over half of what the one before them had left in the cache: our explanation beside the provider's.
import {
  type Agreement,
  agreementOn,
  askedForDiagnoses,
  describeDiagnosis,
} from '../../core/insight/usage/diagnoses.ts';
import type { CacheMiss, UsageReport } from '../../core/insight/usage/types.ts';
import { grouped, table } from './output.ts';

/** A miss with how its explanation stands to the diagnosis. */
export interface ComparedMiss extends CacheMiss {
  readonly agreement: Agreement;
}

/** All misses of a report, compared. */
export function comparedMisses({ misses, diagnoses }: Pick<UsageReport, 'misses' | 'diagnoses'>): ComparedMiss[] {
  const asked = askedForDiagnoses(diagnoses);
  return misses.map((miss) => ({ ...miss, agreement: agreementOn(miss, asked) }));
}

const AGREEMENT: Readonly<Record<Agreement, string>> = { agree: 'yes', differ: 'no', none: '–' };

/** The head of the table, and a row for each miss; `name` = of the session, where there are several. */
export function missRows(misses: readonly ComparedMiss[], name?: string): string[][] {
  return misses.map(({ at, left, read, cause, diagnosis, agreement }) => [
    ...(name === undefined ? [] : [name]),
    `#${at}`,
    grouped(left),
    grouped(read),
    cause,
    providerCell(diagnosis),
    AGREEMENT[agreement],
  ]);
}

function providerCell(diagnosis: CacheMiss['diagnosis']): string {
  return diagnosis === null ? 'not recorded' : describeDiagnosis(diagnosis);
}

export const MISS_HEAD: readonly string[] = ['request', 'left', 'read', 'here', 'provider', 'agree'];

/** The table as text, with why each is explained as it is. */
export function missText(misses: readonly ComparedMiss[]): string {
  const why = misses.map(({ at, why: words }) => `#${at}: ${words}\n`).join('');
  return `${table([[...MISS_HEAD], ...missRows(misses)], [1, 2])}\n${why}\n${describeAgreement(misses)}\n`;
}

/** `20 requests: 12 explained as the provider does, 1 otherwise, 7 without its statement`. */
export function describeAgreement(misses: readonly ComparedMiss[]): string {
  const count = (agreement: Agreement) => misses.filter((miss) => miss.agreement === agreement).length;
  const all = misses.length === 1 ? '1 request' : `${grouped(misses.length)} requests`;
  return `${all} lost over half of what was cached: ${count('agree')} explained as the provider does, ${count('differ')} otherwise, ${count('none')} without its statement`;
}
