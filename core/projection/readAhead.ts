// What a first projection of a long transcript reads in one go may be read piece by piece before, by a host that answers
// others meanwhile.
import { readAhead } from '../stages/hygiene/index.ts';
import type { ResolvedStage } from './parseSpec.ts';

export { readAhead };

/** Stages that leave most of a history standing as it is: hygiene behind them reads nearly all of it. */
const LEAVING_MOST: ReadonlySet<string> = new Set([
  'raw',
  'clean_tool_repair',
  'squash_failed_calls',
  'reachability_gc',
  'tool_result_retention',
  'injection',
]);

/** True if reading ahead pays: hygiene is there, and what stands before it leaves most messages as they are. */
export function readsAll(stages: readonly ResolvedStage[]): boolean {
  return stages.find(({ enabled, kind }) => enabled && !LEAVING_MOST.has(kind))?.kind === 'hygiene';
}
