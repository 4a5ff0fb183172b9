// A view under a context policy: room, summary, window, then the segments one after the other.
import type { Problem } from '../../../../core/model/problem.ts';
import { type Estimator, entriesBefore, entryCount, estimatorOf } from '../../../../core/stages/context/entries.ts';
import {
  type Maker,
  pendingItems,
  type Replacement,
  replacementFor,
  replacementItem,
  summaryItem,
  systemItem,
} from '../../../../core/stages/context/made.ts';
import type { ContextPolicyParams } from '../../../../core/stages/context/params.ts';
import { leftOf, type Room, roomOf, summaryTokens, systemEnd } from '../../../../core/stages/context/segments.ts';
import { editedFate, excludedFate, shownKinds } from '../../../../core/stages/context/shown.ts';
import { isSummaryItem, type Summaries, summariesOf } from '../../../../core/stages/context/summary.ts';
import type { HistoryWindow } from '../../../../core/stages/context/window.ts';
import { keptBecause } from '../../../../core/view/fates.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import type {
  Fate,
  StageContext,
  StageOutput,
  StageReport,
  SyntheticItem,
  View,
  ViewItem,
} from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import { History, type Unit } from './history.ts';
import { type Outcome, reportOf, Sentences } from './report.ts';

interface Run {
  readonly view: View;
  readonly reader: ViewReader;
  readonly params: ContextPolicyParams;
  readonly context: StageContext;
  readonly estimator: Estimator;
  readonly systemEnd: number;
  readonly summaries: Summaries;
  readonly history: History;
  readonly problems: readonly Problem[];
}

/** Projects a view. If system or pending do not fit, the view stays as it is and the report says so as an error. */
export function projectPolicy(view: View, params: ContextPolicyParams, context: StageContext): StageOutput {
  const reader = readView(view, context.source, context.memo);
  const estimator = estimatorOf(params.estimator, context);
  const wanted = params.summarization !== 'none' && params.includeKinds.has('summary');
  const inView = lastInView(view);
  const found = summariesOf(inView, context, wanted);
  const end = systemEnd(reader, found.isSummary);
  const { room, problems } = roomOf(params, systemTokens(params, reader, end, estimator), estimator, context);
  const error = problems.find(({ severity }) => severity === 'error');
  if (error !== undefined) return refused(view, params, context, room, problems, error);
  const taken = found.used === null ? 0 : summaryTokens(found.used, room, estimator);
  const summaries = taken === null ? summariesOf(inView, context, false) : found;
  const told = taken === null ? [...problems, summaryTooLarge(room)] : problems;
  const history = new History(reader, params, context, { systemEnd: end, summaries, estimator });
  const run = { view, reader, params, context, estimator, systemEnd: end, summaries, history, problems: told };
  return conclude(run, decide(run, { ...room, summary: taken ?? 0 }));
}

/** What the system segment takes. */
export function systemTokens(
  params: ContextPolicyParams,
  reader: ViewReader,
  end: number,
  estimator: Estimator,
): number {
  if (params.systemPrompt !== null) return estimator.text(params.systemPrompt);
  let tokens = 0;
  for (let position = 0; position < end; position++) tokens += estimator.item(reader.item(position));
  return tokens;
}

function summaryTooLarge(room: Room): Problem {
  const text = `The latest summary does not fit: ${grouped(Math.max(0, leftOf(room.budget, room)))} tokens are left beside system and pending. The history stands without it.`;
  return { code: 'context.summary_too_large', severity: 'warning', text };
}

// Where a summary is wanted and none applies, what stands in its place takes room too: the window is then drawn again.
function decide(run: Run, room: Room): Outcome {
  const { params, summaries, context } = run;
  const window = windowIn(run, room);
  const wants = params.summarization === 'request_new' && params.includeKinds.has('summary');
  if (!wants || summaries.used !== null || window.refused === null) return outcomeOf(run, room, window, null);
  const most = run.estimator.text(replacementFor(context.source, context.at).text);
  if (most > leftOf(room.budget, room)) return outcomeOf(run, room, window, null);
  const smaller = { ...room, summary: most };
  return outcomeOf(run, smaller, windowIn(run, smaller), (left) => replacementFor(context.source, left));
}

function windowIn({ history, params }: Run, room: Room): HistoryWindow<Unit> {
  const { keepLastTurns, maxMessages } = params;
  return history.window({
    budget: leftOf(room.budget, room),
    hard: leftOf(room.total, room),
    keepLastTurns,
    maxMessages,
  });
}

function outcomeOf(
  run: Run,
  room: Room,
  window: HistoryWindow<Unit>,
  standIn: ((left: number) => Replacement) | null,
): Outcome {
  const { reader, context, history } = run;
  const firstShown = sourceAt(reader, window.taken.at(-1)?.positions[0] ?? reader.length, context.at);
  const refused = sourceAt(reader, window.refused?.positions[0] ?? 0, context.at);
  let left = 0;
  if (standIn !== null) {
    const start = window.taken.at(-1)?.start ?? reader.length;
    for (let position = 0; position < start; position++) {
      if (reader.indexOf(position) !== null && history.leaves(position) === null) left++;
    }
  }
  const placed = standIn === null ? null : standIn(left);
  const summary = placed === null ? room.summary : run.estimator.text(placed.text);
  return { room: { ...room, summary }, window, firstShown, refused, standIn: placed };
}

