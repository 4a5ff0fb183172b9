// `npm run bench [-- GROUP…] [--quick]`: speed and size, each as a ratio in the same run where a speed is claimed. Prints
// one table; writes bench-results/latest.json and latest.md. Exit code 1 if an aim is missed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { benchBig } from './big.bench.ts';
import { benchCallPoints } from './callPoints.bench.ts';
import { benchCli } from './cli.bench.ts';
import { benchEngine } from './engine.bench.ts';
import { benchImport } from './import.bench.ts';
import { benchInsight } from './insight.bench.ts';
import { describeMachine, type Machine } from './machine.ts';
import { benchPieces } from './pieces.bench.ts';
import { benchProjection } from './projection.bench.ts';
import { markdownReport, textTable } from './report.ts';
import { benchScreen } from './screen/screen.bench.ts';
import { benchSearch } from './search.bench.ts';
import { benchSlider } from './slider.bench.ts';
import { benchTokens } from './tokens.bench.ts';
import { benchTune } from './tune.bench.ts';
import type { BenchOptions, BenchRow } from './types.ts';
import { benchWalk } from './walk.bench.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const RESULTS = join(CHECKOUT, 'bench-results');

const GROUPS: Readonly<Record<string, (options: BenchOptions) => Promise<readonly BenchRow[]>>> = {
  import: benchImport,
  projection: benchProjection,
  callpoints: benchCallPoints,
  walk: benchWalk,
  pieces: benchPieces,
  slider: benchSlider,
  engine: benchEngine,
  tokens: benchTokens,
  tune: benchTune,
  screen: benchScreen,
  search: benchSearch,
  cli: benchCli,
  insight: benchInsight,
  big: benchBig,
};

/** A run as it is written down. */
export interface BenchReport {
  readonly at: string;
  readonly commit: string;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly rows: readonly BenchRow[];
}

async function run(names: readonly string[], options: BenchOptions): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(GROUPS, name));
  if (unknown.length > 0) {
    console.error(`no group ${unknown.join(', ')}; there are ${Object.keys(GROUPS).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const machine = describeMachine();
  const rows: BenchRow[] = [];
  for (const name of names.length > 0 ? names : Object.keys(GROUPS)) {
    console.log(`\n== ${name}`);
    const made = (await GROUPS[name]?.(options)) ?? [];
    rows.push(...made);
    console.log(textTable(made));
    // Written after each group: what is measured is not lost when a later one fails.
    write({ at: new Date().toISOString(), commit: commitOf(), quick: options.quick, machine, rows });
  }
  const missed = rows.filter((row) => row.ok === false).length;
  const aims = rows.filter((row) => row.ok !== undefined).length;
  console.log(`\n${aims - missed} of ${aims} aims reached; written to ${join(RESULTS, 'latest.md')}`);
  process.exitCode = missed > 0 ? 1 : 0;
}

function write(report: BenchReport): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(RESULTS, 'latest.md'), markdownReport(report));
}

function commitOf(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      cwd: CHECKOUT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown: no git here';
  }
}

await new Command('bench')
  .description('Measures Parallax against its limits and its peers.')
  .argument('[GROUP...]', `of ${Object.keys(GROUPS).join(', ')}; default: all`)
  .option('--quick', 'fewer rounds, smaller inputs, short limits', false)
  .option('--big', 'the group big with a session of 2 GB: 15 GB of disk, many minutes', false)
  .action((names: string[], options: BenchOptions) => run(names, options))
  .parseAsync();
