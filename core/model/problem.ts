/**
 * A finding. Importers, lint, budget and verify all speak in problems; the same codes appear in the app, the CLI
 * and exports.
 */
export interface Problem {
  /** Stable, dotted, e.g. `import.broken_line`, `projection.replay_mismatch`. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** What is wrong and what to do about it, one or two sentences. */
  readonly text: string;
  readonly where?: ProblemPlace;
}

/** Where a problem is. Every field is optional; lines and columns count from 1, bytes and indices from 0. */
export interface ProblemPlace {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly byteStart?: number;
  readonly byteEnd?: number;
  /** Source index of the message concerned. */
  readonly index?: number;
  /** JSON path in a spec or document, e.g. `stages[0].params.root_window`. */
  readonly path?: string;
}

/** Problems of a spec in one line, each with its path. */
export function problemTexts(problems: readonly Problem[]): string {
  return problems.map(({ text, where }) => (where?.path ? `${where.path}: ${text}` : text)).join(' ');
}

/** Whether a person's code failed: the policy does not run then. */
export function isCodeFailure({ code, severity }: Pick<Problem, 'code' | 'severity'>): boolean {
  return severity === 'error' && code.startsWith('custom.');
}
