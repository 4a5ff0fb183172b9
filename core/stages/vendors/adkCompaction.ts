// Compaction of Google's Agent Development Kit: after each invocation, either all but the last events are summarised
// because the prompt was too large, or the latest invocations because there are enough of them. Summaries overlap.

import { amount } from '../../view/amount.ts';
import { keptBecause } from '../../view/fates.ts';
import type { IncrementalContext, ReportDetails } from '../../view/incremental.ts';
import { parseParams } from '../../view/parseParams.ts';
import { textMessage } from '../../view/textMessage.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { Fate, ParamSchema, StageContext, StageDefinition, ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { type AdkCompaction, AdkRun } from './support/adkRun.ts';
import type { Idle } from './support/conclude.ts';
import { type LiveDecision, LiveDecisions } from './support/liveDecisions.ts';
import { overheadTokens, ROOM_HELP } from './support/options.ts';
import { type SpanSummary, type SummaryOfSpan, spanSummaries, summaryItem } from './support/summarySpan.ts';

const PARAMS = {
  interval: {
    name: 'compaction_interval',
    label: 'Compact every N turns',
    aliases: ['compactionInterval'],
    ...amount('turns', 3, { to: 20 }),
    relax: { towards: 'more', unlimited: 0 },
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
    ...amount('tokens', 0, { to: 200_000 }),
    relax: { towards: 'more', unlimited: 0 },
    help: `After an invocation whose last prompt reached this, all but the last events are summarised; then it is not done by number. 0: never by size. ${ROOM_HELP}`,
  },
  retention: {
    name: 'event_retention_size',
    label: 'Messages to keep',
    aliases: ['eventRetentionSize'],
    ...amount('messages', 5, { to: 50 }),
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
export const adkCompaction: StageDefinition<AdkCompactionParams> = {
  kind: 'adk_compaction',
  title: 'Events compaction (Google ADK)',
  aliases: [],
  family: 'vendors',
  traits: { clientTakes: 'history' },
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
  incremental: (params, context) => new Adk(params, context),
};

interface Spoken {
  readonly summary: SpanSummary;
  readonly item: ViewItem;
}

/** Where the spans end only moves back for a last invocation that turns out not to be over. */
class Adk extends LiveDecisions {
  readonly #params: AdkCompactionParams;
  #run: AdkRun;
  #summaryOf: SummaryOfSpan;
  #made: readonly AdkCompaction[] = [];
  #end = 0;
  readonly #known = new WeakMap<AdkCompaction, Spoken>();
  /** The fate that was asked for last: messages of a span share one. */
  #explained: { readonly one: AdkCompaction; readonly fate: Fate } | null = null;

  constructor(params: AdkCompactionParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
    this.#run = this.#begin();
    this.#summaryOf = spanSummaries(given);
  }

  #begin(): AdkRun {
    // The size of a prompt counts the overhead.
    return new AdkRun({ ...this.#params, beside: overheadTokens(this.context) }, this.context.tokens);
  }

  protected override get isOff(): boolean {
    return this.#params.interval === 0 && this.#params.threshold === 0;
  }

  protected override idle(): Idle | null {
    if (this.isOff) return { rule: 'off', reason: 'neither compaction_interval nor token_threshold is set' };
    return this.#made.length === 0 ? { rule: 'below_interval', reason: notYet(this.#params, this.#run.highest) } : null;
  }

  protected reset(): void {
    this.#run = this.#begin();
    this.#summaryOf = spanSummaries(this.context);
    this.#made = [];
    this.#end = 0;
  }

  protected push(position: number): void {
    this.#run.push(position, this.reader.facts, itemTokens(this.reader.item(position), this.context));
  }

  protected settle(): void {
    const made = this.#run.atEnd(this.reader.facts);
    const last = made.at(-1);
    const { head } = this.#run;
    if (made.length === this.#made.length && sameSpan(last, this.#made.at(-1))) return;
    this.#made = [...made];
    const end = last?.to ?? head;
    for (let position = Math.max(head, this.#end); position < end; position++) this.decide(position, this.#summarised);
    for (let position = end; position < this.#end; position++) this.decide(position, null);
    this.#end = end;
    if (head < this.reader.length) {
      this.insert(
        head,
        made.map((one) => this.#spokenOf(one).item),
      );
    }
  }

  #spokenOf(one: AdkCompaction): Spoken {
    const known = this.#known.get(one);
    if (known !== undefined) return known;
    const summary = this.#summaryOf(this.reader, one.from, one.to, one.end);
    const text = textMessage('assistant', summary.content, this.reader);
    const made = { summary, item: summaryItem(summary, text, 'compacted', this.context) };
    this.#known.set(one, made);
    return made;
  }

  readonly #summarised: LiveDecision = { item: null, kind: 'summarised', fate: (position) => this.#fateAt(position) };

  // Spans begin and end one behind the other, and may overlap: the last that holds a message took it.
  #fateAt(position: number): Fate {
    let low = 0;
    let high = this.#made.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#made[middle]?.from ?? position) <= position) low = middle + 1;
      else high = middle;
    }
    const one = this.#made[low - 1];
    if (one === undefined || position >= one.to) throw new Error(`no span holds position ${position}`);
    if (this.#explained?.one === one) return this.#explained.fate;
    const fate = summarisedFate(one, this.#spokenOf(one).summary, this.#params, this.context);
    this.#explained = { one, fate };
    return fate;
  }

  protected details(): ReportDetails {
    const { head, sums } = this.#run;
    const summaries = this.#made.map((one) => this.#spokenOf(one).summary);
    const written = summaries.reduce((sum, { content }) => sum + this.context.tokens.text(content), 0);
    const saved = Math.max(0, (sums[this.#end] ?? 0) - (sums[head] ?? 0) - written);
    const missing = summaries.findLast(({ isPlaceholder }) => isPlaceholder);
    const messages = countOf(this.#end - head, 'message');
    return {
      summary: `${messages} in ${countOf(this.#made.length, 'span')} summarised`,
      reclaimedTokens: saved,
      ...(missing !== undefined && { needsSummary: missing.span }),
      meta: { compactions: this.#made.length },
    };
  }

  protected explainer(): (position: number) => Fate {
    const { stage } = this.context;
    const { retention } = this.#params;
    const last = this.#made.at(-1);
    const instructions = keptBecause(stage, 'instructions', 'kept: instructions are separate from the conversation');
    const held = last?.byTokens ?? null;
    const latest =
      held === null
        ? 'the last span (compaction_interval) ends before a call whose result came behind it'
        : `among the latest messages when the prompt held ${countOf(held, 'token')}: ${grouped(retention)} stay (event_retention_size), and the call of a result`;
    const beside = keptBecause(stage, 'kept_beside_summary', `kept: ${latest}`);
    const why = `it came after the last span, and since then ${notYet(this.#params, this.#run.highest)}`;
    const since = keptBecause(stage, 'since_compaction', `kept: ${why}`);
    const end = last?.end ?? 0;
    return (position) => (position < this.#run.head ? instructions : position < end ? beside : since);
  }
}

function sameSpan(a: AdkCompaction | undefined, b: AdkCompaction | undefined): boolean {
  return a === b || (a?.from === b?.from && a?.to === b?.to && a?.end === b?.end);
}

// `highest` = tokens of the largest prompt: one that is large enough may leave nothing to summarise.
function notYet({ interval, threshold, retention }: AdkCompactionParams, highest: number): string {
  const reached = `a prompt held ${countOf(highest, 'token')} ≥ ${grouped(threshold)} (token_threshold), but nothing came before its latest ${countOf(retention, 'message')} (event_retention_size)`;
  const parts = [
    ...(interval > 0
      ? [
          `fewer than ${countOf(interval, 'new invocation')} ${interval === 1 ? 'is' : 'are'} complete (compaction_interval)`,
        ]
      : []),
    ...(threshold > 0 && highest < threshold
      ? [`no invocation ended with a prompt of ${countOf(threshold, 'token')} or more (token_threshold)`]
      : []),
    ...(threshold > 0 && highest >= threshold ? [reached] : []),
  ];
  return parts.join(', ');
}

/** The fate of the messages of a span. */
function summarisedFate(
  one: AdkCompaction,
  { origin }: SpanSummary,
  params: AdkCompactionParams,
  { stage }: StageContext,
): Fate {
  const rule = one.byTokens === null ? 'compaction_interval' : 'token_threshold';
  return { kind: 'summarised', stage, rule, reason: `${reasonOf(one, params)}; ${origin} replaces it` };
}

function reasonOf({ byTokens, invocations, again }: AdkCompaction, { interval, threshold }: AdkCompactionParams) {
  if (byTokens !== null) return `the prompt held ${grouped(byTokens)} tokens ≥ ${grouped(threshold)} (token_threshold)`;
  const before = again > 0 ? `, with ${grouped(again)} before them (overlap_size)` : '';
  return `${countOf(invocations, 'new invocation')} ≥ ${grouped(interval)} (compaction_interval) were complete${before}`;
}
