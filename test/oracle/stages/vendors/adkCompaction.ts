// Compaction of Google's Agent Development Kit: after each invocation, either all but the last events are summarised
// because the prompt was too large, or the latest invocations because there are enough of them. Summaries overlap.

import { parseParams } from '../../../../core/view/parseParams.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import { textMessage } from '../../../../core/view/textMessage.ts';
import { itemTokens } from '../../../../core/view/tokens.ts';
import type { Fate, ParamSchema, StageContext, View, ViewItem } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { type AdkCompaction, type AdkRules, AdkRun } from './support/adkRun.ts';
import { conclude, type Decision, savedTokens, untouched } from './support/conclude.ts';
import { overheadTokens, ROOM_HELP } from './support/options.ts';
import { type SpanSummary, spanSummaries, summaryItem } from './support/summarySpan.ts';

const NAME = { kind: 'adk_compaction', title: 'Events compaction (Google ADK)' };

const PARAMS = {
  interval: {
    name: 'compaction_interval',
    label: 'Compact every N turns',
    aliases: ['compactionInterval'],
    type: 'integer',
    default: 3,
    min: 0,
    softMax: 20,
    unit: 'turns',
    help: 'How many new invocations (a message of the user and all up to the next) make a compaction. 0: never by their number. The documentation’s example: 3.',
  },
  overlap: {
    name: 'overlap_size',
    label: 'Turns of overlap',
    aliases: ['overlapSize'],
    type: 'integer',
    default: 1,
    min: 0,
    softMax: 10,
    unit: 'turns',
    help: 'How many invocations of the span before are summarised again with the new ones.',
  },
  threshold: {
    name: 'token_threshold',
    label: 'Compact above',
    aliases: ['tokenThreshold'],
    type: 'integer',
    default: 0,
    min: 0,
    softMax: 200_000,
    unit: 'tokens',
    help: `After an invocation whose last prompt reached this, all but the last events are summarised; then it is not done by number. 0: never by size. ${ROOM_HELP}`,
  },
  retention: {
    name: 'event_retention_size',
    label: 'Messages to keep',
    aliases: ['eventRetentionSize'],
    type: 'integer',
    default: 5,
    min: 0,
    softMax: 50,
    unit: 'messages',
    help: 'How many of the latest events stay when the threshold was reached; more, where a result would lose its call.',
  },
} satisfies Record<string, ParamSchema>;

/** Parameters of adk_compaction; 0 in interval and threshold = off. */
export interface AdkCompactionParams {
  readonly interval: number;
  readonly overlap: number;
  readonly threshold: number;
  readonly retention: number;
}

/**
 * Google ADK's EventsCompactionConfig. Source: adk.dev, "Compress agent context", and google/adk-python
 * apps/_configs.py, apps/compaction.py, flows/llm_flows/contents.py (2026). A compaction inside a larger one counts no
 * more; each other stands as a message of the model where its span ends, and hides the events of its span. Not documented,
 * or chosen here: an event is a message; an invocation is a turn; the last turn is complete if an answer without calls ends
 * it; the prompt's size is that of the last request of the invocation.
 */
export const adkCompaction: PlainStage<AdkCompactionParams> = {
  ...NAME,
  aliases: [],
  family: 'vendors',
  help: 'Summarises spans of invocations, which may overlap, by their number or by the size of the prompt, as Google’s ADK does.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), options, (reader) => ({
      interval: reader.count(PARAMS.interval),
      overlap: reader.count(PARAMS.overlap),
      threshold: reader.count(PARAMS.threshold),
      retention: reader.count(PARAMS.retention),
    })),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    return conclude(NAME, view, context, decide(view, params, context));
  },
};

