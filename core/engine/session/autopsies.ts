// The compactions of an open transcript under a policy, taken apart in slices.
import { type AutopsyInput, autopsySteps } from '../../insight/autopsy/autopsy.ts';
import { CompactionWatch } from '../../insight/autopsy/moments.ts';
import type { Autopsy } from '../../insight/autopsy/types.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Provenance } from '../../protocol/types.ts';
import { ok, type Result } from '../../util/result.ts';
import { followUses, type UsesWork } from './followUses.ts';

/** Summaries of stages that are looked at: a stage may put a new one in place at each request. */
const MOST_MADE = 100;

/** Compactions of a session. */
export interface FoundAutopsies {
  readonly autopsies: readonly Autopsy[];
  /** Summaries of stages that were not looked at. */
  readonly more: number;
  readonly provenance: Provenance;
}

/** All of them, under the policy. */
export async function findAutopsies(work: UsesWork): Promise<Result<FoundAutopsies, ProtocolError>> {
  const { session, turn } = work;
  const { source } = session;
  const watch = new CompactionWatch(source, MOST_MADE);
  const followed = await followUses(work, session.outline.callPoints, (point) => watch.take(point));
  if (!followed.ok) return followed;
  const tokens = session.tokenizing(null);
  const input: AutopsyInput = {
    source,
    metaAt: (index) => source.meta(index),
    tokens: tokens.forStages(),
    moments: watch.moments,
    uses: followed.value.uses.all,
    window: session.window,
  };
  const steps = autopsySteps(input);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return ok({ autopsies: step.value, more: watch.more, provenance: tokens.provenance });
    const pause = turn.pause();
    if (pause) await pause;
  }
}
