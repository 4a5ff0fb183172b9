// `parallax tune`: one to three options of a spec over values, on one or more transcripts: a line for each point, which of
// them are on the frontier, and, with an aim, the best that meets the conditions.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { RequestOptions } from '../../core/engine/requests/index.ts';
import { threadsHere } from '../../core/engine/threads/index.ts';
import {
  type GivenSession,
  NoValueError,
  POINTS_MOST,
  RefusedSpecError,
  StoppedError,
  Sweep,
  type SweepResult,
  TooManyPointsError,
} from '../../core/engine/tune/index.ts';
import { PRICES } from '../../core/insight/prices.ts';
import { AIMS, type Aim, type Conditions } from '../../core/insight/tune/aim.ts';
import { type JudgedPoint, judge, pointRecord, pointsAsCsv } from '../../core/insight/tune/report.ts';
import { readVariation, type Variation } from '../../core/insight/tune/vary.ts';
import type { WatchedQuery } from '../../core/insight/watch/types.ts';
import { naiveStages } from '../../core/projection/allCallPoints.ts';
import { NO_SCOPES } from '../../core/projection/contextScopes.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { dollarsText } from '../../core/util/dollars.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { countOf } from '../../core/view/words.ts';
import { defaultLibrary } from '../library.ts';
import { wholeNumber } from '../support/arguments.ts';
import { countsPlainly } from '../support/counting.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { EXIT, inputFailure, usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { checkLibraryFilter, fittingTranscripts } from '../support/libraryFilter.ts';
import { grouped, note, table, write, writeJson } from '../support/output.ts';
import { fileName } from '../support/readError.ts';
import { LIBRARY, NO_TOKENS, TRANSCRIPT } from '../support/sharedOptions.ts';
import { specNamed } from '../support/spec.ts';
import { type ThinkingOptions, withThinking, withThinkingOptions } from '../support/thinking.ts';

interface TuneOptions extends ThinkingOptions, RequestOptions {
  readonly spec: string;
  readonly vary: readonly string[];
  readonly keep?: readonly string[];
  readonly maxPeak?: number;
  readonly maxUsesGone?: number;
  readonly aim?: Aim;
  readonly seed: number;
  readonly starts: number;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly library?: string;
  readonly filter?: string;
  readonly jobs?: number;
  readonly json?: boolean;
  readonly ndjson?: boolean;
  readonly csv?: boolean;
}

interface Conditioned {
  readonly conditions: Conditions;
}

/** Options that may be varied. */
const AXES_MOST = 3;

const HELP = `
VALUES: 4..64:4 (from, to, step), 4,8,16, or critical: values at which a request changes. STAGE: its kind, or its position in the spec (from 0).

Exit codes: 0 done; 1 with --aim, no point meets the conditions; 2 wrong usage; 3 a file cannot be read.`;

/** `parallax tune`. */
export function addTune(program: Command): void {
  withThinkingOptions(
    program
      .command('tune')
      .description('vary options of a policy: what the session comes to at each point, and which points nothing beats')
      .argument('[FILE-or-ID...]', 'transcripts of any known format, or of the library, with the texts watched in them')
      .requiredOption('--spec <spec>', 'the policy: a name, JSON, or a file with it')
      .requiredOption('--vary <stage.option=values...>', 'an option and its values; up to three')
      .option('--keep <text...>', 'texts that requests should hold once they were said')
      .option('--max-peak <n>', 'tokens of the messages of the largest request at most', wholeNumber('--max-peak'))
      .option(
        '--max-uses-gone <n>',
        'uses of something that the request did not hold at most',
        wholeNumber('--max-uses-gone'),
      )
      .addOption(new Option('--aim <what>', 'look for the best point that meets the conditions').choices([...AIMS]))
      .option('--seed <n>', 'of the starts of the search', wholeNumber('--seed'), 1)
      .option('--starts <n>', 'how often the search begins again', wholeNumber('--starts', 1), 4)
      .option(...TRANSCRIPT)
      .option('--mapping <file>', 'read files by this mapping of their fields')
      .option(...LIBRARY)
      .option(
        '--filter <query>',
        'also the transcripts of the library that fit, as "project:api finding:any" (docs/filter.md)',
      )
      .addOption(
        new Option('--cache-points <where>').choices(['auto', 'recorded', 'end', 'end1h', 'none']).default('auto'),
      )
      .option('--jobs <n>', 'threads; as many as there are cores, at most eight', wholeNumber('--jobs', 1, 999))
      .option('--json', 'a line of JSON for each point')
      .option('--ndjson', 'the same as --json')
      .option('--csv', 'a line of comma-separated values for each point')
      .option(...NO_TOKENS),
  )
    .addHelpText('after', HELP)
    .action(tuneFiles);
}

