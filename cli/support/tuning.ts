// Specs tried on sessions: sums over every request of each. Specs that begin alike share their first stages.

import { sampleEvenly } from '../../core/insight/places.ts';
import { p95Of, type RequestSums } from '../../core/insight/requestSums.ts';
import type { TunedFigures } from '../../core/insight/tune/aim.ts';
import { followTogether } from '../../core/insight/tune/together.ts';
import type { VariedSpec } from '../../core/insight/tune/vary.ts';
import { WatchedTexts } from '../../core/insight/tune/watch.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
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
    const size = Math.max(1, Math.floor(CELLS_AT_ONCE / (this.requests.source.length + 1)));
    const found: TunedSession[] = [];
    for (let from = 0; from < specs.length; from += size) {
      found.push(...(await this.#walk(projector, specs.slice(from, from + size))));
    }
    return found;
  }

  async #walk(projector: Projector, specs: readonly ParsedSpec[]): Promise<readonly TunedSession[]> {
    const { requests } = this;
    const [first] = specs;
    if (first === undefined) return [];
    const options = await requests.inputs(first);
    const limits = await requests.limits(first);
    const tracks = specs.map(() => ({
      ...requests.summer(limits),
      watch: this.watched.follow(),
      uses: requests.uses(),
    }));
    const run = followTogether({
      source: requests.source,
      specs: specs.map(({ stages }) => stages),
      points: requests.points,
      options,
    });
    let answer: StageAnswer | null = null;
    for (let step = run.next(answer); step.done !== true; step = run.next(answer)) {
      answer = step.value.kind === 'effect' ? await projector.answer(step.value.effect) : null;
      if (step.value.kind !== 'point') continue;
      const { spec, point } = step.value.figures;
      const track = tracks[spec];
      track?.take(point);
      track?.watch.take(point);
      track?.uses.take(point);
    }
    return tracks.map(({ summer, watch, uses }) => ({
      ...summer.sums,
      totals: summer.totals,
      usesGone: uses.summary.gone,
      watchpointsGone: watch.gone,
    }));
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
