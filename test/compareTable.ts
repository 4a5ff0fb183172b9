// npm run compare:table [-- FILES]   Twenty real sessions: what `compare` says against two `project` runs and two `sweep` runs,
// and what `tune` says against `sweep`. Exit code 1 if any of them differ.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
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
const A = 'as_recorded';
const B =
  '{"version":1,"stages":["recorded_compaction","clean_tool_repair",{"kind":"reachability_gc","options":{"root_window":4}}]}';
const LARGEST = 3_000_000;

interface Projected {
  readonly messages: readonly unknown[];
  readonly transcript: { readonly messages: number };
}

interface Swept {
  readonly tokens: { readonly total: number };
  readonly cost: number | null;
  readonly cache: { readonly brokenBy: unknown } | null;
}

interface Sums {
  readonly tokens: { readonly mean: number; readonly p95: number; readonly peak: number };
  readonly cost: number | null;
  /** Requests whose model has no price: the cost is that of the others. */
  readonly unpriced: number;
  readonly cacheBreaks: number;
}

async function json<T>(args: readonly string[]): Promise<{ readonly code: number; readonly lines: readonly T[] }> {
  const { code, stdout, stderr } = await runCli(args);
  if (code > 1) throw new Error(`${args.join(' ')}: ${stderr}`);
  // A projection holds messages as they were recorded, line breaks between their members too.
  const lines = args[0] === 'project' ? [stdout] : stdout.split('\n').filter((line) => line !== '');
  return { code, lines: lines.map((line): T => JSON.parse(line)) };
}

function sumsOf(lines: readonly Swept[]): Sums {
  const totals = lines.map(({ tokens }) => tokens.total).sort((a, b) => a - b);
  const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
  return {
    tokens: {
      mean: sum(totals) / totals.length,
      p95: totals[Math.max(0, Math.ceil(totals.length * 0.95) - 1)] ?? 0,
      peak: totals.at(-1) ?? 0,
    },
    cost: lines.every(({ cost }) => cost === null) ? null : sum(lines.map(({ cost }) => cost ?? 0)),
    unpriced: lines.filter(({ cost }) => cost === null).length,
    cacheBreaks: lines.filter(({ cache }) => cache?.brokenBy).length,
  };
}

function same(a: Sums, b: Sums): boolean {
  const near = (x: number | null, y: number | null): boolean =>
    x === null || y === null ? x === y : Math.abs(x - y) < 1e-6;
  const { mean, p95, peak } = a.tokens;
  return (
    near(mean, b.tokens.mean) &&
    p95 === b.tokens.p95 &&
    peak === b.tokens.peak &&
    near(a.cost, b.cost) &&
    a.unpriced === b.unpriced &&
    a.cacheBreaks === b.cacheBreaks
  );
}

async function check(file: string): Promise<readonly string[]> {
  const compared = await json<{
    readonly messages: readonly unknown[];
    readonly equal: boolean;
    readonly a: Sums;
    readonly b: Sums;
  }>([...['compare', file, '--a', A, '--b', B, '--json']]);
  const [result] = compared.lines;
  const projected = await Promise.all(
    [A, B].map((spec) => json<Projected>(['project', file, '--spec', spec, '--json'])),
  );
  const [inA, inB] = projected.map(({ lines }) => lines[0]);
  const equal = JSON.stringify(inA?.messages) === JSON.stringify(inB?.messages);
  const swept = await Promise.all(
    [A, B].map(async (spec) => sumsOf((await json<Swept>(['sweep', file, '--spec', spec])).lines)),
  );
  const tuned = await json<Sums>(['tune', file, '--spec', B, '--vary', 'reachability_gc.root_window=4', '--json']);
  const [sumsA, sumsB] = swept;
  const [point] = tuned.lines;
  const isProjected = result?.equal === equal && compared.code === (equal ? 0 : 1);
  const isSwept =
    result !== undefined &&
    sumsA !== undefined &&
    sumsB !== undefined &&
    same(result.a, sumsA) &&
    same(result.b, sumsB);
  const isTuned = point !== undefined && sumsB !== undefined && same(point, sumsB);
  const said = (holds: boolean): string => (holds ? 'equal' : 'DIFFERS');
  const { messages = 0 } = inA?.transcript ?? {};
  return [
    basename(file).slice(0, 44),
    String(messages),
    String(result?.messages.length ?? 0),
    ...[isProjected, isSwept, isTuned].map(said),
  ];
}

const given = process.argv.slice(2);
const perFormat = FORMATS.map((format) =>
  corpusFiles(format)
    .filter((path) => statSync(path).size < LARGEST)
    .sort((a, b) => statSync(b).size - statSync(a).size)
    .slice(0, 2),
);
const rows: (readonly string[])[] = [];
for (const file of given.length > 0 ? given : perFormat.flat()) {
  const row = await check(file).catch((error: unknown) => [basename(file), `DIFFERS: ${String(error).slice(0, 200)}`]);
  rows.push(row);
}
const head = ['session', 'messages', 'differ', 'compare = 2 × project', 'compare = 2 × sweep', 'tune = sweep'];
console.log(tableText([head, ...rows]));
process.exitCode = rows.flat().some((cell) => cell.startsWith('DIFFERS')) ? 1 : 0;
