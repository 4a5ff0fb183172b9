// A sweep: options of a policy over values, on one or more sessions, in threads. Points are reported as they are finished; what is
// known of earlier sweeps is not computed again.

import { type Aim, aimKey, brokenConditions, type Conditions } from '../../insight/tune/aim.ts';
import { criticalValues } from '../../insight/tune/critical.ts';
import { pointOf, type TunedPoint, type TunedSession } from '../../insight/tune/point.ts';
import { compareKeys, type Place, type SortKey, searchGrid } from '../../insight/tune/search.ts';
import {
  type Axis,
  orderedAxes,
  placesOf,
  specAt,
  specWith,
  type Variation,
  type VariedOption,
  type VariedSpec,
  type VariedValue,
} from '../../insight/tune/vary.ts';
import { problemTexts } from '../../model/problem.ts';
import { parseSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import { countOf, grouped } from '../../util/counts.ts';
import { TunePool } from './pool.ts';
import type { GivenSession, SweepOptions } from './types.ts';

/** Points that are gone through; and so many are gone through whole also with an aim. */
export const POINTS_MOST = 5_000;
const WHOLE_MOST = 200;
/** The most points that one thread is asked for at once: they are reported together. */
const PIECE_MOST = 12;
/** Pieces that each thread has, so that none waits long for another. */
const PIECES = 3;
/** Of numbers that are not whole: shares of a window and the like. */
const DECIMAL = 0.01;
const CRITICAL_MOST = 16;

/** What is asked. */
export interface SweepQuestion {
  readonly spec: ProjectionSpec;
  readonly variations: readonly Variation[];
  /** Absent: all points are gone through, and none is chosen. */
  readonly aim?: Aim | undefined;
  readonly conditions: Conditions;
  readonly seed: number;
  readonly starts: number;
}

/** What is kept of earlier sweeps. */
export interface KeptSweeps {
  session(session: number, spec: ProjectionSpec): TunedSession | null;
  keepSession(session: number, spec: ProjectionSpec, found: TunedSession): void;
  signature(session: number, spec: ProjectionSpec): string | null | undefined;
  keepSignature(session: number, spec: ProjectionSpec, signature: string | null): void;
}

/** What is reported on the way. */
export interface SweepListeners {
  /** The values of each option, once they are known; `size` = points of the grid. */
  readonly axes?: (axes: readonly Axis[], size: number) => void;
  readonly point?: (point: TunedPoint) => void;
}

/** The result of a sweep. */
export interface SweepResult {
  readonly axes: readonly Axis[];
  /** Points of the grid. */
  readonly size: number;
  /** In the order of the grid, or in which they were looked for. */
  readonly points: readonly TunedPoint[];
  /** With an aim: the best that meets the conditions, and whether projecting it by itself gave the same; null = none does. */
  readonly winner: { readonly point: TunedPoint; readonly proved: boolean } | null;
  /** Watched texts that no session says. */
  readonly unsaid: readonly string[];
}

/** There are more points than are gone through. */
export class TooManyPointsError extends Error {
  readonly size: number;
  constructor(size: number) {
    super(`${countOf(size, 'point')}; ${grouped(POINTS_MOST)} at most`);
    this.size = size;
  }
}

/** An option accepts none of the values that were tried. */
export class NoValueError extends Error {
  readonly option: string;
  constructor(option: string) {
    super(`${option} accepts no value that was tried`);
    this.option = option;
  }
}

/** A spec of the grid is not accepted. */
export class RefusedSpecError extends Error {}

/** How it is run. */
export interface SweepInput {
  readonly question: SweepQuestion;
  readonly sessions: readonly GivenSession[];
  readonly options: SweepOptions;
  readonly threads: number;
  /** Points of a grid that is gone through; default POINTS_MOST. */
  readonly most?: number;
  readonly kept?: KeptSweeps | undefined;
  readonly listeners?: SweepListeners;
}

/** One sweep. */
export class Sweep {
  readonly #input: SweepInput;
  readonly #pool: TunePool;

  constructor(input: SweepInput) {
    this.#input = input;
    this.#pool = new TunePool(input.sessions, input.options, input.threads);
  }

  /** Runs it. Rejects with StoppedError if it was stopped, TooManyPointsError, NoValueError, or why a session cannot be tried. */
  async run(): Promise<SweepResult> {
    try {
      const [unsaid, result] = await Promise.all([this.#unsaid(), this.#run()]);
      return { ...result, unsaid };
    } finally {
      await this.#pool.close();
    }
  }

  /** Ends it: what was reported until then stays valid. */
  stop(): Promise<void> {
    return this.#pool.close();
  }

  async #unsaid(): Promise<readonly string[]> {
    const { sessions, options } = this.#input;
    if (options.texts.length === 0) return [];
    const found = await Promise.all(sessions.map((_, at) => this.#pool.ask(at, { kind: 'unsaid' })));
    return options.texts.filter((text) => found.every((own) => own.includes(text)));
  }

  async #run(): Promise<Omit<SweepResult, 'unsaid'>> {
    const { question, listeners } = this.#input;
    const axes = orderedAxes(await this.#axes());
    const size = axes.reduce((product, { values }) => product * values.length, 1);
    const { aim, conditions } = question;
    const isWhole = aim === undefined || size <= WHOLE_MOST;
    if (isWhole && size > (this.#input.most ?? POINTS_MOST)) throw new TooManyPointsError(size);
    listeners?.axes?.(axes, size);
    const keyOf = (point: TunedPoint): SortKey => aimKey(point, aim ?? 'money', conditions);
    const points = isWhole ? await this.#try(placesOf(axes), axes) : await this.#search(axes, keyOf);
    const [first, ...others] = points;
    if (aim === undefined || first === undefined) return { axes, size, points, winner: null };
    const best = others.reduce((least, one) => (compareKeys(keyOf(one), keyOf(least)) < 0 ? one : least), first);
    if (brokenConditions(best, conditions).length > 0) return { axes, size, points, winner: null };
    return { axes, size, points, winner: { point: best, proved: await this.#proves(best) } };
  }

  // Critical values are looked for with the other options as the spec has them.
  async #axes(): Promise<readonly Axis[]> {
    const axes: Axis[] = [];
    for (const { values, ...option } of this.#input.question.variations) {
      const chosen = values === 'critical' ? await this.#critical(option) : values;
      if (chosen.length === 0) throw new NoValueError(option.name);
      axes.push({ option, values: chosen });
    }
    return axes;
  }

  async #critical(option: VariedOption): Promise<readonly VariedValue[]> {
    const { type, min = 0 } = option.param;
    const range = { least: min, step: type === 'integer' ? 1 : DECIMAL, most: CRITICAL_MOST };
    const found = await Promise.all(
      this.#input.sessions.map(async (_, session) => {
        const search = criticalValues(range);
        let step = search.next();
        while (step.done !== true) {
          const specs = step.value.map((value) => specWith(this.#input.question.spec, [{ option, value }]));
          step = search.next(await this.#signatures(session, specs));
        }
        return step.value;
      }),
    );
    return [...new Set(found.flat())].sort((a, b) => a - b);
  }

  async #signatures(session: number, specs: readonly ProjectionSpec[]): Promise<readonly (string | null)[]> {
    const { kept } = this.#input;
    const known = specs.map((spec) => kept?.signature(session, spec));
    const unknown = specs.filter((_, at) => known[at] === undefined);
    const pieces = await Promise.all(
      this.#pieces(unknown, this.#pool.threads).map((piece) =>
        this.#pool.ask(session, { kind: 'signatures', specs: piece }),
      ),
    );
    const found = pieces.flat();
    for (const [at, spec] of unknown.entries()) kept?.keepSignature(session, spec, found[at] ?? null);
    const fresh = found.values();
    return known.map((each) => (each === undefined ? (fresh.next().value ?? null) : each));
  }

  async #search(axes: readonly Axis[], keyOf: (point: TunedPoint) => SortKey): Promise<readonly TunedPoint[]> {
    const { seed, starts } = this.#input.question;
    const tried: TunedPoint[] = [];
    const sizes = axes.map(({ values }) => values.length);
    const search = searchGrid({ sizes, start: this.#start(axes), starts, seed });
    for (let step = search.next(); step.done !== true; ) {
      const found = await this.#try(step.value, axes);
      tried.push(...found);
      step = search.next(found.map(keyOf));
    }
    return tried;
  }

  // Where the spec is now, as near as the values are.
  #start(axes: readonly Axis[]): Place {
    const { stages } = this.#input.question.spec;
    return axes.map(({ option, values }) => {
      const now = stages[option.stage]?.options?.[option.param.name] ?? option.param.default;
      const distances = values.map((value) => distance(value, now));
      return distances.indexOf(Math.min(...distances));
    });
  }

  async #try(places: readonly Place[], axes: readonly Axis[]): Promise<readonly TunedPoint[]> {
    const specs = places.map((place) => specAt(this.#input.question.spec, axes, place));
    for (const { spec } of specs) checkAccepted(spec);
    const { sessions } = this.#input;
    const found = new PointsFound(specs, sessions.length, (point) => this.#input.listeners?.point?.(point));
    await Promise.all(sessions.map((_, session) => this.#trySession(session, specs, found)));
    return found.points;
  }

  async #trySession(session: number, specs: readonly VariedSpec[], found: PointsFound): Promise<void> {
    const { kept, sessions } = this.#input;
    const unknown: { readonly at: number; readonly spec: ProjectionSpec }[] = [];
    for (const [at, { spec }] of specs.entries()) {
      const known = kept?.session(session, spec) ?? null;
      if (known === null) unknown.push({ at, spec });
      else found.take(at, session, known);
    }
    const pieces = this.#pieces(unknown, sessions.length === 1 ? this.#pool.threads * PIECES : PIECES);
    const trying = pieces.map(async (piece) => {
      const tried = await this.#pool.ask(session, { kind: 'try', specs: piece.map(({ spec }) => spec) });
      for (const [nth, { at, spec }] of piece.entries()) {
        const one = tried[nth];
        if (one === undefined) throw new Error('a spec was tried and nothing said of it');
        kept?.keepSession(session, spec, one);
        found.take(at, session, one);
      }
    });
    await Promise.all(trying);
  }

  #pieces<T>(all: readonly T[], count: number): readonly (readonly T[])[] {
    const size = Math.max(1, Math.min(PIECE_MOST, Math.ceil(all.length / count)));
    const pieces: (readonly T[])[] = [];
    for (let from = 0; from < all.length; from += size) pieces.push(all.slice(from, from + size));
    return pieces;
  }

  async #proves({ spec, sessions }: TunedPoint): Promise<boolean> {
    const proofs = await Promise.all(sessions.map((found, at) => this.#pool.ask(at, { kind: 'proves', spec, found })));
    return proofs.every((proof) => proof);
  }
}

function checkAccepted(spec: ProjectionSpec): void {
  const parsed = parseSpec(spec, STAGES);
  if (parsed.ok) return;
  throw new RefusedSpecError(problemTexts(parsed.error));
}

function distance(value: VariedValue, now: unknown): number {
  if (value === now) return 0;
  return typeof value === 'number' && typeof now === 'number' ? Math.abs(value - now) : Number.MAX_VALUE;
}

/** Joins the figures that sessions give for specs, and reports each point once all have theirs. */
class PointsFound {
  readonly #specs: readonly VariedSpec[];
  readonly #found: TunedSession[][];
  readonly #left: number[];
  readonly #onPoint: (point: TunedPoint) => void;
  readonly #points: TunedPoint[] = [];

  constructor(specs: readonly VariedSpec[], sessions: number, listeners: (point: TunedPoint) => void) {
    this.#specs = specs;
    this.#found = specs.map(() => []);
    this.#left = specs.map(() => sessions);
    this.#onPoint = listeners;
  }

  take(at: number, session: number, found: TunedSession): void {
    const [spec, own] = [this.#specs[at], this.#found[at]];
    if (spec === undefined || own === undefined) throw new RangeError(`no spec ${at} of ${this.#specs.length}`);
    own[session] = found;
    this.#left[at] = (this.#left[at] ?? 0) - 1;
    if (this.#left[at] !== 0) return;
    const point = pointOf(spec, own);
    this.#points[at] = point;
    this.#onPoint(point);
  }

  /** In the order of the specs. */
  get points(): readonly TunedPoint[] {
    return this.#points;
  }
}
