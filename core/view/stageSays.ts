// What a stage says at the call point it is at, provider safety included: its fates and its report.
import { refusedFate } from './fates.ts';
import type { IncrementalRun, StageDone } from './incremental.ts';
import type { Overlay } from './overlay.ts';
import type { Fate, StageReport } from './types.ts';

/** Who a stage is, for its reports. */
export interface StageName {
  readonly kind: string;
  readonly title: string;
}

/** The report of a stage at the call point it is at: what all stages say alike, and its own part. */
export function reportOf(
  run: Pick<IncrementalRun, 'report' | 'blockedBy'>,
  overlay: Overlay,
  name: StageName,
  stage: number,
): StageReport {
  const counts = overlay.counts();
  const touched = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const blockedBy = overlay.blocked ? overlay.blockedBy : (run.blockedBy ?? null);
  const done: StageDone = { counts: blockedBy === null ? counts : {}, touched, blockedBy };
  return {
    stage,
    kind: name.kind,
    title: name.title,
    enabled: true,
    reason: name.kind,
    counts: done.counts,
    reclaimedChars: 0,
    reclaimedTokens: 0,
    rootsConsulted: [],
    blockedBy,
    problems: [],
    ...run.report(done),
  };
}

/** What a stage says of a message at the call point it is at, provider safety included; null = nothing. */
export function fateUnder(
  run: Pick<IncrementalRun, 'fateOf'>,
  overlay: Overlay,
  name: StageName,
  stage: number,
  index: number,
): Fate | null {
  const fate = run.fateOf(index);
  const { blockedBy } = overlay;
  if (!overlay.blocked || blockedBy === null || fate === null || fate.kind === 'kept') return fate;
  return refusedFate(stage, name.kind, fate, blockedBy);
}
