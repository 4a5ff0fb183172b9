// What the runtime really sent under its own projections: at a call point for which one is recorded, its view.
import type { Problem } from '../../model/problem.ts';
import { keptBecause } from '../../view/fates.ts';
import type { ReportDetails } from '../../view/incremental.ts';
import { OptionReader } from '../../view/optionReader.ts';
import type { StageAnswer, StageContext, StageDefinition, StageEffect, StageReport, View } from '../../view/types.ts';
import { type DecideWhole, type WholeOutput, WholeRun } from '../../view/wholeRun.ts';
import { countOf } from '../../view/words.ts';
import { type Followed, followRecorded, type RecordedOutcome } from './followRecorded.ts';
import { type PlacedProjection, recordedTimeline } from './recordedTimeline.ts';
import { savedChars } from './redaction.ts';

const KIND = 'recorded_projection';
const TITLE = 'Recorded projection';

/** Gives what the recorded projection of the call point made of the history; where none is recorded, all of it. */
export const recordedProjection: StageDefinition<object> = {
  kind: KIND,
  aliases: [],
  family: 'harn',
  traits: { gives: 'projections' },
  keepsThinking: () => 'recorded',
  title: TITLE,
  help: 'What the runtime that wrote this transcript really sent under its own projection policy, from the events it recorded. At a call point without a recorded projection the history stays.',
  params: [],
  parse(options) {
    const reader = new OptionReader(options);
    reader.warnOfUnknown(new Set());
    return { params: reader.ok ? {} : null, problems: reader.problems };
  },
  incremental: (_params, context) => new WholeRun(context, decide),
};

function decide(view: () => View, context: StageContext): ReturnType<DecideWhole> {
  const timeline = recordedTimeline(context.source, context.memo);
  const placed = timeline.at(context.at);
  return placed === null ? none(context, timeline.count) : follow(placed, view(), context);
}

function* follow(
  placed: PlacedProjection,
  view: View,
  context: StageContext,
): Generator<StageEffect, WholeOutput, StageAnswer> {
  const followed = yield* followRecorded(placed.recorded, view, context);
  const { output, decided } = followed;
  const problem = problemOf(placed, followed.outcome, context.at);
  const kept = keptBecause(context.stage, KIND, `kept by the recorded ${placed.recorded.policy} projection`);
  if (output !== null) {
    return {
      items: output.view === view ? null : output.view.items,
      fates: output.fates,
      explain: output.explain ?? (() => kept),
      report: () => reportOf(detailsOf(output.report), placed, followed, problem),
      blockedBy: output.report.blockedBy,
    };
  }
  const base = { ...savedOf(placed), reason: placed.recorded.reason || placed.recorded.policy };
  const isChanged = decided !== null && decided.fates.size > 0;
  return {
    items: isChanged ? decided.items : null,
    fates: decided?.fates ?? new Map(),
    explain: () => kept,
    report: () => reportOf(base, placed, followed, problem),
  };
}

function none({ stage }: StageContext, count: number): WholeOutput {
  const summary = count === 0 ? 'the transcript records no projection' : 'no projection is recorded at this call point';
  const kept = keptBecause(stage, 'not_concerned', `kept: ${summary}`);
  const report = { summary, reason: 'recorded_projection_none' };
  return { items: null, fates: new Map(), explain: () => kept, report: () => report };
}

function savedOf({
  recorded,
}: PlacedProjection): Pick<StageReport, 'reclaimedChars' | 'reclaimedTokens' | 'rootsConsulted'> {
  const chars = recorded.pointers.reduce((sum, pointer) => sum + savedChars(pointer), 0);
  return { reclaimedChars: chars, reclaimedTokens: Math.floor(chars / 4), rootsConsulted: recorded.rootsConsulted };
}

/** What the policy itself said; who it was, the frame says. */
function detailsOf(report: StageReport): ReportDetails {
  const {
    stage: _stage,
    kind: _kind,
    title: _title,
    enabled: _on,
    counts: _counts,
    blockedBy: _by,
    ...details
  } = report;
  return details;
}

function reportOf(
  base: Omit<ReportDetails, 'summary'>,
  { recorded }: PlacedProjection,
  { outcome }: Followed,
  problem: Problem | null,
): ReportDetails {
  const { policy, prefixHash } = recorded;
  const gone = recorded.droppedCount === 0 ? '' : `, ${countOf(recorded.droppedCount, 'message')} hidden`;
  const bodies = recorded.pointers.length === 0 ? '' : `, ${countOf(recorded.pointers.length, 'result')} reclaimed`;
  const { problems = [] } = base;
  return {
    ...base,
    summary: `${policy}${gone}${bodies}; ${OUTCOME_WORDS[outcome]}`,
    problems: problem === null ? problems : [...problems, problem],
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

function problemOf({ recorded }: PlacedProjection, outcome: RecordedOutcome, at: number): Problem | null {
  const { policy, prefixHash } = recorded;
  const where = { index: at };
  if (outcome === 'summary_not_recorded') {
    const text = `The recorded ${policy} projection had a summary as an option, which the event does not hold: a note replaces it, so the hash shown is not the recorded ${prefixHash}.`;
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
