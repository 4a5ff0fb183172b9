// npm run findings:table   Looks for the findings that docs/insight.md has a verdict on, in the sessions that were read by hand:
// session → findings, read and still there, of these right, no longer there, not read. Exit code 1 if the table and the program
// differ, or less than nine tenths are right.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { runCli } from './support/cli.ts';
import { FORMATS } from './support/formats.ts';
import { corpusFiles } from './support/shared.ts';

const DOCS = join(import.meta.dirname, '..', 'docs', 'insight.md');
const RIGHT_LEAST = 0.9;
const Found = z.object({ transcript: z.string(), kind: z.string(), at: z.int() });

interface Read {
  readonly session: string;
  readonly at: number;
  readonly kind: string;
  readonly isRight: boolean;
}

const ROW = /^\| [^|]*`([^`]+)` \| #(\d+) \| (\w+) \| (right|wrong) \|/gm;

const read: readonly Read[] = [...readFileSync(DOCS, 'utf8').matchAll(ROW)].map(
  ([, session = '', at, kind = '', verdict]) => ({ session, at: Number(at), kind, isRight: verdict === 'right' }),
);
const files = FORMATS.flatMap((id) => corpusFiles(id));
const keyOf = ({ at, kind }: Pick<Read, 'at' | 'kind'>): string => `#${at} ${kind}`;

let [right, there, differ] = [0, 0, 0];
console.log('| session | findings | read and there | of these right | no longer there | not read |');
console.log('| --- | --: | --: | --: | --- | --- |');
for (const session of new Set(read.map((row) => row.session))) {
  const file = files.find((path) => basename(path).replace(/\.jsonl?$/, '') === session);
  if (file === undefined) throw new Error(`the corpus has no ${session}`);
  const { code, stdout, stderr } = await runCli(['findings', file, '--json', '--no-prevented']);
  if (code > 1) throw new Error(stderr);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const found = new Set(lines.map((line) => keyOf(Found.parse(JSON.parse(line)))));
  const own = read.filter((row) => row.session === session);
  const still = own.filter((row) => found.has(keyOf(row)));
  const lost = own.filter((row) => !found.has(keyOf(row))).map(keyOf);
  const fresh = [...found].filter((key) => !own.some((row) => keyOf(row) === key));
  there += still.length;
  right += still.filter(({ isRight }) => isRight).length;
  differ += lost.length + fresh.length;
  const cells = [session, found.size, still.length, still.filter(({ isRight }) => isRight).length];
  console.log(`| ${[...cells, lost.join(', '), fresh.join(', ')].join(' | ')} |`);
}
const share = there === 0 ? 0 : right / there;
console.log(`${right} of ${there} right (${(share * 100).toFixed(1)}%); ${differ} differ from the table`);
process.exitCode = differ > 0 || share < RIGHT_LEAST ? 1 : 0;
