// A recorded projection followed: its policy run again, and where that gives another hash, its decision as it is in
// the event. The hash is the proof; without it the result is what the event says, and is called so.

import { standsInView } from '../../view/fates.ts';
import type { RecordedProjection } from '../../view/recordedProjection.ts';
import type { StageAnswer, StageContext, StageEffect, StageOutput, View } from '../../view/types.ts';
import { viewHash } from '../../view/viewHash.ts';
import { type Decided, decidedView } from './recordedDecision.ts';
import { recordedRuns } from './recordedOptions.ts';

/**
 * How far a recorded projection could be followed. `reproduced` = its policy gives the recorded hash; `decision_holds` =
 * only the recorded decision does; `summary_not_recorded` = the summary was an option, which no event holds: the rest is
 * as recorded; `not_recorded` = a custom function made separate messages; `mismatch` = nothing leads to the hash;
 * `unchecked` = the hash cannot be the recorded one: other stages came before, or the messages are those of a log.
 */
export type RecordedOutcome =
  | 'reproduced'
  | 'decision_holds'
  | 'summary_not_recorded'
  | 'not_recorded'
  | 'mismatch'
  | 'unchecked';

/** What came of it. `output` = the policy's own, `decided` = the event's decision; both null: it cannot be shown. */
export interface Followed {
  readonly outcome: RecordedOutcome;
  /** The hash that the policy gives here; empty if it is not known here. */
  readonly hash: string;
  readonly output: StageOutput | null;
  readonly decided: Decided | null;
}

/** Follows a recorded projection on the view of the messages before `context.at`. */
export function* followRecorded(
  recorded: RecordedProjection,
  view: View,
  context: StageContext,
): Generator<StageEffect, Followed, StageAnswer> {
  const { source, sha256, at } = context;
  if (!isRaw(view, at)) return yield* uncheckedOf(recorded, view, context);
  let first: string | null = null;
  for (const run of recordedRuns(recorded, at, view, context)) {
    const output = yield* run;
    const hash = yield* viewHash(output.view, source, sha256);
    first ??= hash;
    if (hash === recorded.prefixHash) return { outcome: 'reproduced', hash, output, decided: null };
  }
  const decided = decidedView(view, recorded, context, null);
  const hash = decided === null ? null : yield* viewHash(decided, source, sha256);
  const outcome = hash === recorded.prefixHash ? 'decision_holds' : notFollowed(recorded, at);
  if (outcome === 'unchecked') return yield* uncheckedOf(recorded, view, context);
  return { outcome, hash: first ?? '', output: null, decided };
}

function isRaw({ items }: View, at: number): boolean {
  return (
    items.length === at &&
    items.every((item, index) => item.kind === 'source' && item.index === index && item.text === undefined)
  );
}

// Not the messages that the runtime projected: its decision is applied to them, message by message.
function* uncheckedOf(
  recorded: RecordedProjection,
  view: View,
  context: StageContext,
): Generator<StageEffect, Followed, StageAnswer> {
  const decided = decidedView(view, recorded, context, null);
  const [run] = decided === null ? recordedRuns(recorded, context.at, view, context) : [];
  const ran = run === undefined ? null : yield* run;
  // Which messages went is not recorded: the policy's own choice is shown if it is as many.
  const gone = [...(ran?.fates.values() ?? [])].filter(({ kind }) => !standsInView(kind)).length;
  const output = gone === recorded.droppedCount ? ran : null;
  return { outcome: 'unchecked', hash: '', output, decided };
}

/** Of a decision that does not lead to its hash: whether the event could have said more. */
function notFollowed(recorded: RecordedProjection, at: number): RecordedOutcome {
  if (recorded.form === 'live') return 'unchecked';
  if (recorded.policy === 'custom') return 'not_recorded';
  return recorded.policy === 'summary_prefix' && isPrefixSummary(recorded, at) ? 'summary_not_recorded' : 'mismatch';
}

// The first messages went, the last ones stayed, as many as keep_last says: all but the summary's text is as it must be.
function isPrefixSummary({ keptIndices, droppedIndices, summaryKeepLast }: RecordedProjection, at: number): boolean {
  if (keptIndices === null || droppedIndices === null || droppedIndices.length === 0) return false;
  if (summaryKeepLast !== null && summaryKeepLast !== keptIndices.length) return false;
  const cut = droppedIndices.length;
  if (cut + keptIndices.length !== at) return false;
  return (
    droppedIndices.every((index, place) => index === place) &&
    keptIndices.every((index, place) => index === cut + place)
  );
}
