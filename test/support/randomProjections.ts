// Recorded projections at random call points, as a runtime would have written them: of every policy, with options that no
// event holds, with hashes that nothing leads to, as events and as lines of a log.
import type { ProjectionEvent, TranscriptSource } from '../../core/model/transcript.ts';
import type { Rng } from '../../core/util/rng.ts';
import { eventOf, logLineOf } from './recordedEvents.ts';

const POLICIES = ['raw', 'clean_tool_repair', 'squash_failed_calls', 'summary_prefix', 'reachability_gc'];

function randomPolicy(rng: Rng): unknown {
  const policy = rng.pick(POLICIES);
  const safe = { respect_provider_signatures: rng.chance(0.6) };
  if (policy === 'summary_prefix') {
    return { policy, keep_last: rng.below(9), ...safe, ...(rng.chance(0.4) && { summary: 'so far' }) };
  }
  if (policy !== 'reachability_gc') return { policy, ...safe };
  return { policy, root_window: rng.below(5), ...safe, ...(rng.chance(0.6) && { min_chars: rng.below(40) }) };
}

/** The source with recorded projections, and the call points that they were made for. */
export function withProjections(
  source: TranscriptSource,
  rng: Rng,
): { readonly source: TranscriptSource; readonly points: readonly number[] } {
  const points = [source.length, ...Array.from({ length: 4 }, () => 1 + rng.below(source.length))];
  const events = points.map((at): ProjectionEvent => {
    const form = rng.chance(0.75) ? eventOf : logLineOf;
    const json = JSON.stringify(form(source, randomPolicy(rng), at));
    const isWrong = rng.chance(0.15);
    return { json: isWrong ? json.replace(/"prefix_hash":"..../, '"prefix_hash":"0000') : json, at, superseded: false };
  });
  return { source: { ...source, projections: () => events }, points };
}
