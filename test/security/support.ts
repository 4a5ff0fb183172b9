// What the attacks share: commands run in this process (a process each would take a second), and hostile characters.
import { runProgram } from '../../cli/program.ts';
import type { CliRun } from '../support/cli.ts';

/** Runs `parallax` here, one command at a time, and gives back what it wrote. Takes no stdin. */
export async function runHere(args: readonly string[]): Promise<CliRun> {
  const kept = { out: process.stdout.write, err: process.stderr.write, code: process.exitCode };
  const out: string[] = [];
  const err: string[] = [];
  process.stdout.write = keeper(out);
  process.stderr.write = keeper(err);
  process.exitCode = 0;
  try {
    await runProgram(args);
    return { code: Number(process.exitCode), stdout: out.join(''), stderr: err.join('') };
  } finally {
    process.stdout.write = kept.out;
    process.stderr.write = kept.err;
    process.exitCode = kept.code;
  }
}

function keeper(kept: string[]): typeof process.stdout.write {
  return (chunk: Uint8Array | string): boolean => {
    kept.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
    return true;
  };
}

/** Ends a title, sets the window's title and the clipboard, clears the screen, rings, goes back, turns what follows. */
export const HOSTILE =
  'pay\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b[2J\u001b[31m\u0008\u000b\u007f\u0085\u009b31m\u009d0;x\u009c' +
  '\u202egnp\u202c\u2066x\u2069\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u{e0041}\u{e007f}load';

/** The same for the name of a file: no slash, at most 255 bytes. */
export const HOSTILE_NAME = 'a\u001b]0;owned\u0007\u001b[2J\r\u007f\u009b31m\u202e\u2066\u200b\u200f\u061c\u{e0041}b';

/** What must never reach a terminal: the law of the terminal, in words of its own. */
export function forbiddenIn(text: string): readonly string[] {
  const found = [...text].filter((char) => isForbidden(char.codePointAt(0) ?? 0));
  return [...new Set(found.map((char) => `U+${char.codePointAt(0)?.toString(16)}`))];
}

function isForbidden(code: number): boolean {
  if (code === 0x0a) return false;
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  const isBidi = code === 0x61c || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const isHidden = (code >= 0x200b && code <= 0x200f) || (code >= 0xe0000 && code <= 0xe007f);
  return isControl || isBidi || isHidden;
}