async function tuneFiles(files: readonly string[], options: TuneOptions): Promise<void> {
  if (options.csv && (options.json || options.ndjson)) throw usageFailure('give --csv or --json, not both');
  if (files.length === 0 && options.filter === undefined) {
    throw usageFailure('no transcript: give files, ids, or --filter QUERY for transcripts of the library');
  }
  if (options.filter !== undefined) checkLibraryFilter(options.filter);
  const chosen = specNamed('--spec', options.spec);
  const base = { ...chosen, spec: withThinking(chosen.spec, options) };
  const variations = variationsOf(base, options);
  const sessions = await readSessions([...files, ...(await filteredIds(files, options))], options);
  const naive = naiveStages(base.stages);
  if (naive.length > 0) note(`${naive.join(', ')} must run again at every call point: this takes longer`);
  const conditions = conditionsOf(options, sessions);
  const result = await sweep(base, variations, sessions, { ...options, conditions });
  await print(
    { ...options, conditions },
    sessions.map(({ name }) => name),
    result,
  );
}

async function sweep(
  { spec }: ParsedSpec,
  variations: readonly Variation[],
  sessions: readonly GivenSession[],
  options: TuneOptions & Conditioned,
): Promise<SweepResult> {
  const { aim, seed, starts, tokens, cachePoints, keep: texts = [], jobs = threadsHere() } = options;
  const { listeners, done } = progress();
  const run = new Sweep({
    question: { spec, variations, aim, conditions: options.conditions, seed, starts },
    sessions,
    options: { tokens, plain: countsPlainly(), cachePoints, prices: PRICES, texts },
    threads: jobs,
    listeners,
  });
  const interrupted = (): void => void run.stop();
  process.once('SIGINT', interrupted);
  try {
    const result = await run.run();
    for (const text of result.unsaid) note(`nothing says "${text}"`);
    noteAxes(variations, result);
    return result;
  } catch (error) {
    throw failureOf(error);
  } finally {
    done();
    process.off('SIGINT', interrupted);
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof TooManyPointsError) {
    const most = `${grouped(POINTS_MOST)} at most: give fewer values, or an --aim to search`;
    return usageFailure(`${grouped(error.size)} points; ${most}`);
  }
  if (error instanceof NoValueError) return usageFailure(`--vary: ${error.message}`);
  if (error instanceof RefusedSpecError) return usageFailure(error.message, 'spec.invalid');
  if (error instanceof StoppedError) return inputFailure('interrupted');
  return error;
}

// Only for somebody who looks on: a log holds what came of it.
function progress() {
  if (!process.stderr.isTTY) return { listeners: {}, done: () => {} };
  let [found, size] = [0, 0];
  const show = () => process.stderr.write(`\r${grouped(found)} of ${grouped(size)} points `);
  return {
    listeners: {
      axes: (_: unknown, points: number) => {
        size = points;
        show();
      },
      point: () => {
        found++;
        show();
      },
    },
    done: () => void process.stderr.write('\r\x1b[K'),
  };
}

function noteAxes(variations: readonly Variation[], { axes }: SweepResult): void {
  for (const { name, values } of variations) {
    const found = axes.find(({ option }) => option.name === name)?.values ?? [];
    if (values === 'critical') note(`${name}: ${countOf(found.length, 'value')} at which something changes`);
  }
}

function variationsOf({ spec }: ParsedSpec, { vary }: TuneOptions): readonly Variation[] {
  if (vary.length > AXES_MOST) throw usageFailure(`${vary.length} options are varied; ${AXES_MOST} at most`);
  const found = vary.map((given) => {
    const read = readVariation(given, spec, STAGES);
    if (!read.ok) throw usageFailure(`--vary: ${read.error}`, 'spec.invalid');
    return read.value;
  });
  const names = found.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw usageFailure(`--vary: ${twice} is varied twice`);
  return found;
}

