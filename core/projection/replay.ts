// Recorded projections replayed: the same policy on the same raw prefix must give the same hash. An event does not
// record every option (min_chars, root texts, a written summary), so differences are classified: does the recorded
// decision itself still lead from the raw messages to the recorded hash?

import type { Problem } from '../model/problem.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { custom, followRecorded, type RecordedOutcome } from '../stages/harn/index.ts';
import { countOf, grouped } from '../util/counts.ts';
import { type Sha256, sha256 } from '../util/hash.ts';
import { createMemo } from '../view/memo.ts';
import { rawView } from '../view/reader.ts';
import { placeOf, type RecordedProjection } from '../view/recordedProjection.ts';
import { estimatedTokens } from '../view/tokens.ts';
import { PAUSE, type StageMemo } from '../view/types.ts';

/** What a replay may be given; both change nothing but its speed. */
export interface ReplayOptions {
  readonly memo?: StageMemo;
  readonly sha256?: Sha256;
}

/**
 * What came of a replay. `reproduced` = the policy gave the hash; `decision_holds` = only the recorded decision did;
 * `not_recorded` = a custom function made separate messages, and neither it nor they are in the event;
 * `summary_not_recorded` = the summary was an option, and all but its text is as the policy has it; `unchecked` = it was
 * recorded by a log whose messages are not the runtime's own.
 */
export interface Replay {
  readonly recorded: RecordedProjection;
  /** The call point: how many raw messages the projection covered. */
  readonly at: number;
  readonly outcome: RecordedOutcome;
  /** The hash the policy gives here. */
  readonly prefixHash: string;
  readonly problems: readonly Problem[];
}

/**
 * Replays a recorded projection on the raw messages it covered. `eventAt` = how many messages stood before the event,
 * used where the event does not say it by its indices. A mismatch is a problem `projection.replay_mismatch`.
 */
export function replay(
  source: TranscriptSource,
  recorded: RecordedProjection,
  eventAt: number,
  options: ReplayOptions = {},
): Replay {
  const steps = replaySteps(source, recorded, eventAt, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** As replay, in pieces: it yields often, so that others are answered. */
export function* replaySteps(
  source: TranscriptSource,
  recorded: RecordedProjection,
  eventAt: number,
  options: ReplayOptions = {},
): Generator<void, Replay> {
  const at = Math.min(placeOf(recorded, eventAt), source.length);
  const memo = options.memo ?? createMemo();
  const given = { memo, sha256: options.sha256 ?? sha256, tokens: estimatedTokens(source), budget: null };
  const steps = followRecorded(recorded, rawView(source, at, memo), { source, at, stage: 0, ...given });
  let step = steps.next();
  // The policies that are run again ask their host for nothing but pauses.
  for (; step.done !== true; step = steps.next(PAUSE)) yield;
  const { outcome, hash } = step.value;
  const base = { recorded, at, prefixHash: hash };
  switch (outcome) {
    case 'reproduced':
      return { ...base, outcome, problems: [] };
    case 'decision_holds':
      return { ...base, outcome, problems: [unrecordedOptions(recorded, at)] };
    case 'not_recorded':
      return { ...base, outcome, problems: [unrecordedFunction(recorded, at)] };
    case 'summary_not_recorded':
      return { ...base, outcome, problems: [unrecordedSummary(recorded, at)] };
    case 'unchecked':
      return { ...base, outcome, problems: [fromLog(recorded, at)] };
    case 'mismatch':
      return { ...base, outcome, problems: [mismatch(recorded, at, hash)] };
  }
}

function unrecordedOptions(recorded: RecordedProjection, at: number): Problem {
  const text =
    recorded.policy === custom.kind
      ? 'The recorded custom decision leads to its hash; its function is not recorded, so it cannot be run again.'
      : `The recorded ${recorded.policy} decision leads to its hash, but the policy with the options the event records decides otherwise here: options it does not record were set, or it was made by rules that differ.`;
  return { code: 'projection.replay_options', severity: 'info', text, where: { index: at } };
}

function unrecordedFunction(recorded: RecordedProjection, at: number): Problem {
  const text = `The recorded custom projection of the first ${countOf(at, 'message')} cannot be replayed: its function is not recorded, and the messages it kept do not by themselves give the hash ${recorded.prefixHash}.`;
  return { code: 'projection.replay_not_recorded', severity: 'warning', text, where: { index: at } };
}

function unrecordedSummary({ prefixHash, droppedIndices }: RecordedProjection, at: number): Problem {
  const gone = droppedIndices?.length ?? 0;
  const text = `The recorded summary_prefix projection of the first ${countOf(at, 'message')} put a summary in place of ${grouped(gone)} of them. It was given as an option, which the event does not hold: its hash ${prefixHash} cannot be checked. What it kept is as the policy has it.`;
  return { code: 'projection.replay_summary', severity: 'info', text, where: { index: at } };
}

function fromLog({ policy, prefixHash }: RecordedProjection, at: number): Problem {
  const text = `The log records a ${policy} projection of the messages before #${at}. Those are put together here from what was streamed, so its hash ${prefixHash} cannot be checked.`;
  return { code: 'projection.replay_log', severity: 'info', text, where: { index: at } };
}

function mismatch(recorded: RecordedProjection, at: number, got: string): Problem {
  const text = `The recorded ${recorded.policy} projection of the first ${countOf(at, 'message')} has hash ${recorded.prefixHash}, here it is ${got === '' ? 'not known' : got}: messages, policy or options are not what they were.`;
  return { code: 'projection.replay_mismatch', severity: 'error', text, where: { index: at } };
}
