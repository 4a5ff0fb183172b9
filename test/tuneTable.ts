// npm run tune:table [-- FILES]   Twenty real sessions: three points of `tune`, tried together in threads, against a `sweep` and
// a `uses` of each point's policy by itself. Exit code 1 if any of them differ.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { TunedPoint } from '../core/insight/tune/point.ts';
import { runCli } from './support/cli.ts';
import { corpusFiles } from './support/shared.ts';
import { tableText } from './support/table.ts';

const FORMATS = [
  'claude-code',
  'codex',
  'openai-chat',
  'anthropic-messages',
  'swe-agent',
  'gemini-cli',
  'pi',
  'harn',
  'openhands',
  'atif',
];
const SPEC = '{"version":1,"stages":["recorded_compaction","clean_tool_repair","reachability_gc"]}';
const VARY = 'reachability_gc.root_window=2,6,18';
const LARGEST = 1_500_000;

interface Swept {
  readonly tokens: { readonly total: number };
  readonly cost: number | null;
  readonly cache: { readonly brokenBy: unknown } | null;
}

interface Uses {
  readonly summary: { readonly uses: number; readonly gone: number };
}

async function lines<T>(...args: readonly string[]): Promise<readonly T[]> {
  const { code, stdout, stderr } = await runCli(args);
  if (code > 1) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): T => JSON.parse(line));
}

function near(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) < 1e-6;
}

function isSwept({ tokens, cost, unpriced, cacheBreaks }: TunedPoint, swept: readonly Swept[]): boolean {
  const totals = swept.map((line) => line.tokens.total).sort((a, b) => a - b);
  const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
  const paid = swept.every((line) => line.cost === null) ? null : sum(swept.map((line) => line.cost ?? 0));
  return (
    near(tokens.mean, sum(totals) / totals.length) &&
    tokens.p95 === totals[Math.max(0, Math.ceil(totals.length * 0.95) - 1)] &&
    tokens.peak === totals.at(-1) &&
    near(cost, paid) &&
    unpriced === swept.filter((line) => line.cost === null).length &&
    cacheBreaks === swept.filter(({ cache }) => cache?.brokenBy).length
  );
}

async function check(file: string): Promise<readonly string[]> {
  const points = await lines<TunedPoint>('tune', file, '--spec', SPEC, '--vary', VARY, '--json', '--jobs', '2');
  let [swept, used] = [0, 0];
  for (const point of points) {
    const spec = JSON.stringify(point.spec);
    if (isSwept(point, await lines<Swept>('sweep', file, '--spec', spec))) swept++;
    const [uses] = await lines<Uses>('uses', file, '--spec', spec, '--json');
    if (uses?.summary.gone === point.usesGone && uses.summary.uses === point.uses) used++;
  }
  const front = points.map(({ usesGone }) => usesGone).join(' ');
  return [basename(file).slice(0, 44), String(points.length), String(swept), String(used), front];
}

const given = process.argv.slice(2);
const perFormat = FORMATS.map((format) =>
  corpusFiles(format)
    .filter((path) => statSync(path).size < LARGEST)
    .sort((a, b) => statSync(b).size - statSync(a).size)
    .slice(0, 2),
);
const files = given.length > 0 ? given : perFormat.flat();
const rows: (readonly string[])[] = [];
for (const file of files) rows.push(await check(file));
const differing = rows.filter(([, points, swept, used]) => points !== swept || points !== used);
console.log(tableText([['session', 'points', 'as sweep', 'as uses', 'uses gone at each'], ...rows]));
console.log(`${rows.length} sessions, ${differing.length} of them differ`);
if (differing.length > 0) process.exitCode = 1;
