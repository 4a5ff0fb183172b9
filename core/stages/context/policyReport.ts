// What a context policy reports at a call point.
import type { Problem } from '../../model/problem.ts';
import type { ReportDetails } from '../../view/incremental.ts';
import type { StageContext } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { type Estimator, entriesBefore } from './entries.ts';
import type { ContextPolicyParams } from './params.ts';
import type { Outcome } from './report.ts';
import type { Room } from './segments.ts';
import type { Summaries } from './summary.ts';

/** The policy at the call point of `context`. */
export interface Reported {
  readonly params: ContextPolicyParams;
  readonly context: StageContext;
  readonly estimator: Estimator;
}

/** What it did there. */
export interface PolicyOutcome extends Outcome {
  readonly summaries: Summaries;
  readonly problems: readonly Problem[];
  /** Messages that it was given. */
  readonly given: number;
  /** Messages of the history that are shown, and how many entries they are. */
  readonly shown: { readonly messages: number; readonly entries: number };
  /** Source index of the first message of the last turns; the call point if there is none. */
  readonly lastTurns: number;
}

type Meta = NonNullable<ReportDetails['meta']>;
type SummaryTrigger = 'truncated' | 'summarize_threshold' | 'max_thread_tokens';

/** The report of a policy that projected. */
export function policyReport(policy: Reported, outcome: PolicyOutcome): ReportDetails {
  const { params, context } = policy;
  const { room, window, firstShown, given, shown, lastTurns } = outcome;
  const trigger = triggerOf(policy, outcome);
  const taken = takenOf(outcome);
  // Only the last turns may take more than the budget.
  const within =
    taken <= room.budget
      ? `${grouped(taken)} of ${grouped(room.budget)} tok`
      : `${grouped(taken)} tok, over the budget of ${grouped(Math.max(0, room.budget))} for the last turns`;
  const ended = window.end === null ? '' : ` (${window.end})`;
  const cut = window.refused === null ? '' : ` · cut before #${firstShown}${ended}`;
  const to = trigger === 'truncated' ? firstShown : lastTurns;
  return {
    summary: `${grouped(shown.messages)} of ${countOf(given, 'message')} · ${within}${cut}`,
    reason: 'context_policy',
    problems: [...outcome.problems, ...newestLeftOut(outcome, context.at)],
    meta: metaOf(policy, room, outcomeMeta(policy, outcome, trigger)),
    sources: params.sources,
    ...(trigger !== null && to > 0 && { needsSummary: { from: 0, to } }),
  };
}

/** The report of a policy that projected nothing, because system or pending do not fit. */
export function refusedReport(
  policy: Reported,
  { room, problems, error }: { readonly room: Room; readonly problems: readonly Problem[]; readonly error: Problem },
): ReportDetails {
  const { params } = policy;
  return {
    summary: `error: ${params.pending === null ? 'the system segment' : 'what is pending'} does not fit`,
    reason: error.code,
    problems,
    meta: metaOf(policy, room, {}),
    sources: params.sources,
  };
}

// A thread's revision counts its entries; a message may be several.
function metaOf({ params, context }: Reported, room: Room, own: Meta): Meta {
  const entries = entriesBefore(context, context.at);
  return {
    basis_rev: entries,
    basis_last_seq: entries - 1,
    pending_count: params.pending?.entries ?? 0,
    ...own,
    max_input_tokens: room.total,
    token_budget: room.budget,
    token_estimator: params.estimator,
  };
}

function outcomeMeta({ context }: Reported, outcome: PolicyOutcome, trigger: SummaryTrigger | null): Meta {
  const { window, summaries, standIn, shown } = outcome;
  return {
    truncated: window.refused !== null,
    estimated_tokens: takenOf(outcome),
    summary_used: summaries.used !== null || standIn?.isOwn === true,
    entries_included: shown.entries,
    entries_total: entriesBefore(context, context.at),
    needs_summary: trigger !== null,
    ...(trigger !== null && { summary_trigger: trigger }),
  };
}

function takenOf({ room, window }: PolicyOutcome): number {
  return room.system + room.summary + room.pending + room.beside + window.tokens;
}

// Why a summary is wanted; null = it is not. Source: thread design, "Auto-Summarization Triggers".
function triggerOf(
  { params, context, estimator }: Reported,
  { window, standIn, summaries }: PolicyOutcome,
): SummaryTrigger | null {
  if (params.summarization === 'none' || !params.includeKinds.has('summary')) return null;
  if (params.summarization === 'request_new' && window.refused !== null && !standIn?.isOwn) return 'truncated';
  const { used } = summaries;
  const covered = used === null ? 0 : used.kind === 'artifact' ? used.artifact.to : used.item.covers.to;
  const { summarizeThreshold, maxThreadTokens } = params;
  const since = entriesBefore(context, context.at) - entriesBefore(context, Math.min(covered, context.at));
  if (summarizeThreshold > 0 && since > summarizeThreshold) return 'summarize_threshold';
  let tokens = 0;
  for (let index = 0; maxThreadTokens > 0 && index < context.at; index++) {
    tokens += estimator.item({ kind: 'source', index });
    if (tokens > maxThreadTokens) return 'max_thread_tokens';
  }
  return null;
}

function newestLeftOut({ shown, window: { refused } }: PolicyOutcome, at: number): readonly Problem[] {
  if (shown.messages > 0 || refused === null) return [];
  const text = `Not even the newest message fits (${grouped(refused.tokens)} tokens): the request holds no history.`;
  return [{ code: 'context.newest_left_out', severity: 'warning', text, where: { index: at - 1 } }];
}
