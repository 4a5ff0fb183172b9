// Runs a command; the first of those that are given the same folder is killed in the middle, as by a machine that is short of
// memory: after some lines of its answers, by a signal that nobody can catch.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Lines of answers before the end. */
const LINES = 5;

const [marker = '', program = '', ...args] = process.argv.slice(2);
const isFirst = madeByThis(marker);
const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'inherit'] });
let lines = 0;
child.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk);
  for (const byte of chunk) if (byte === 0x0a) lines++;
  if (isFirst && lines >= LINES) child.kill('SIGKILL');
});
child.once('close', (code) => {
  process.exitCode = code ?? 137;
});

function madeByThis(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
