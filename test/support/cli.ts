import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');

/** What a command said and how it ended. */
export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `parallax` as a person would, with text on its stdin. */
export function runCli(
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
