import type { Problem } from '../../core/model/problem.ts';

const ORDER: Readonly<Record<Problem['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** Errors, then warnings, then notes; otherwise as found. */
export function worstFirst(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}