/** The ids of transcripts of the library that fit the filter, besides those that are named. */
async function filteredIds(named: readonly string[], options: TuneOptions): Promise<readonly string[]> {
  const { filter } = options;
  if (filter === undefined) return [];
  const { transcripts } = await withEngine(options, (engine) => engine.call('library.list', {}));
  const found = fittingTranscripts(transcripts, filter).map(({ id }) => id);
  if (found.length === 0) throw inputFailure(`no transcript of the library fits the filter: ${filter}`);
  return found.filter((id) => !named.includes(id));
}

async function readSessions(files: readonly string[], options: TuneOptions): Promise<readonly GivenSession[]> {
  const sessions: GivenSession[] = [];
  const ids = files.filter((file) => file !== '-' && !existsSync(file));
  const watched = ids.length === 0 ? new Map<string, readonly WatchedQuery[]>() : await watchedIn(ids, options);
  for (const file of files) {
    if (watched.has(file)) {
      const dir = resolve(options.library ?? defaultLibrary());
      const source = { from: 'library', dir, id: file } as const;
      sessions.push({ name: file, source, scopes: NO_SCOPES, watched: watched.get(file) ?? [] });
      continue;
    }
    const { transcript } = await readTranscript(file, options);
    sessions.push({ name: fileName(file), source: { from: 'memory', transcript }, scopes: NO_SCOPES });
  }
  return sessions;
}

/** What is watched in transcripts of the library; what it does not have is read as a file, and reported as one. */
function watchedIn(
  ids: readonly string[],
  options: LibraryOptions,
): Promise<ReadonlyMap<string, readonly WatchedQuery[]>> {
  return withEngine(options, async (engine) => {
    const { transcripts } = await engine.call('library.list', {});
    const known = new Set(transcripts.map(({ id }) => id));
    const found = new Map<string, readonly WatchedQuery[]>();
    for (const id of ids) {
      if (known.has(id)) found.set(id, (await engine.call('watch.list', { id })).watchpoints);
    }
    return found;
  });
}

function conditionsOf({ maxPeak, maxUsesGone, keep = [] }: TuneOptions, sessions: readonly GivenSession[]): Conditions {
  const watched = sessions.some((session) => (session.watched ?? []).length > 0);
  return { maxPeak, maxUsesGone, keepsWatched: keep.length > 0 || watched };
}

async function print(
  options: TuneOptions & Conditioned,
  names: readonly string[],
  { points, winner, size }: SweepResult,
): Promise<void> {
  const judged = judge(points, { aim: options.aim, conditions: options.conditions, winner });
  if (options.csv) await write(pointsAsCsv(judged));
  else if (options.json || options.ndjson) for (const line of judged) await writeJson(pointRecord(line, names));
  else await write(textOf(judged));
  if (options.aim === undefined) return;
  note(`${countOf(points.length, 'spec')} tried of ${grouped(size)}`);
  if (winner === null) note('no point meets the conditions');
  else
    note(
      winner.proved
        ? 'the best point was projected by itself: its figures hold'
        : 'projecting the best point gave other figures',
    );
  if (winner?.proved !== true) process.exitCode = EXIT.finding;
}

function textOf(lines: readonly JudgedPoint[]): string {
  const names = Object.keys(lines[0]?.point.values ?? {});
  const head = [
    '',
    ...names,
    'mean',
    '95%',
    'peak',
    'input cost',
    'breaks',
    'uses gone',
    'texts gone',
    'over',
    'refused',
  ];
  const rows = lines.map(({ point, front, best, broken }) => [
    `${best ? '>' : ' '}${broken.length > 0 ? '/' : front ? '●' : '○'}`,
    ...names.map((name) => String(point.values[name])),
    ...[Math.round(point.tokens.mean), point.tokens.p95, point.tokens.peak].map(grouped),
    point.cost === null ? '–' : partialSum(dollarsText(point.cost), point.unpriced),
    ...[point.cacheBreaks, point.usesGone, point.watchpointsGone, point.over, point.refused].map(grouped),
  ]);
  const right = head.map((_, at) => at).slice(1);
  return `${table([head, ...rows], right)}\nmean, 95%, peak: tokens of the messages of a request; the cost has the next request in it\n● nothing beats it in ${PRICED}   ○ beaten   / breaks a condition   > the best\n`;
}

const PRICED = 'cost, uses gone and texts gone at once';
