// A thread of `parallax worker`: runs one command after the other, and gives what each prints.
import { parentPort, workerData } from 'node:worker_threads';
import { runCommand } from '../program.ts';
import { withChannel } from './channel.ts';
import { EXIT } from './failure.ts';

/** A command to run. */
export interface CommandToRun {
  readonly args: readonly string[];
  readonly input: string | null;
}

/** What it printed, and how it ended. `error` = it ended with one, which is not among the notes. */
export interface CommandRun {
  readonly exit: number;
  readonly out: string;
  readonly notes: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

const port = parentPort;
if (port === null) throw new Error('the thread of a worker was not started as a thread');
const { plain }: { readonly plain: boolean } = workerData;

async function run({ args, input }: CommandToRun): Promise<CommandRun> {
  const out: string[] = [];
  const notes: string[] = [];
  const channel = {
    out: (text: string) => void out.push(text),
    note: (text: string) => void notes.push(text),
    input: Buffer.from(input ?? ''),
  };
  process.exitCode = EXIT.done;
  const error = await withChannel(channel, () => runCommand([...(plain ? ['--plain-counts'] : []), ...args]));
  const exit = error?.exit ?? Number(process.exitCode ?? EXIT.done);
  process.exitCode = EXIT.done;
  return { exit, out: out.join(''), notes, error };
}

port.on('message', (command: CommandToRun | null) => {
  if (command === null) port.close();
  else void run(command).then((answer) => port.postMessage(answer));
});
