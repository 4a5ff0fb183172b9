// `parallax tune`: one to three options of a spec over values, on one or more transcripts: a line for each point, which of
// them are on the frontier, and, with an aim, the best that meets the conditions.
import { type Command, Option } from 'commander';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import {
  AIMS,
  type Aim,
  aimKey,
  type BrokenCondition,
  brokenConditions,
  type Conditions,
} from '../../core/insight/tune/aim.ts';
import { frontierOf } from '../../core/insight/tune/front.ts';
import { compareKeys, type Place, type SortKey, searchGrid } from '../../core/insight/tune/search.ts';
import {
  type Axis,
  orderedAxes,
  placesOf,
  readVariation,
  specAt,
  type Variation,
  type VariedValue,
} from '../../core/insight/tune/vary.ts';
import { naiveStages } from '../../core/projection/allCallPoints.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { countOf } from '../../core/view/words.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { grouped, note, table, write, writeJson } from '../support/output.ts';
import { type Projector, withProjector } from '../support/projecting.ts';
import { fileName } from '../support/readError.ts';
import { type RequestOptions, SessionRequests } from '../support/requests.ts';
import { parsedOrFail, specNamed } from '../support/spec.ts';
import { type ThinkingOptions, withThinking, withThinkingOptions } from '../support/thinking.ts';
import { criticalOf, type TunedPoint, TunedRequests, tryAll } from '../support/tuning.ts';

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
  readonly json?: boolean;
}

/** Options that may be varied, and points that are gone through. */
const AXES_MOST = 3;
const POINTS_MOST = 5_000;
/** A grid of so many is gone through whole, also with an aim. */
const WHOLE_MOST = 200;

const HELP = `
VALUES: 4..64:4 (from, to, step), 4,8,16, or critical: values at which a request changes. STAGE: its kind, or its position in the spec (from 0).

Exit codes: 0 done; 1 with --aim, no point meets the conditions; 2 wrong usage; 3 a file cannot be read.`;

/** `parallax tune`. */
export function addTune(program: Command): void {
  withThinkingOptions(
    program
      .command('tune')
      .description('vary options of a policy: what the session comes to at each point, and which points nothing beats')
      .argument('<FILE...>', 'transcripts of any known format')
      .requiredOption('--spec <spec>', 'the policy: a name, JSON, or a file with it')
      .requiredOption('--vary <stage.option=values...>', 'an option and its values; up to three')
      .option('--keep <text...>', 'texts that requests should hold once they were said')
      .option('--max-peak <n>', 'tokens of the messages of the largest request at most', wholeNumber)
      .option('--max-uses-gone <n>', 'uses of something that the request did not hold at most', wholeNumber)
      .addOption(new Option('--aim <what>', 'look for the best point that meets the conditions').choices([...AIMS]))
      .option('--seed <n>', 'of the starts of the search', wholeNumber, 1)
      .option('--starts <n>', 'how often the search begins again', wholeNumber, 4)
      .option('--transcript <key-or-n>', 'which transcript of a file that holds several')
      .option('--mapping <file>', 'read files by this mapping of their fields')
      .addOption(
        new Option('--cache-points <where>').choices(['auto', 'recorded', 'end', 'end1h', 'none']).default('auto'),
      )
      .option('--json', 'a line of JSON for each point')
      .option('--no-tokens', 'estimates instead of counted tokens: faster'),
  )
    .addHelpText('after', HELP)
    .action(tuneFiles);
}

function wholeNumber(given: string): number {
  if (/^\d+$/.test(given)) return Number(given);
  throw usageFailure(`${given} is not a whole number`);
}

async function tuneFiles(files: readonly string[], options: TuneOptions): Promise<void> {
  const chosen = specNamed('--spec', options.spec);
  const base = { ...chosen, spec: withThinking(chosen.spec, options) };
  const variations = variationsOf(base, options);
  const sessions = await openAll(files, options);
  const naive = naiveStages(base.stages);
  if (naive.length > 0) note(`${naive.join(', ')} must run again at every call point: this takes longer`);
  await withProjector(async (projector) => {
    const axes = orderedAxes(await axesOf(projector, sessions, base, variations));
    const tuning = { projector, sessions, base, axes, options };
    const { points, winner } = options.aim === undefined ? await tryGrid(tuning) : await tuneFor(tuning, options.aim);
    await print(tuning, points, winner);
  });
}

