// What the runtime really sent under its own projections: at a call point for which one is recorded, its view.

import type { Problem } from '../../../../core/model/problem.ts';
import { type Followed, followRecorded, type RecordedOutcome } from '../../../../core/stages/harn/followRecorded.ts';
import { type PlacedProjection, recordedTimeline } from '../../../../core/stages/harn/recordedTimeline.ts';
import { savedChars } from '../../../../core/stages/harn/redaction.ts';
import { countFates, keptBecause } from '../../../../core/view/fates.ts';
import { OptionReader } from '../../../../core/view/optionReader.ts';
import type { Fate, StageContext, StageOutput, StageReport, StageRun, View } from '../../../../core/view/types.ts';
import { countOf } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';

const KIND = 'recorded_projection';
const TITLE = 'Recorded projection';

/** Gives what the recorded projection of the call point made of the history; where none is recorded, all of it. */
export const recordedProjection: PlainStage<object> = {
  kind: KIND,
  aliases: [],
  family: 'harn',
  keepsThinking: () => 'recorded',
  title: TITLE,
  help: 'What the runtime that wrote this transcript really sent under its own projection policy, from the events it recorded. At a call point without a recorded projection the history stays.',
  params: [],
  parse(options) {
    const reader = new OptionReader(options);
    reader.warnOfUnknown(new Set());
    return { params: reader.ok ? {} : null, problems: reader.problems };
  },
  run: (view, _params, context) => follow(view, context),
};

function* follow(view: View, context: StageContext): StageRun {
  const timeline = recordedTimeline(context.source, context.memo);
  const placed = timeline.at(context.at);
  if (placed === null) return none(view, context, timeline.count);
  const followed = yield* followRecorded(placed.recorded, view, context);
  const { output, decided } = followed;
  const told = toldOf(placed, followed.outcome, context.at);
  if (output !== null) return { ...output, report: reportOf(output.report, placed, followed, told) };
  const changed = decided !== null && decided.fates.size > 0;
  const fates: ReadonlyMap<number, Fate> = decided?.fates ?? new Map();
  const base = { ...emptyReport(context), counts: countFates(fates.values()), ...savedOf(placed) };
  const kept = keptBecause(context.stage, KIND, `kept by the recorded ${placed.recorded.policy} projection`);
  return {
    view: changed ? { items: decided.items } : view,
    fates,
    explain: () => kept,
    report: reportOf({ ...base, reason: placed.recorded.reason || placed.recorded.policy }, placed, followed, told),
  };
}

function none(view: View, context: StageContext, count: number): StageOutput {
  const where = count === 0 ? 'the transcript records no projection' : 'no projection is recorded at this call point';
  const kept = keptBecause(context.stage, 'not_concerned', `kept: ${where}`);
  const report = { ...emptyReport(context), summary: where, reason: 'recorded_projection_none' };
  return { view, fates: new Map(), explain: () => kept, report };
}

function savedOf({
  recorded,
}: PlacedProjection): Pick<StageReport, 'reclaimedChars' | 'reclaimedTokens' | 'rootsConsulted'> {
  const chars = recorded.pointers.reduce((sum, pointer) => sum + savedChars(pointer), 0);
  return { reclaimedChars: chars, reclaimedTokens: Math.floor(chars / 4), rootsConsulted: recorded.rootsConsulted };
}

function emptyReport({ stage }: StageContext): StageReport {
  return {
    stage,
    kind: KIND,
    title: TITLE,
    enabled: true,
    summary: '',
    reason: KIND,
    counts: {},
    reclaimedChars: 0,
    reclaimedTokens: 0,
    rootsConsulted: [],
    blockedBy: null,
    problems: [],
  };
}

function reportOf(
  base: StageReport,
  { recorded }: PlacedProjection,
  { outcome }: Followed,
  told: Problem | null,
): StageReport {
  const { policy, prefixHash } = recorded;
  const gone = recorded.droppedCount === 0 ? '' : `, ${countOf(recorded.droppedCount, 'message')} hidden`;
  const bodies = recorded.pointers.length === 0 ? '' : `, ${countOf(recorded.pointers.length, 'result')} reclaimed`;
  return {
    ...base,
    kind: KIND,
    title: TITLE,
    summary: `${policy}${gone}${bodies}; ${OUTCOME_WORDS[outcome]}`,
    problems: told === null ? base.problems : [...base.problems, told],
    meta: { policy, prefix_hash: prefixHash, outcome },
  };
}

const OUTCOME_WORDS: Readonly<Record<RecordedOutcome, string>> = {
  reproduced: 'hash verified',
  decision_holds: 'hash verified from the recorded decision',
  summary_not_recorded: 'the summary’s text is not recorded',
  not_recorded: 'messages the function made are not recorded',
  mismatch: 'hash not reproduced',
  unchecked: 'hash not checked',
};

function toldOf({ recorded }: PlacedProjection, outcome: RecordedOutcome, at: number): Problem | null {
  const { policy, prefixHash } = recorded;
  const where = { index: at };
  if (outcome === 'summary_not_recorded') {
    const text = `The recorded ${policy} projection had a summary as an option, which the event does not hold: a note stands in its place, so the hash shown is not the recorded ${prefixHash}.`;
    return { code: 'projection.recorded_summary', severity: 'info', text, where };
  }
  if (outcome === 'not_recorded') {
    const text = `The recorded ${policy} projection made messages that the event does not hold: those it kept are shown, and the hash is not the recorded ${prefixHash}.`;
    return { code: 'projection.recorded_custom', severity: 'warning', text, where };
  }
  if (outcome !== 'mismatch') return null;
  const shown = recorded.keptIndices === null ? 'the history is shown as it is' : 'what the event names is shown';
  const text = `Nothing here leads to the hash ${prefixHash} of the recorded ${policy} projection: ${shown}.`;
  return { code: 'projection.recorded_unverified', severity: 'warning', text, where };
}
