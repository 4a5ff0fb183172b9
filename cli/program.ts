// The commands of `parallax`. One file each under commands/; what they share is under support/.
import { Command, CommanderError } from 'commander';
import { ENGINE_VERSION } from '../core/engine/version.ts';
import { EngineError } from '../core/protocol/client.ts';
import { forTerminal } from '../core/util/unseen.ts';
import { addCommands } from './commandList.ts';
import { refuseEmpty } from './support/arguments.ts';
import { countPlainly } from './support/counting.ts';
import { CliFailure, EXIT } from './support/failure.ts';
import { note, oneLine } from './support/output.ts';
import { writeErrorText } from './support/readError.ts';

/** The command line: all commands, with what each takes. */
export function createProgram(): Command {
  const program = new Command('parallax')
    .description('What happened, and what the model saw: projects, traces and checks agent transcripts.')
    .version(ENGINE_VERSION, '-V, --version', 'the version of the program')
    .addHelpText('after', '\nExit codes: 0 done; 1 a finding; 2 wrong usage; 3 unreadable input.');
  // Copied to each command made from here on: failures come back as errors, so that the exit code is ours.
  program
    .option('--plain-counts', 'tokens as they are counted here, also where recorded usage gives the provider’s')
    .hook('preAction', (root, command) => {
      refuseEmpty(command);
      countPlainly(root.opts().plainCounts === true);
    });
  program.exitOverride().configureOutput({
    writeOut: (text) => process.stdout.write(forTerminal(text)),
    writeErr: (text) => process.stderr.write(forTerminal(text)),
    outputError: (text) => note(`${oneLine(text.replace(/^error: /, ''), 500)}; --help shows the usage`),
  });
  addCommands(program);
  return program;
}

/** How a command failed: its exit code, and what is said of it. */
interface Failed {
  readonly exit: number;
  readonly code: string;
  readonly message: string;
}

function failureOf(error: unknown): Failed {
  if (error instanceof CommanderError) {
    return { exit: error.exitCode === 0 ? EXIT.done : EXIT.usage, code: 'usage', message: '' };
  }
  if (error instanceof CliFailure)
    return { exit: error.exit, code: error.code, message: oneLine(error.message, 2_000) };
  if (error instanceof EngineError && error.expected) {
    return { exit: EXIT.unreadable, code: error.code, message: oneLine(error.message, 2_000) };
  }
  // Only what a person wrote can be of the wrong form: the rest is typed.
  if (error instanceof EngineError && error.code === 'protocol.bad_request') {
    return { exit: EXIT.usage, code: error.code, message: oneLine(error.message, 500) };
  }
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exit: EXIT.bug, code: 'engine.bug', message: `a fault of Parallax itself: ${words}` };
}

// A reader that has seen enough (`| head`) is not a failure; a disk that is full is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  note(`the output cannot be written: ${writeErrorText('stdout', error)}`);
  process.exit(EXIT.unreadable);
});
// Nobody listens to notes any more: nothing is lost that a result would be.
process.stderr.on('error', () => {});

/** Runs a command line, that of this process unless another is given (after the program's name); sets the exit code. */
export async function runProgram(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    const { exit, message } = failureOf(error);
    if (message !== '') note(message);
    process.exitCode = exit;
  }
}

/** Ends the process at an error that nobody waits for: one of an engine between two calls. */
export function endAtFault(error: unknown): void {
  note(failureOf(error).message);
  process.exit(EXIT.bug);
}

function withAllBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withAllBelow)];
}

/** Runs a command among others (`parallax worker`); null = it ended in order, and process.exitCode says how. */
export async function runCommand(args: readonly string[]): Promise<Failed | null> {
  const said: string[] = [];
  try {
    const program = createProgram();
    for (const command of withAllBelow(program)) {
      command.configureOutput({ outputError: (text) => void said.push(text.replace(/^error: /, '').trim()) });
    }
    await program.parseAsync(args, { from: 'user' });
    return null;
  } catch (error) {
    const failed = failureOf(error);
    return failed.message === '' ? { ...failed, message: said.join(' ') } : failed;
  }
}
