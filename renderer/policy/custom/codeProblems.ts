// What the run of a custom policy has to say, in words and as marks in the editor.
import type { Problem } from '../../../core/model/problem.ts';
import type { EditorMarker } from '../../monaco/CodeEditor.tsx';

const HEAD: Readonly<Record<string, string>> = {
  'custom.syntax': 'This is not a function yet',
  'custom.threw': 'The code threw an error',
  'custom.steps': 'Stopped: too many steps',
  'custom.memory': 'Stopped: too much memory',
  'custom.stack': 'Stopped: calls nested too deep',
  'custom.result': 'What it returned cannot be used',
  'custom.wall': 'Stopped: it ran too long',
};

const ADVICE: Readonly<Record<string, string>> = {
  'custom.steps': 'Infinite loop? The stage was skipped.',
  'custom.memory': 'Messages were left unchanged.',
  'custom.wall': 'Infinite loop? The stage was skipped.',
  'custom.result': 'Return the list of messages, or {messages, reason?, kept_indices?, dropped_indices?}.',
};

/** A finding of the run as the editor's panel shows it. */
export interface CodeProblem {
  readonly head: string;
  readonly text: string;
  readonly advice: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly severity: Problem['severity'];
}

/** Errors and warnings of the stage that runs the code. */
export function codeProblems(problems: readonly Problem[]): readonly CodeProblem[] {
  return problems
    .filter((problem) => problem.severity !== 'info')
    .map((problem) => ({
      head: HEAD[problem.code] ?? (problem.severity === 'error' ? 'Failed' : 'Note'),
      text: problem.text,
      advice: ADVICE[problem.code] ?? null,
      line: problem.where?.line ?? null,
      column: problem.where?.column ?? null,
      severity: problem.severity,
    }));
}

/** Lines the code logged, as far as the report carries them. */
export function logLines(problems: readonly Problem[]): readonly string[] {
  return problems.filter((problem) => problem.severity === 'info').map((problem) => problem.text);
}

/** Marks for the problems that have a place. */
export function markers(problems: readonly CodeProblem[]): readonly EditorMarker[] {
  return problems.flatMap(({ head, text, line, column, severity }) =>
    line === null ? [] : [{ line, column, text: `${head}: ${text}`, severity }],
  );
}