function decide(view: View, params: AdkCompactionParams, context: StageContext): Decision {
  if (params.interval === 0 && params.threshold === 0) {
    return untouched(context, 'off', 'neither compaction_interval nor token_threshold is set');
  }
  const reader = readView(view, context.source, context.memo);
  const run = new AdkRun(adkRules(params, context), context.tokens);
  for (let position = 0; position < reader.length; position++) {
    run.push(position, reader.facts, itemTokens(reader.item(position), context));
  }
  const made = run.atEnd(reader.facts);
  const { head, sums } = run;
  const end = made.at(-1)?.to ?? head;
  if (made.length === 0) return untouched(context, 'below_interval', notYet(params));
  const summaryOf = spanSummaries(context);
  const summaries = made.map((one) => summaryOf(reader, one.from, one.to, one.end));
  const items: ViewItem[] = [];
  for (let position = 0; position < head; position++) items.push(reader.item(position));
  for (const summary of summaries) items.push(summaryMessage(summary, reader, context));
  for (let position = end; position < reader.length; position++) items.push(reader.item(position));
  const written = summaries.reduce((sum, { content }) => sum + context.tokens.text(content), 0);
  const saved = Math.max(0, (sums[end] ?? 0) - (sums[head] ?? 0) - written);
  const missing = summaries.findLast(({ isPlaceholder }) => isPlaceholder);
  return {
    items,
    fates: summarisedFates(reader, made, summaries, params, context),
    summary: `${countOf(end - head, 'message')} in ${countOf(made.length, 'span')} summarised · ${savedTokens(saved)}`,
    reclaimedTokens: saved,
    explain: explainer(head, params, context),
    ...(missing !== undefined && { needsSummary: missing.span }),
    meta: { compactions: made.length },
  };
}

/** What a run is told; the size of a prompt counts what stands beside its messages. */
export function adkRules(params: AdkCompactionParams, context: Pick<StageContext, 'budget'>): AdkRules {
  return { ...params, beside: overheadTokens(context) };
}

/** A summary as the message of the model that ADK puts in place of its span. */
export function summaryMessage(summary: SpanSummary, reader: ViewReader, context: StageContext): ViewItem {
  return summaryItem(summary, textMessage('assistant', summary.content, reader), 'compacted', context);
}

function notYet({ interval, threshold }: AdkCompactionParams): string {
  const parts = [
    ...(interval > 0 ? [`fewer than ${countOf(interval, 'new invocation')} complete (compaction_interval)`] : []),
    ...(threshold > 0 ? [`no prompt reached ${grouped(threshold)} tokens (token_threshold)`] : []),
  ];
  return parts.join(', ');
}

function summarisedFates(
  reader: ViewReader,
  made: readonly AdkCompaction[],
  summaries: readonly SpanSummary[],
  params: AdkCompactionParams,
  context: StageContext,
): Map<number, Fate> {
  const fates = new Map<number, Fate>();
  for (const [at, one] of made.entries()) {
    const summary = summaries[at];
    if (summary === undefined) continue;
    const fate = summarisedFate(one, summary, params, context);
    for (let position = one.from; position < one.to; position++) {
      const index = reader.indexOf(position);
      if (index !== null) fates.set(index, fate);
    }
  }
  return fates;
}

/** The fate of the messages of a span. */
export function summarisedFate(
  one: AdkCompaction,
  { origin }: SpanSummary,
  params: AdkCompactionParams,
  { stage }: StageContext,
): Fate {
  const rule = one.byTokens === null ? 'compaction_interval' : 'token_threshold';
  return { kind: 'summarised', stage, rule, reason: `${reasonOf(one, params)}; ${origin} stands in its place` };
}

function reasonOf({ byTokens, invocations }: AdkCompaction, { interval, overlap, threshold }: AdkCompactionParams) {
  if (byTokens !== null) return `the prompt held ${grouped(byTokens)} tokens ≥ ${grouped(threshold)} (token_threshold)`;
  const again = overlap > 0 ? `, with ${overlap} before them (overlap_size)` : '';
  return `${countOf(invocations, 'new invocation')} ≥ ${interval} (compaction_interval) were complete${again}`;
}

function explainer(head: number, { interval, retention, threshold }: AdkCompactionParams, { stage }: StageContext) {
  const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
  const instructions = kept('instructions', 'kept: instructions stand beside the conversation');
  const why =
    threshold > 0
      ? `among the latest events: ${grouped(retention)} stay at least (event_retention_size)`
      : `not yet ${countOf(interval, 'new invocation')} (compaction_interval) since the last span`;
  const since = kept('since_compaction', `kept: ${why}`);
  return (position: number): Fate => (position < head ? instructions : since);
}
