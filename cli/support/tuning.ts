// Specs tried on sessions: sums over every request of each. Specs that begin alike share their first stages.

import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { sampleEvenly } from '../../core/insight/places.ts';
import { p95Of, type RequestSums } from '../../core/insight/requestSums.ts';
import type { TunedFigures } from '../../core/insight/tune/aim.ts';
import { criticalValues } from '../../core/insight/tune/critical.ts';
import { followTogether } from '../../core/insight/tune/together.ts';
import { specWith, type VariedOption, type VariedSpec } from '../../core/insight/tune/vary.ts';
import { WatchedTexts } from '../../core/insight/tune/watch.ts';
import type { ReachedPoint } from '../../core/projection/allCallPoints.ts';
import { type ParsedSpec, parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { StageAnswer } from '../../core/view/types.ts';
import type { Projector } from './projecting.ts';
import type { SessionRequests } from './requests.ts';
import { parsedOrFail } from './spec.ts';

/** What a spec comes to in one session. */
export interface TunedSession extends RequestSums {
  readonly usesGone: number;
  readonly watchpointsGone: number;
  /** Tokens of the messages of each request, in order. */
  readonly totals: readonly number[];
}

/** What a spec comes to in all of them. */
export interface TunedPoint extends VariedSpec, TunedFigures {
  readonly cacheBreaks: number;
  /** Of the first session that has one. */
  readonly firstOver: number | null;
  readonly sessions: readonly TunedSession[];
}

/** Cells that the views of one walk may have together: what is beyond waits for the next walk. */
const CELLS_AT_ONCE = 1_500_000;

/** Call points at which a winner is projected by itself. */
const PROOFS = 12;

/** A session that specs are tried on. */
export class TunedRequests {
  readonly requests: SessionRequests;
  readonly name: string;
  readonly watched: WatchedTexts;

  constructor(name: string, requests: SessionRequests, texts: readonly string[]) {
    this.name = name;
    this.requests = requests;
    this.watched = new WatchedTexts(requests.source, requests.transcript.meta, texts);
  }

  /** Tries specs. All must be variations of one: options of stages differ, nothing else. */
  async try(projector: Projector, specs: readonly ParsedSpec[]): Promise<readonly TunedSession[]> {
    return this.#inPieces(specs, (piece) => this.#walk(projector, piece));
  }

  /** The sums of every request under each spec as a hash; null = the spec is not accepted. */
  async signatures(projector: Projector, specs: readonly ProjectionSpec[]): Promise<readonly (string | null)[]> {
    const parsed = specs.map((spec) => parseSpec(spec, STAGES));
    const accepted = parsed.flatMap((each) => (each.ok ? [each.value] : []));
    const found = (await this.#inPieces(accepted, (piece) => this.#sign(projector, piece))).values();
    return parsed.map((each) => (each.ok ? (found.next().value ?? null) : null));
  }

  async #inPieces<T>(
    specs: readonly ParsedSpec[],
    take: (piece: readonly ParsedSpec[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const size = Math.max(1, Math.floor(CELLS_AT_ONCE / (this.requests.source.length + 1)));
    const found: T[] = [];
    for (let from = 0; from < specs.length; from += size) found.push(...(await take(specs.slice(from, from + size))));
    return found;
  }

  async #sign(projector: Projector, specs: readonly ParsedSpec[]): Promise<readonly string[]> {
    const tracks = specs.map(() => ({ figures: this.requests.figures(), hash: nodeSha256() }));
    await this.#follow(projector, specs, (spec, point) => {
      const track = tracks[spec];
      const { items, byCategory, counts, prefix } = track?.figures(point) ?? {};
      track?.hash.update(JSON.stringify([items, byCategory, counts, prefix?.tokens]));
    });
    return tracks.map(({ hash }) => hash.hex());
  }

  async #walk(projector: Projector, specs: readonly ParsedSpec[]): Promise<readonly TunedSession[]> {
    const { requests } = this;
    const [first] = specs;
    if (first === undefined) return [];
    const limits = await requests.limits(first);
    const tracks = specs.map(() => ({
      ...requests.summer(limits),
      watch: this.watched.follow(),
      uses: requests.uses(),
    }));
    await this.#follow(projector, specs, (spec, point) => {
      const track = tracks[spec];
      track?.take(point);
      track?.watch.take(point);
      track?.uses.take(point);
    });
    return tracks.map(({ summer, watch, uses }) => ({
      ...summer.sums,
      totals: summer.totals,
      usesGone: uses.summary.gone,
      watchpointsGone: watch.gone,
    }));
  }

  async #follow(
    projector: Projector,
    specs: readonly ParsedSpec[],
    take: (spec: number, point: ReachedPoint) => void,
  ): Promise<void> {
    const { requests } = this;
    const [first] = specs;
    if (first === undefined) return;
    const options = await requests.inputs(first);
    const stages = specs.map((spec) => spec.stages);
    const run = followTogether({ source: requests.source, specs: stages, points: requests.points, options });
    let answer: StageAnswer | null = null;
    for (let step = run.next(answer); step.done !== true; step = run.next(answer)) {
      answer = step.value.kind === 'effect' ? await projector.answer(step.value.effect) : null;
      if (step.value.kind === 'point') take(step.value.figures.spec, step.value.figures.point);
    }
  }

  /** Projects a spec by itself at the largest request, the last, and some between: whether each holds what was summed up. */
  async proves(projector: Projector, parsed: ParsedSpec, session: TunedSession): Promise<boolean> {
    const { requests } = this;
    const options = await requests.inputs(parsed);
    const chosen = new Set(sampleEvenly([...requests.points.keys()], PROOFS));
    if (session.peakAt !== null) chosen.add(requests.points.indexOf(session.peakAt));
    for (const position of chosen) {
      const at = requests.points[position];
      if (at === undefined) continue;
      const { view } = await projector.project(requests.source, parsed.stages, at, requests.memo, options);
      if (requests.tokensOf(view) !== session.totals[position]) return false;
    }
    return true;
  }
}

