// What a first projection of a long transcript reads in one go may be read piece by piece before, by a host that answers
// others meanwhile.
import type { TranscriptSource } from '../model/transcript.ts';
import { reachabilityTable } from '../stages/harn/index.ts';
import { readAhead } from '../stages/hygiene/index.ts';
import type { Sha256 } from '../util/hash.ts';
import type { StageMemo } from '../view/types.ts';
import type { ResolvedStage } from './parseSpec.ts';

export { readAhead };

interface Ahead {
  readonly source: TranscriptSource;
  readonly memo: StageMemo;
  readonly sha256: Sha256;
}

/** Messages that hygiene reads before others get their turn. */
const READ_STEP = 32;

/** What reachability_gc asks of the messages [0, to) at the call point there. Yields often. */
export function gatherResults(given: Ahead, to: number): Generator<void, void, void> {
  return reachabilityTable(given).gatherResults(to);
}

/** What reachability_gc asks of the messages [0, to) at any call point up to there. Yields often. */
export function gatherAll(given: Ahead, to: number): Generator<void, void, void> {
  return reachabilityTable(given).gather(to);
}

/** What hygiene asks of the raw messages [from, to). Yields often. */
export function* readInSteps({ source, memo }: Ahead, from: number, to: number): Generator<void, void, void> {
  for (let at = from; at < to; at += READ_STEP) {
    readAhead(source, memo, at, Math.min(to, at + READ_STEP));
    yield;
  }
}

/** True if one of the stages remembers what it gathers of results. */
export function gathers(stages: readonly ResolvedStage[]): boolean {
  return stages.some(({ enabled, traits }) => enabled && traits.readsAhead === 'results');
}

/** True if reading ahead pays: hygiene is there, and what stands before it leaves most messages as they are. */
export function readsAll(stages: readonly ResolvedStage[]): boolean {
  const first = stages.find(({ enabled, traits }) => enabled && traits.leavesMost !== true);
  return first?.traits.readsAhead === 'messages';
}
