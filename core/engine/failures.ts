import { isCodeFailure, type Problem } from '../model/problem.ts';
import { CHANGED as CHANGED_CODE } from '../protocol/codes.ts';
import type { ProtocolError } from '../protocol/methods.ts';
import { storeProblem } from '../store/index.ts';

/** An expected failure. */
export function failure(code: string, message: string, cause?: string): ProtocolError {
  return { code, message, expected: true, ...(cause === undefined ? {} : { cause }) };
}

/** The answer of work that was overtaken: the client asked for the same thing about something else. */
export const SUPERSEDED = failure('request.superseded', 'A newer request has taken the place of this one.');

/** The answer of work on messages that are no longer there. */
export const CHANGED = failure(CHANGED_CODE, 'The transcript has just changed; project again.');

/** What the disk, the rights or another process did to the library, as an answer; null = the error is of another kind. */
export function storeFailure(error: unknown): ProtocolError | null {
  const problem = storeProblem(error);
  return problem === null ? null : problemFailure(problem);
}

/** A problem as an answer. */
export function problemFailure({ code, text }: Pick<Problem, 'code' | 'text'>): ProtocolError {
  return failure(code, text);
}

/** The failure of a custom stage among a projection's problems, as an answer; null = its code ran, or there is none. */
export function customFailure(problems: readonly Problem[]): ProtocolError | null {
  const failed = problems.find(isCodeFailure);
  return failed === undefined ? null : failure(failed.code, failed.text);
}
