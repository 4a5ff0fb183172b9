// What a point of a sweep comes to, in each session and in all of them.
import { p95Of, type RequestSums } from '../requestSums.ts';
import type { Aim, TunedFigures } from './aim.ts';
import { frontierOf } from './front.ts';
import type { VariedSpec } from './vary.ts';

/** How tokens and cost are known: counted by the model's own tokenizer, calibrated by recorded usage, or estimated. */
export type CountedHow = (typeof COUNTED_HOW)[number];

/** The surest first. */
export const COUNTED_HOW = ['exact', 'calibrated', 'estimated'] as const;

/** What a spec comes to in one session. */
export interface TunedSession extends RequestSums {
  readonly provenance: CountedHow;
  readonly usesGone: number;
  /** Uses of what was said before, whatever the spec. */
  readonly uses: number;
  readonly watchpointsGone: number;
  /** Tokens of the messages of each request, in order. */
  readonly totals: readonly number[];
}

/** What a spec comes to in all of them. */
export interface TunedPoint extends VariedSpec, TunedFigures {
  /** That of the least sure session. */
  readonly provenance: CountedHow;
  readonly uses: number;
  readonly cacheBreaks: number;
  /** Of the first session that has one. */
  readonly firstOver: number | null;
  readonly sessions: readonly TunedSession[];
}

/** Puts sessions together; the mean and the 95 % are those of all requests. */
export function pointOf({ values, spec }: VariedSpec, sessions: readonly TunedSession[]): TunedPoint {
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
    provenance: COUNTED_HOW.findLast((how) => sessions.some(({ provenance }) => provenance === how)) ?? 'estimated',
    cacheBreaks: sum(({ cacheBreaks }) => cacheBreaks),
    uses: sum(({ uses }) => uses),
    usesGone: sum(({ usesGone }) => usesGone),
    watchpointsGone: sum(({ watchpointsGone }) => watchpointsGone),
    firstOver: sessions.find(({ firstOver }) => firstOver !== null)?.firstOver ?? null,
    over: sum(({ over }) => over),
    unpriced: sum(({ unpriced }) => unpriced),
    refused: sum(({ refused }) => refused),
  };
}

/** For each point whether it is on the frontier; by mean tokens where those are the aim, or no price is known. */
export function frontOf(points: readonly TunedFigures[], aim: Aim | undefined): readonly boolean[] {
  const byTokens = aim === 'tokens' || points.some(({ cost }) => cost === null);
  return frontierOf(
    points.map(({ tokens, cost, usesGone, watchpointsGone }) => {
      return { usesGone, watchpointsGone, price: byTokens ? tokens.mean : (cost ?? 0) };
    }),
  );
}
