import { setTimeout } from 'node:timers/promises';
import { positionOf, sampleEvenly, turnAt } from '../../insight/places.ts';
import { MOST_POINTS } from '../../insight/series.ts';
import { CATEGORIES } from '../../model/category.ts';
import { CallPointSums, naiveStages } from '../../projection/allCallPoints.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { PRESETS, type Preset, presetsFor } from '../../projection/presets.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type { FirstOver, PresetFigure } from '../../protocol/types.ts';
import { ok } from '../../util/result.ts';
import { followInSlices, SessionTally, standBack } from '../callPoints.ts';
import type { Engine } from '../engine.ts';
import { readSpecFor } from '../policyScopes.ts';
import { readAt } from '../projecting.ts';
import { BoundedMap } from '../session/boundedMap.ts';
import { tokenFigure } from '../session/projected.ts';
import type { Session } from '../session/session.ts';
import type { Tokenizing } from '../session/tokenizing.ts';
import { createSlicer } from '../slicer.ts';

const COUNT_CHARS = 100_000;
/** Call points looked at under a preset that must be run anew at each. */
const NAIVE_SAMPLES = 5;
const KEPT_RUNS = 64;
const WAIT_FOR_SERIES_MS = 2_000;
const SERIES_LOOK_MS = 20;

/** What this turn would cost under every preset, and from where on each does not fit. */
export function budgetHandlers(engine: Engine): Pick<Handlers, 'budget.presets'> {
  return {
    async 'budget.presets'({ id, at, tokenizer, window, firstOver }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const place = readAt(session.value, at);
      if (!place.ok) return place;
      const tokens = session.value.tokenizing(tokenizer);
      const figures: PresetFigure[] = [];
      const slicer = createSlicer();
      await afterSeries(session.value);
      for (const preset of presetsFor(PRESETS, session.value.source.compactions().length > 0)) {
        const table: Table = {
          engine,
          session: session.value,
          tokens,
          preset,
          parsed: parse(engine, session.value, preset, window ?? null),
        };
        const whole = firstOver === true ? await wholeRun(table) : (knownRun(table) ?? null);
        const figure = figureIn(whole, table, place.value) ?? (await figureOf(table, place.value));
        const over = firstOver === true && figure.total !== null ? firstOverIn(whole, table, figure.total) : {};
        figures.push({ ...figure, ...(await over) });
        await slicer.pause();
        await standBack(session.value);
      }
      return ok({ figures });
    },
  };
}

// The chart is on screen, and over sooner: the table waits for it a while.
async function afterSeries(session: Session): Promise<void> {
  const until = performance.now() + WAIT_FOR_SERIES_MS;
  while (session.following > 0 && !session.closed && performance.now() < until) await setTimeout(SERIES_LOOK_MS);
}

interface Table {
  readonly engine: Engine;
  readonly session: Session;
  readonly tokens: Tokenizing;
  readonly preset: Preset;
  readonly parsed: ParsedSpec;
}

// A window chosen for this request stands above that of the preset, as it does above that of any spec.
function parse(engine: Engine, session: Session, { name, spec }: Preset, window: number | null): ParsedSpec {
  const given = window === null ? spec : { ...spec, budget: { ...spec.budget, window } };
  const parsed = readSpecFor(engine, session.id, given);
  if (!parsed.ok) throw new Error(`preset ${name} is no valid spec: ${parsed.error.message}`);
  return parsed.value;
}

async function figureOf({ engine, session, tokens, preset, parsed }: Table, at: number) {
  const { name, title, spec } = preset;
  const inputs = session.inputsFor(parsed.spec, { tokenizer: tokens.table.tokenizer });
  const projection = await engine.project(session, parsed.stages, at, { ...inputs, explain: false });
  const problem = projection.problems.find(({ severity }) => severity === 'error')?.text ?? null;
  const { figure } = tokens.viewFigure(projection.view, { chars: COUNT_CHARS });
  const total = inputs.budget?.total ?? null;
  const fits = total === null ? null : figure.total <= total;
  return { name, title, spec, tokens: figure, blocked: projection.providerSafetyBlocked, problem, total, fits };
}

/** The walk under one preset, up to the first call point that does not fit; of one that cannot follow there is none. */
interface WholeRun {
  /** In the order of CATEGORIES, call point by call point, as far as the walk went. */
  readonly byCategory: Float64Array;
  readonly blocked: Uint8Array;
  readonly reached: number;
  readonly counted: boolean;
  readonly firstOver: FirstOver | null;
}

const SLOTS = CATEGORIES.length;

function runsOf({ session }: Table): BoundedMap<string, WholeRun> {
  return session.memo.get('engine.presetRuns', () => new BoundedMap<string, WholeRun>(KEPT_RUNS));
}

