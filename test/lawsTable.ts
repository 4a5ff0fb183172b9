// npm run laws:table [-- --points 2 --transcripts N --seed 1 --full --threads 2 FILE…]   The laws over all visible
// corpora × all presets × sampled call points: one fate a message, input untouched, deterministic, explained; and with a
// hygiene profile behind it (the transcript's own, and one of each wire format) nothing for the lint to find and nothing
// for a second repair to do. Prints a row a preset. Exit code 1 if a law is broken.
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Command, InvalidArgumentError } from 'commander';
import { formats } from '../core/importers/formats/index.ts';
import { allPresets, PRESETS } from '../core/projection/presets.ts';
import { grouped } from '../core/view/words.ts';
import { LAST_PROFILES } from './support/lawfulHygiene.ts';
import {
  emptyTally,
  type FileSurvey,
  type PresetTally,
  type SurveyOptions,
  UNKNOWN_WINDOW,
} from './support/lawsSurvey.ts';
import type { LawsAnswer } from './support/lawsWorker.ts';
import { corpusFiles, sharedDir } from './support/shared.ts';

const MOST_TOLD = 40;

interface Options {
  readonly points: number;
  readonly transcripts?: number;
  readonly seed: number;
  readonly threads: number;
  readonly full?: boolean;
}

interface Totals {
  readonly presets: Map<string, PresetTally>;
  readonly violations: string[];
  files: number;
  found: number;
  surveyed: number;
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

// Each thread takes the next file when it is done with one; the largest go first.
async function survey(files: readonly string[], options: SurveyOptions, threads: number): Promise<Totals> {
  const totals: Totals = { presets: new Map(), violations: [], files: 0, found: 0, surveyed: 0 };
  const waiting = [...files];
  const take = (answer: LawsAnswer): void => {
    totals.files++;
    if ('crash' in answer) totals.violations.push(`${answer.path}: ${answer.crash}`);
    else add(totals, answer.survey);
  };
  await Promise.all(Array.from({ length: Math.max(1, threads) }, () => runThread(waiting, options, take)));
  return totals;
}

function runThread(waiting: string[], options: SurveyOptions, take: (answer: LawsAnswer) => void): Promise<void> {
  return new Promise((done, fail) => {
    const worker = new Worker(new URL('./support/lawsWorker.ts', import.meta.url), { workerData: options });
    const next = (): void => {
      const path = waiting.shift();
      if (path === undefined) void worker.terminate().then(() => done());
      else worker.postMessage(path);
    };
    worker.on('message', (answer: LawsAnswer) => {
      take(answer);
      next();
    });
    worker.on('error', fail);
    next();
  });
}

function add(totals: Totals, { presets, violations, found, surveyed }: FileSurvey): void {
  totals.found += found;
  totals.surveyed += surveyed;
  totals.violations.push(...violations);
  for (const [name, own] of presets) {
    const sum = totals.presets.get(name) ?? emptyTally();
    sum.transcripts += own.transcripts;
    sum.points += own.points;
    sum.projections += own.projections;
    sum.rawTokens += own.rawTokens;
    sum.projectedTokens += own.projectedTokens;
    sum.previousTokens += own.previousTokens;
    sum.prefixTokens += own.prefixTokens;
    sum.violations += own.violations;
    totals.presets.set(name, sum);
  }
}

const HEAD = ['preset', 'transcripts', 'call points', 'violations', 'tokens saved', 'cache kept'];

function rowOf(name: string, tally: PresetTally): readonly string[] {
  const { transcripts, points, violations, rawTokens, projectedTokens, previousTokens, prefixTokens } = tally;
  const saved = rawTokens === 0 ? '–' : share(rawTokens - projectedTokens, rawTokens);
  const kept = previousTokens === 0 ? '–' : share(prefixTokens, previousTokens);
  return [name, grouped(transcripts), grouped(points), grouped(violations), saved, kept];
}

function share(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(1)}%`;
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)));
    console.log(cells.join('  ').trimEnd());
  }
}

function report(totals: Totals, options: Options, seconds: number): void {
  printTable([HEAD, ...allPresets(PRESETS).map(({ name }) => rowOf(name, totals.presets.get(name) ?? emptyTally()))]);
  const tallies = [...totals.presets.values()];
  const sum = (read: (tally: PresetTally) => number) => grouped(tallies.reduce((all, each) => all + read(each), 0));
  const broken = totals.violations.length;
  console.log(
    `\n${totals.files} files, ${grouped(totals.surveyed)} of ${grouped(totals.found)} transcripts, ${tallies.length} presets, ` +
      `${sum(({ points }) => points)} projections checked (${sum(({ projections }) => projections)} made), each repaired for ` +
      `${LAST_PROFILES.length} targets: ${grouped(broken)} violations. Call points sampled from seed ${options.seed}, ${seconds.toFixed(0)} s.`,
  );
  console.log(
    'tokens saved: of the raw history, at the sampled call points; cache kept: of the request before, what stands unchanged ' +
      'at the front of the next. Both in estimated tokens (a quarter of the characters); ' +
      `the window is that of the transcript’s model, ${grouped(UNKNOWN_WINDOW)} where it is not known.`,
  );
  for (const violation of totals.violations.slice(0, MOST_TOLD)) console.log(`VIOLATION ${violation}`);
  if (broken > MOST_TOLD) console.log(`… and ${broken - MOST_TOLD} more`);
}

const command = new Command('laws:table')
  .description('The laws over the corpora, preset by preset.')
  .argument('[FILE...]', 'files instead of the visible corpora')
  .option('--points <n>', 'call points of each transcript, besides its end', count, 2)
  .option('--transcripts <n>', 'transcripts of each file; default: all', count)
  .option('--seed <n>', 'of the sample', count, 1)
  .option('--threads <n>', 'threads', count, 2)
  .option('--full', 'twenty call points of each transcript')
  .parse();
const options = command.opts<Options>();
const given = command.args.map((file) => resolve(file));
const files = given.length > 0 ? given : formats.all.flatMap(({ id }) => corpusFiles(id));
if (files.length === 0) {
  console.error(`no corpus was found ${sharedDir() === null ? 'beside this checkout' : 'here'}; name FILEs`);
  process.exitCode = 2;
} else {
  const startedAt = performance.now();
  const sample: SurveyOptions = {
    points: options.full === true ? 20 : options.points,
    transcripts: options.transcripts ?? Number.POSITIVE_INFINITY,
    seed: options.seed,
  };
  const totals = await survey(files, sample, options.threads);
  report(totals, options, (performance.now() - startedAt) / 1000);
  process.exitCode = totals.violations.length > 0 ? 1 : 0;
}