/** Values of an option at which a request of some session changes; ascending. See criticalValues. */
export async function criticalOf(
  projector: Projector,
  sessions: readonly TunedRequests[],
  spec: ProjectionSpec,
  option: VariedOption,
): Promise<readonly number[]> {
  const { type, min = 0 } = option.param;
  const range = { least: min, step: type === 'integer' ? 1 : DECIMAL, most: CRITICAL_MOST };
  const found = new Set<number>();
  for (const session of sessions) {
    const search = criticalValues(range);
    let step = search.next();
    while (step.done !== true) {
      const specs = step.value.map((value) => specWith(spec, [{ option, value }]));
      step = search.next(await session.signatures(projector, specs));
    }
    for (const value of step.value) found.add(value);
  }
  return [...found].sort((a, b) => a - b);
}

/** Of numbers that are not whole: shares of a window and the like. */
const DECIMAL = 0.01;
const CRITICAL_MOST = 16;

/** Tries specs on all sessions. */
export async function tryAll(
  projector: Projector,
  sessions: readonly TunedRequests[],
  specs: readonly VariedSpec[],
): Promise<readonly TunedPoint[]> {
  const parsed = specs.map(({ spec }) => parsedOrFail(spec));
  const found: (readonly TunedSession[])[] = [];
  for (const session of sessions) found.push(await session.try(projector, parsed));
  return specs.map((spec, at) =>
    pointOf(
      spec,
      found.map((each) => each[at]).filter((each) => each !== undefined),
    ),
  );
}

function pointOf({ values, spec }: VariedSpec, sessions: readonly TunedSession[]): TunedPoint {
  const totals = sessions.flatMap((session) => session.totals).sort((a, b) => a - b);
  const sum = (of: (session: TunedSession) => number): number => sessions.reduce((all, each) => all + of(each), 0);
  const cost = sessions.some((session) => session.cost === null) ? null : sum((session) => session.cost ?? 0);
  return {
    ...{ values, spec, sessions, cost },
    tokens: {
      mean: totals.length === 0 ? 0 : totals.reduce((all, each) => all + each, 0) / totals.length,
      p95: p95Of(totals),
      peak: totals.at(-1) ?? 0,
    },
    cacheBreaks: sum(({ cacheBreaks }) => cacheBreaks),
    usesGone: sum(({ usesGone }) => usesGone),
    watchpointsGone: sum(({ watchpointsGone }) => watchpointsGone),
    firstOver: sessions.find(({ firstOver }) => firstOver !== null)?.firstOver ?? null,
    over: sum(({ over }) => over),
    refused: sum(({ refused }) => refused),
  };
}
