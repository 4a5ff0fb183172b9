/** Exit codes of every command. `bug` (as in sysexits.h) = a fault of ours, with its stack on stderr. */
export const EXIT = { done: 0, finding: 1, usage: 2, unreadable: 3, bug: 70 } as const;

/** An end that is the user's or the input's: printed as one line, with its exit code. `code` is for machines. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  readonly exit: number;
  readonly code: string;

  constructor(exit: number, code: string, message: string) {
    super(message);
    this.exit = exit;
    this.code = code;
  }
}

/** The command line is wrong: exit 2. */
export function usageFailure(message: string, code = 'usage'): CliFailure {
  return new CliFailure(EXIT.usage, code, message);
}

/** Ends the command with exit code 2 if a name that an option gives is empty: it would be the current folder. */
export function checkNotEmpty(flag: string, name: string | undefined): void {
  if (name?.trim() === '') throw usageFailure(`${flag} is empty: give a name`);
}

/** The input cannot be read: exit 3. */
export function inputFailure(message: string, code = 'input.unreadable'): CliFailure {
  return new CliFailure(EXIT.unreadable, code, message);
}