/** The source index at a position, or the next one after it. */
function sourceAt(reader: ViewReader, position: number, at: number): number {
  for (let next = position; next < reader.length; next++) {
    const index = reader.indexOf(next);
    if (index !== null) return index;
  }
  return at;
}

function conclude(run: Run, outcome: Outcome): StageOutput {
  const { view, reader, context, history, params } = run;
  const units = outcome.window.taken.toReversed();
  const kept = new Uint8Array(reader.length);
  const shown: ViewItem[] = [];
  let entries = 0;
  for (const { positions } of units) {
    for (const position of positions) {
      const item = history.shown(reader.item(position));
      if (item === null) continue;
      kept[position] = 1;
      shown.push(item);
      entries += entryCount(reader.facts(position));
    }
  }
  const sentences = new Sentences(context.stage, params, outcome);
  const fates = fatesOf(run, outcome, sentences, kept);
  const items = [...headItems(run, outcome), ...shown, ...pendingItems(context.at, makerOf(run))];
  const isSame = items.length === reader.length && items.every((item, at) => item === reader.item(at));
  return {
    view: isSame ? view : { items },
    fates,
    report: report(run, outcome, fates, { messages: shown.length, entries }),
    explain: explainer(run, outcome, sentences, units),
  };
}

function makerOf({ reader, params, context }: Run): Maker {
  return { reader, params, stage: context.stage };
}

function itemsOf(item: ViewItem | null): readonly ViewItem[] {
  return item === null ? [] : [item];
}

function headItems(run: Run, { standIn, firstShown }: Outcome): readonly ViewItem[] {
  const { reader, systemEnd: end, summaries } = run;
  const maker = makerOf(run);
  const own = systemItem(maker);
  const system = own === null ? Array.from({ length: end }, (_, position) => reader.item(position)) : [own];
  const summary = standIn === null ? summaryItem(summaries.used, maker) : replacementItem(standIn, firstShown, maker);
  return [...system, ...itemsOf(summary)];
}

function fatesOf(run: Run, { window }: Outcome, sentences: Sentences, kept: Uint8Array): Map<number, Fate> {
  const { reader, params, context, history, summaries, systemEnd: end } = run;
  const kinds = shownKinds(params.includeKinds);
  const isFiltered = !kinds.has('message') || !kinds.has('tool_call');
  // Without summaries and kinds that are left out all that is not shown is outside the window.
  const isPlain = !isFiltered && summaries.used === null && !summaries.hasRecorded;
  const excluded = excludedFate(kinds, context);
  const fates = new Map<number, Fate>();
  const refused = new Set(window.refused?.positions ?? []);
  for (let position = 0; position < reader.length; position++) {
    const item = reader.item(position);
    if (item.kind === 'synthetic') continue;
    if (kept[position] === 1) {
      if (isFiltered && history.shown(item) !== item) fates.set(item.index, editedFate(item, kinds, context));
      continue;
    }
    const why = isPlain && position >= end ? null : history.leaves(position);
    if (why === 'system') {
      if (params.systemPrompt !== null) fates.set(item.index, sentences.replacedSystem());
    } else if (why === 'excluded') fates.set(item.index, excluded);
    else if (why === 'covered' && summaries.used !== null) fates.set(item.index, sentences.covered(summaries.used));
    else if (why === 'other_summary')
      fates.set(item.index, summaryFate(item.index, summaries, params, context, sentences));
    else fates.set(item.index, sentences.outside(refused.has(position)));
  }
  return fates;
}

/** The fate of a source message that is a recorded summary. */
export function summaryFate(
  index: number,
  { used }: Summaries,
  params: ContextPolicyParams,
  { source, at }: Pick<StageContext, 'source' | 'at'>,
  sentences: Sentences,
): Fate {
  const last = source.compactions().findLast(({ summaryIndex }) => summaryIndex !== undefined && summaryIndex < at);
  const isPresented = used?.kind === 'artifact' && used.artifact.origin === 'recorded' && last?.summaryIndex === index;
  if (isPresented) return sentences.presented();
  const isOff = params.summarization === 'none' || !params.includeKinds.has('summary');
  return sentences.otherSummary(used !== null, isOff);
}

