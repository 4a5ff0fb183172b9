import { type ChildProcess, fork, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { bundleOf } from './bundles.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');

/** What a command said and how it ended. */
export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line, its stdin and its environment. */
export interface CliAsked {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A process that runs commands (cliHost.ts) and has none to run. */
const idle: ChildProcess[] = [];

/**
 * Runs `parallax` as a person would, with text on its stdin, in a process that has run others before. What belongs to a
 * process itself is tested by {@link runCliProcess}.
 */
export async function runCli(
  args: readonly string[],
  stdin = '',
  env: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  const host = freeHost();
  // It keeps nobody alive while it has nothing to do.
  host.ref();
  host.channel?.ref();
  const ended = await new Promise<CliRun>((resolve, reject) => {
    const died = (code: number | null): void => reject(new Error(`the process ended (${code}) at ${args.join(' ')}`));
    host.once('exit', died);
    host.once('message', (run: CliRun) => {
      host.off('exit', died);
      resolve(run);
    });
    host.send({ args, stdin, env: { ...process.env, ...env } } satisfies CliAsked);
  });
  host.unref();
  host.channel?.unref();
  idle.push(host);
  return ended;
}

function freeHost(): ChildProcess {
  for (let host = idle.pop(); host !== undefined; host = idle.pop()) if (host.connected) return host;
  return fork(bundleOf('test/support/cliHost.ts'), {
    cwd: CHECKOUT,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  });
}

/** The same in a process of its own. */
export function runCliProcess(
  args: readonly string[],
  stdin = '',
  env: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  const command = ['--disable-warning=ExperimentalWarning', join(CHECKOUT, 'cli', 'main.ts'), ...args];
  const child = spawn(process.execPath, command, { cwd: CHECKOUT, env: { ...process.env, ...env } });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {}); // a command that reads no stdin closes it
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
      resolve({ code: code ?? -1, stdout: text(out), stderr: text(err) });
    });
  });
}
