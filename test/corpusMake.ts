import { statSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import type { SessionTally } from './support/corpus/sessionModel.ts';
import { type WrittenSession, writeProjects, writeSession } from './support/corpus/write.ts';

// `npm run corpus:make -- --messages N --seed S`: made-up Claude Code sessions of any size, the same for the same
// seed. Without --out the session goes to standard output; a line about what was made goes to standard error.

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9 };

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

function size(text: string): number {
  const parts = /^(\d+(?:\.\d+)?)\s*([KMG]?)B?$/i.exec(text);
  const unit = UNITS[parts?.[2]?.toUpperCase() ?? ''];
  if (!parts || unit === undefined) throw new InvalidArgumentError('It must be a size such as 500000, 25M or 2G.');
  return Math.round(Number(parts[1]) * unit);
}

interface Options {
  readonly messages?: number;
  readonly bytes?: number;
  readonly seed: number;
  readonly sessions?: number;
  readonly out?: string;
}

const command: Command = new Command('corpus:make')
  .description('Writes made-up Claude Code sessions of any size, the same for the same seed.')
  .option('--messages <n>', 'messages in all (default 1000)', count)
  .option('--bytes <size>', 'instead: at least so many bytes (one session), e.g. 2G', size)
  .option('--seed <n>', 'the seed', count, 1)
  .option('--sessions <n>', 'a folder of so many sessions in several projects; needs --out', count)
  .option('--out <path>', 'the file, or with --sessions the folder, to write')
  .parse();

const options = command.opts<Options>();
const began = performance.now();
const written = make(options);
const seconds = (performance.now() - began) / 1000;
const bytes = written.reduce((sum, each) => sum + each.bytes, 0);
process.stderr.write(
  `${written.length} session(s), ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s: ${told(written)}\n`,
);

function make({ messages = 1_000, bytes: least, seed, sessions, out }: Options): readonly WrittenSession[] {
  if (sessions === undefined) {
    if (out !== undefined && isFolder(out)) command.error(`error: ${out} is a folder: give the path of a file.`);
    return [writeSession(out ?? 1, { messages, seed, ...(least === undefined ? {} : { bytes: least }) })];
  }
  if (out === undefined) command.error('error: --sessions needs --out: the folder to write to.');
  if (least !== undefined) command.error('error: --bytes is for one session: use --messages with --sessions.');
  return [...writeProjects(out, { sessions, messages, seed })];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function told(all: readonly WrittenSession[]): string {
  const names = Object.keys(all[0]?.tally ?? {}) as (keyof SessionTally)[];
  return names.map((name) => `${all.reduce((sum, { tally }) => sum + tally[name], 0)} ${name}`).join(', ');
}