// The same at whatever turn it is asked: remembered until there are other messages, or other counts.
function runKey({ session, tokens, parsed }: Table): string {
  const { state } = session.inputsFor(parsed.spec, { tokenizer: tokens.table.tokenizer });
  return JSON.stringify([parsed.spec.stages, session.source.length, state]);
}

function knownRun(table: Table): WholeRun | undefined {
  return runsOf(table).get(runKey(table));
}

async function wholeRun(table: Table): Promise<WholeRun | null> {
  const { engine, session, tokens, parsed } = table;
  if (naiveStages(parsed.stages).length > 0) return null;
  const known = knownRun(table);
  if (known !== undefined) return known;
  const key = runKey(table);
  const { callPoints, turnStarts } = session.outline;
  const total = totalOf(table) ?? Number.POSITIVE_INFINITY;
  const tally = new SessionTally(session, tokens);
  const byCategory = new Float64Array(callPoints.length * SLOTS);
  const blocked = new Uint8Array(callPoints.length);
  let sums: CallPointSums | null = null;
  let reached = 0;
  let firstOver: FirstOver | null = null;
  const walked = await followInSlices(
    { engine, session, parsed, tokens, points: callPoints },
    (point) => {
      tally.refill();
      sums ??= new CallPointSums(session.source, point, tally.add);
      return sums.take(point);
    },
    ({ at, byCategory: held, blocked: isBlocked }) => {
      byCategory.set(held, reached * SLOTS);
      blocked[reached++] = isBlocked ? 1 : 0;
      const sum = sumOf(held);
      if (sum > total) firstOver = { at, turn: turnAt(turnStarts, at) ?? 0, tokens: sum, sampled: false };
      return firstOver === null;
    },
  );
  const counted = tally.counted && walked.ok && walked.value.guesses === 0;
  const run: WholeRun = { byCategory, blocked, reached, counted, firstOver };
  const isWhole = reached === callPoints.length || firstOver !== null;
  if (run.counted && isWhole && callPoints.length <= MOST_POINTS) runsOf(table).set(key, run);
  return run;
}

function figureIn(run: WholeRun | null, table: Table, at: number) {
  const { session, tokens, preset } = table;
  const position = positionOf(session.outline.callPoints, at);
  if (run === null || position === null || position >= run.reached) return null;
  const sums = [...run.byCategory.subarray(position * SLOTS, (position + 1) * SLOTS)];
  const figure = tokenFigure(sums, run.counted ? tokens.provenance : 'estimated');
  const total = totalOf(table);
  const { name, title, spec } = preset;
  const blocked = run.blocked[position] === 1;
  const said = { blocked, problem: null, total, fits: fits(figure.total, total) };
  return { name, title, spec, tokens: figure, ...said };
}

/** What a request may hold under the preset; null = the window is not known. */
function totalOf({ session, tokens, parsed }: Table): number | null {
  return session.inputsFor(parsed.spec, { tokenizer: tokens.table.tokenizer }).budget?.total ?? null;
}

function fits(tokens: number, total: number | null): boolean | null {
  return total === null ? null : tokens <= total;
}

function firstOverIn(run: WholeRun | null, table: Table, total: number): Promise<Over> | Over {
  return run === null ? knownSamples(table, total) : { firstOver: run.firstOver };
}

interface Over {
  readonly firstOver: FirstOver | null;
}

async function knownSamples(table: Table, total: number): Promise<Over> {
  const known = table.session.memo.get('engine.firstOver', () => new BoundedMap<string, Over>(KEPT_RUNS));
  const key = `${total} ${runKey(table)}`;
  const over = known.get(key) ?? (await firstOverOfSamples(table, total));
  known.set(key, over);
  return over;
}

// Where the raw history fits, what a policy makes of it is taken to fit too.
async function firstOverOfSamples({ engine, session, tokens, parsed }: Table, total: number): Promise<Over> {
  const { callPoints, turnStarts } = session.outline;
  const large = callPoints.filter((at) => sumOf(tokens.range(0, at)) > total);
  const points = sampleEvenly(large, NAIVE_SAMPLES);
  const tally = new SessionTally(session, tokens);
  let sums: CallPointSums | null = null;
  let over: FirstOver | null = null;
  await followInSlices(
    { engine, session, parsed, tokens, points },
    (point) => {
      tally.refill();
      sums ??= new CallPointSums(session.source, point, tally.add);
      return sums.take(point);
    },
    ({ at, byCategory }) => {
      const held = sumOf(byCategory);
      const sampled = points.length < large.length;
      if (held > total) over = { at, turn: turnAt(turnStarts, at) ?? 0, tokens: held, sampled };
      return over === null;
    },
  );
  return { firstOver: over };
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