function explainer(
  run: Run,
  outcome: Outcome,
  sentences: Sentences,
  units: readonly Unit[],
): (position: number) => Fate {
  const { reader, params, systemEnd: end } = run;
  const { room, window } = outcome;
  if (window.refused === null && window.tokens <= leftOf(room.budget, room)) {
    return (position) => (position < end ? sentences.system() : sentences.allFits());
  }
  const unitOf = new Int32Array(reader.length).fill(-1);
  const used: number[] = [];
  for (const [at, unit] of units.entries()) for (const position of unit.positions) unitOf[position] = at;
  let tokens = window.tokens;
  for (const unit of units) {
    used.push(tokens);
    tokens -= unit.tokens;
  }
  const made: (Fate | undefined)[] = [];
  const system = end > 0 ? sentences.system() : null;
  return (position) => {
    if (system !== null && position < end) return system;
    const at = unitOf[position] ?? -1;
    const unit = units[at];
    if (unit === undefined) throw new RangeError(`position ${position} does not stand in the window`);
    const known = made[at];
    if (known !== undefined) return known;
    const isLast = unit.turnsAfter < params.keepLastTurns;
    const fate = isLast ? sentences.ofLastTurns(unit.turnsAfter) : sentences.inBudget(unit, used[at] ?? 0);
    made[at] = fate;
    return fate;
  };
}

function report(
  run: Run,
  outcome: Outcome,
  fates: ReadonlyMap<number, Fate>,
  shown: { readonly messages: number; readonly entries: number },
): StageReport {
  const { reader, params, context, summaries } = run;
  const { room, window, firstShown, standIn } = outcome;
  const truncated = window.refused !== null;
  const estimated = room.system + room.summary + room.pending + room.beside + window.tokens;
  const trigger = triggerOf(run, outcome);
  const meta = {
    ...basisOf(context),
    pending_count: params.pending?.entries ?? 0,
    truncated,
    estimated_tokens: estimated,
    summary_used: summaries.used !== null || standIn?.isOwn === true,
    entries_included: shown.entries,
    entries_total: entriesBefore(context, context.at),
    needs_summary: trigger !== null,
    ...(trigger !== null && { summary_trigger: trigger }),
    max_input_tokens: room.total,
    token_budget: room.budget,
    token_estimator: params.estimator,
  };
  // Only the last turns may take more than the budget.
  const within =
    estimated <= room.budget
      ? `${grouped(estimated)} of ${grouped(room.budget)} tok`
      : `${grouped(estimated)} tok, over the budget of ${grouped(Math.max(0, room.budget))} for the last turns`;
  const cut = truncated ? ` · cut before #${firstShown}${window.end === null ? '' : ` (${window.end})`}` : '';
  const summary = `${grouped(shown.messages)} of ${countOf(reader.length, 'message')} · ${within}${cut}`;
  const to = trigger === 'truncated' ? firstShown : lastTurnsStart(run, window);
  const needsSummary = trigger === null || to === 0 ? null : { from: 0, to };
  const problems = newestLeftOut(run, window);
  return reportOf({
    stage: context.stage,
    params,
    fates,
    problems,
    summary,
    reason: 'context_policy',
    meta,
    needsSummary,
  });
}

type SummaryTrigger = 'truncated' | 'summarize_threshold' | 'max_thread_tokens';

// Why a summary is wanted; null = it is not. Source: thread design, "Auto-Summarization Triggers".
function triggerOf(
  { params, context, estimator, summaries }: Run,
  { window, standIn }: Outcome,
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

// Where the turns begin that stay word for word; 0 where nothing is older.
function lastTurnsStart({ reader, params, context }: Run, { taken }: HistoryWindow<Unit>): number {
  const first = taken.findLast(({ turnsAfter }) => turnsAfter < params.keepLastTurns);
  return first === undefined ? context.at : sourceAt(reader, first.positions[0] ?? 0, context.at);
}

// A thread's revision counts its entries; a message may be several.
function basisOf(context: StageContext): { readonly basis_rev: number; readonly basis_last_seq: number } {
  const entries = entriesBefore(context, context.at);
  return { basis_rev: entries, basis_last_seq: entries - 1 };
}

function newestLeftOut({ problems, context }: Run, { taken, refused: unit }: HistoryWindow<Unit>): readonly Problem[] {
  if (taken.length > 0 || unit === null) return problems;
  const text = `Not even the newest message fits (${grouped(unit.tokens)} tokens): the request holds no history.`;
  return [
    ...problems,
    { code: 'context.newest_left_out', severity: 'warning', text, where: { index: context.at - 1 } },
  ];
}

function refused(
  view: View,
  params: ContextPolicyParams,
  context: StageContext,
  room: Room,
  problems: readonly Problem[],
  error: Problem,
): StageOutput {
  const meta = {
    ...basisOf(context),
    pending_count: params.pending?.entries ?? 0,
    max_input_tokens: room.total,
    token_budget: room.budget,
    token_estimator: params.estimator,
  };
  const fate = keptBecause(context.stage, error.code.replace('context.', ''), `kept as it is: ${error.text}`);
  const summary = `error: ${params.pending === null ? 'the system segment' : 'what is pending'} does not fit`;
  const fates = new Map<number, Fate>();
  const made = reportOf({
    stage: context.stage,
    params,
    fates,
    problems,
    summary,
    reason: error.code,
    meta,
    needsSummary: null,
  });
  return { view, fates, report: made, explain: () => fate };
}

/** The last summary that an earlier stage put into a view; null if there is none. */
function lastInView({ items }: View): SyntheticItem | null {
  return items.findLast(isSummaryItem) ?? null;
}
