// What holds for every argument and option, of whichever command.
import type { Command } from 'commander';
import { openRegular } from '../../core/engine/files/regularFile.ts';
import { inputFailure, usageFailure } from './failure.ts';
import { grouped } from './output.ts';
import { readErrorText } from './readError.ts';

/** Ends a command that was given an empty text: an unset variable of a shell, most likely, and no wish for anything. */
export function refuseEmpty(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli') continue;
    if (isEmpty(command.getOptionValue(name))) {
      throw usageFailure(
        `${option.short ?? option.long ?? option.flags} is empty; give ${placeholderOf(option.flags)}, or leave it out`,
      );
    }
  }
  for (const [at, argument] of command.registeredArguments.entries()) {
    const given = argument.variadic ? command.args.slice(at) : command.args.slice(at, at + 1);
    if (isEmpty(given)) throw usageFailure(`${argument.name()} is empty; name one`);
  }
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isEmpty);
  return typeof value === 'string' && value.trim() === '';
}

// `--spec <file-or-json>` → <file-or-json>.
function placeholderOf(flags: string): string {
  return /[<[].*[>\]]/.exec(flags)?.[0] ?? 'a value';
}

/** Reads the whole number that an option takes, from `least` to `most`. */
export function wholeNumber(option: string, least = 0, most = Number.MAX_SAFE_INTEGER): (given: string) => number {
  return (given) => {
    if (given.trim() === '') throw usageFailure(`${option} is empty; give a whole number, or leave it out`);
    const value = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= least && value <= most) return value;
    const to = most === Number.MAX_SAFE_INTEGER ? ' on' : ` to ${grouped(most)}`;
    throw usageFailure(`${option} is ${given}; accepted: a whole number from ${grouped(least)}${to}`);
  };
}

/** Ends a command whose file cannot be read, before somebody else looks for transcripts in what is there. */
export async function checkFile(file: string): Promise<void> {
  try {
    await (await openRegular(file)).close();
  } catch (error) {
    throw inputFailure(readErrorText(file, error));
  }
}