interface Tuning {
  readonly projector: Projector;
  readonly sessions: readonly TunedRequests[];
  readonly base: ParsedSpec;
  readonly axes: readonly Axis[];
  readonly options: TuneOptions;
}

interface Tried {
  readonly points: readonly TunedPoint[];
  readonly winner: Winner | null;
}

interface Winner {
  readonly point: TunedPoint;
  readonly proved: boolean;
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

// Critical values are looked for with the other options as the spec has them.
async function axesOf(
  projector: Projector,
  sessions: readonly TunedRequests[],
  { spec }: ParsedSpec,
  variations: readonly Variation[],
): Promise<readonly Axis[]> {
  const axes: Axis[] = [];
  for (const { values, ...option } of variations) {
    const chosen = values === 'critical' ? await criticalOf(projector, sessions, spec, option) : values;
    if (values === 'critical') note(`${option.name}: ${countOf(chosen.length, 'value')} at which something changes`);
    if (chosen.length === 0) throw usageFailure(`--vary: ${option.name} accepts no value that was tried`);
    axes.push({ option, values: chosen });
  }
  return axes;
}

async function openAll(files: readonly string[], options: TuneOptions): Promise<readonly TunedRequests[]> {
  const sessions: TunedRequests[] = [];
  for (const file of files) {
    const { transcript } = await readTranscript(file, options);
    const requests = await SessionRequests.open(transcript, MemoryTranscript.of(transcript), options);
    sessions.push(new TunedRequests(fileName(file), requests, options.keep ?? []));
  }
  for (const text of options.keep ?? []) {
    if (sessions.every(({ watched }) => watched.unsaid.includes(text))) note(`nothing says "${text}"`);
  }
  return sessions;
}

async function tryGrid({ projector, sessions, base, axes }: Tuning): Promise<Tried> {
  const size = axes.reduce((product, { values }) => product * values.length, 1);
  if (size > POINTS_MOST) {
    throw usageFailure(
      `${grouped(size)} points; ${grouped(POINTS_MOST)} at most: give fewer values, or an --aim to search`,
    );
  }
  const specs = placesOf(axes).map((place) => specAt(base.spec, axes, place));
  return { points: await tryAll(projector, sessions, specs), winner: null };
}

async function tuneFor(tuning: Tuning, aim: Aim): Promise<Tried> {
  const { axes, options } = tuning;
  const conditions = conditionsOf(options);
  const size = axes.reduce((product, { values }) => product * values.length, 1);
  const keyOf = (point: TunedPoint): SortKey => aimKey(point, aim, conditions);
  const points = size <= WHOLE_MOST ? (await tryGrid(tuning)).points : await searchPoints(tuning, keyOf);
  const best = points.reduce((least, point) => (compareKeys(keyOf(point), keyOf(least)) < 0 ? point : least));
  note(`${countOf(points.length, 'spec')} tried of ${grouped(size)}`);
  const meets = brokenConditions(best, conditions).length === 0;
  return { points, winner: meets ? { point: best, proved: await proves(tuning, best) } : null };
}

async function searchPoints(tuning: Tuning, keyOf: (point: TunedPoint) => SortKey): Promise<readonly TunedPoint[]> {
  const { axes, base, options, projector, sessions } = tuning;
  const { seed, starts } = options;
  const tried: TunedPoint[] = [];
  const sizes = axes.map(({ values }) => values.length);
  const search = searchGrid({ sizes, start: startOf(tuning), starts, seed });
  for (let step = search.next(); step.done !== true; ) {
    const specs = step.value.map((place) => specAt(base.spec, axes, place));
    const found = await tryAll(projector, sessions, specs);
    tried.push(...found);
    step = search.next(found.map(keyOf));
  }
  return tried;
}

// Where the spec is now, as near as the values are.
function startOf({ axes, base }: Tuning): Place {
  return axes.map(({ option, values }) => {
    const now = base.spec.stages[option.stage]?.options?.[option.param.name] ?? option.param.default;
    const distances = values.map((value) => distance(value, now));
    return distances.indexOf(Math.min(...distances));
  });
}

function distance(value: VariedValue, now: unknown): number {
  if (value === now) return 0;
  return typeof value === 'number' && typeof now === 'number' ? Math.abs(value - now) : Number.MAX_VALUE;
}

async function proves({ projector, sessions }: Tuning, { spec, sessions: tried }: TunedPoint): Promise<boolean> {
  const parsed = parsedOrFail(spec);
  for (const [at, session] of sessions.entries()) {
    const found = tried[at];
    if (found === undefined || !(await session.proves(projector, parsed, found))) return false;
  }
  return true;
}

function conditionsOf({ maxPeak, maxUsesGone, keep = [] }: TuneOptions): Conditions {
  return { maxPeak, maxUsesGone, keepsWatched: keep.length > 0 };
}

async function print(
  { options, sessions }: Tuning,
  points: readonly TunedPoint[],
  winner: Winner | null,
): Promise<void> {
  const byTokens = options.aim === 'tokens' || points.some(({ cost }) => cost === null);
  const front = frontierOf(
    points.map(({ tokens, cost, ...point }) => ({ ...point, price: byTokens ? tokens.mean : (cost ?? 0) })),
  );
  const conditions = conditionsOf(options);
  const lines = points.map((point, at) => {
    const broken = brokenConditions(point, conditions);
    const isFront = front[at] === true;
    return { point, broken, isFront, isWinner: point === winner?.point, proved: winner?.proved ?? false };
  });
  if (options.json) for (const line of lines) await writeJson(jsonOf(line, sessions));
  else await write(textOf(lines));
  if (options.aim === undefined) return;
  if (winner === null) note('no point meets the conditions');
  else
    note(
      winner.proved
        ? 'the best point was projected by itself: its figures hold'
        : 'projecting the best point gave other figures',
    );
  if (winner?.proved !== true) process.exitCode = EXIT.finding;
}

interface PrintedPoint {
  readonly point: TunedPoint;
  readonly broken: readonly BrokenCondition[];
  readonly isFront: boolean;
  readonly isWinner: boolean;
  readonly proved: boolean;
}

function jsonOf({ point, broken, isFront, isWinner, proved }: PrintedPoint, opened: readonly TunedRequests[]) {
  const { sessions, ...figures } = point;
  const named = sessions.map(({ totals: _totals, ...sums }, at) => ({ transcript: opened[at]?.name ?? '', ...sums }));
  return {
    ...figures,
    front: isFront,
    ...(broken.length > 0 && { breaks: broken }),
    ...(isWinner && { best: true, proved }),
    ...(named.length > 1 && { sessions: named }),
  };
}

function textOf(lines: readonly PrintedPoint[]): string {
  const names = Object.keys(lines[0]?.point.values ?? {});
  const head = ['', ...names, 'mean', '95%', 'peak', 'cost', 'breaks', 'uses gone', 'texts gone', 'over', 'refused'];
  const rows = lines.map(({ point, isFront, isWinner, broken }) => [
    `${isWinner ? '>' : ' '}${broken.length > 0 ? '/' : isFront ? '●' : '○'}`,
    ...names.map((name) => String(point.values[name])),
    ...[Math.round(point.tokens.mean), point.tokens.p95, point.tokens.peak].map(grouped),
    point.cost === null ? '–' : `$${point.cost.toFixed(2)}`,
    ...[point.cacheBreaks, point.usesGone, point.watchpointsGone, point.over, point.refused].map(grouped),
  ]);
  const right = head.map((_, at) => at).slice(1);
  return `${table([head, ...rows], right)}\n● nothing beats it in ${PRICED}   ○ beaten   / breaks a condition   > the best\n`;
}

const PRICED = 'cost, uses gone and texts gone at once';
