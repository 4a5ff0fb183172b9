// The end of every reducer: its report. Reducers never touch the assistant's own words, so there is no provider safety
// to ask: what goes, goes in whole turns or is a tool's result.
import { countFates } from '../../../../core/view/fates.ts';
import type { Fate, StageContext, StageReport } from '../../../../core/view/types.ts';

/** A reducer's identity: kind and title. */
export interface ReducerName {
  readonly kind: string;
  readonly title: string;
}

/** What a reducer says of its run. */
export interface ReducerOutcome {
  /** One line for the card. */
  readonly summary: string;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly reclaimedChars?: number;
  /** Where they are counted; absent = a quarter of the characters. */
  readonly reclaimedTokens?: number;
  readonly problems?: StageReport['problems'];
  readonly needsSummary?: StageReport['needsSummary'];
  readonly meta?: StageReport['meta'];
}

/** The report of a run. */
export function reportOf(name: ReducerName, context: StageContext, outcome: ReducerOutcome): StageReport {
  const { kept: _explained, ...counts } = countFates(outcome.fates.values());
  const reclaimedChars = outcome.reclaimedChars ?? 0;
  return {
    stage: context.stage,
    kind: name.kind,
    title: name.title,
    enabled: true,
    summary: outcome.summary,
    reason: name.kind,
    counts,
    reclaimedChars,
    reclaimedTokens: outcome.reclaimedTokens ?? Math.floor(reclaimedChars / 4),
    rootsConsulted: [],
    blockedBy: null,
    problems: outcome.problems ?? [],
    ...(outcome.needsSummary !== undefined && { needsSummary: outcome.needsSummary }),
    ...(outcome.meta !== undefined && { meta: outcome.meta }),
  };
}
