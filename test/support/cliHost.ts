// A process that runs command lines one after the other, each as a process of its own would: with its stdin, environment,
// output and exit code. It saves the start, which takes longer than most commands. Ends with the process that started it.
import { Readable } from 'node:stream';
import { keepCompiled } from '../../cli/support/keepCompiled.ts';
import { keepPrivate } from '../../cli/support/privateFiles.ts';
import type { CliAsked, CliRun } from './cli.ts';

keepPrivate();
keepCompiled();
const { runProgram } = await import('../../cli/program.ts');

type Write = typeof process.stdout.write;

/** Puts what is written to a stream into `said` instead. */
function collect(stream: NodeJS.WriteStream, said: Buffer[]): void {
  const write: Write = (
    chunk: Uint8Array | string,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    done?: (error?: Error | null) => void,
  ) => {
    said.push(typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : Buffer.from(chunk));
    const called = typeof encoding === 'function' ? encoding : done;
    if (called !== undefined) queueMicrotask(called);
    return true;
  };
  stream.write = write;
}

async function run({ args, stdin, env }: CliAsked): Promise<CliRun> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(stdin)]), configurable: true });
  collect(process.stdout, out);
  collect(process.stderr, err);
  process.exitCode = 0;
  await runProgram(args);
  const code = Number(process.exitCode);
  process.exitCode = 0;
  const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
  return { code, stdout: text(out), stderr: text(err) };
}

process.on('message', (asked: CliAsked) => {
  void run(asked).then((ended) => process.send?.(ended));
});
process.on('disconnect', () => process.exit());
