import type { Problem } from '../../core/model/problem.ts';
import type { ImportReport } from '../state/types.ts';

const ORDER: Readonly<Record<Problem['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** What an import found in a file, the worst first. What made it fail is often among the findings already. */
export function findingsOf(report: ImportReport): readonly Problem[] {
  const { error, problems } = report;
  const isListed = error !== null && problems.some((one) => one.code === error.code && one.text === error.text);
  return worstFirst(error === null || isListed ? problems : [error, ...problems]);
}

/** Errors, then warnings, then notes; otherwise as found. */
export function worstFirst(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}
