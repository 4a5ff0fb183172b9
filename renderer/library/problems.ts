import type { Problem } from '../../core/model/problem.ts';

const ORDER: Readonly<Record<Problem['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** Errors, then warnings, then notes; otherwise as found. */
export function worstFirst(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}

/** `line 12`, `byte 4,096`, `#214`, or nothing. */
export function placeText(problem: Problem): string {
  const { line, column, byteStart, index, path } = problem.where ?? {};
  if (line !== undefined) return column === undefined ? `line ${line}` : `line ${line}:${column}`;
  if (index !== undefined) return `#${index}`;
  if (byteStart !== undefined) return `byte ${byteStart.toLocaleString('en')}`;
  return path ?? '';
}
