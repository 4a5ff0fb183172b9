// The cut moves with the call point, and what lies between where it was and where it is changes.

import { findExchanges } from '../../model/exchanges.ts';
import type { Problem } from '../../model/problem.ts';
import { amount } from '../../view/amount.ts';
import { keptBecause } from '../../view/fates.ts';
import type { IncrementalContext, IncrementalRun, ReportDetails, StageDone } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import type { Fate, ParamSchema, StageDefinition, SyntheticItem, ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { policyReport } from './decision.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';

const POLICY = { kind: 'summary_prefix', title: 'Summary prefix' };

const KEEP_LAST: ParamSchema = {
  name: 'keep_last',
  label: 'Messages to keep',
  ...amount('messages', 0, { to: 100 }),
  help: 'How many messages at the end stay word for word. The rest is replaced by the summary.',
};

const SUMMARY: ParamSchema = {
  name: 'summary',
  label: 'Summary text',
  type: 'text',
  default: null,
  help: 'The summary’s text. Empty: the transcript’s own summary, and if it has none a placeholder with the number of messages.',
};

/** Parameters of summary_prefix; summary null = the transcript's own, else a placeholder. */
export interface SummaryPrefixParams extends HarnParams {
  readonly keepLast: number;
  readonly summary: string | null;
}

/** Replaces all but the last messages by one synthetic system message. Source: spec of the projection, "Policies". */
export const summaryPrefix: StageDefinition<SummaryPrefixParams> = {
  ...POLICY,
  aliases: [],
  family: 'harn',
  traits: { clientTakes: 'history' },
  help: 'Replaces everything before the last messages by one summary.',
  params: [KEEP_LAST, SUMMARY, ...COMMON_PARAMS],
  parse: (options) =>
    parseWith(options, (reader) => ({
      ...readCommon(reader),
      keepLast: reader.count(KEEP_LAST),
      summary: reader.text(SUMMARY),
    })),
  incremental: (params, context) => new SummaryPrefix(params, context),
};

const NONE: readonly ViewItem[] = [];
const BEGINNING: LivePlace = { cell: 0, slot: 0 };

class SummaryPrefix implements IncrementalRun {
  readonly respectsSignatures: boolean;
  readonly #params: SummaryPrefixParams;
  readonly #context: IncrementalContext;
  #input: LiveView | null = null;
  /** What stands before it is summarised. */
  #cut = BEGINNING;
  #position = 0;
  /** Shared by all messages of a call point. */
  #fate: Fate | null = null;
  #kept: Fate | null = null;

  constructor(params: SummaryPrefixParams, context: IncrementalContext) {
    this.respectsSignatures = params.respectProviderSignatures;
    this.#params = params;
    this.#context = context;
  }

  step(input: LiveView, _at: number, overlay: Overlay): void {
    this.#input = input;
    this.#fate = null;
    this.#kept = null;
    const before = this.#cut;
    this.#position = Math.max(0, input.length - this.#params.keepLast);
    this.#cut = this.#position === 0 ? BEGINNING : input.place(this.#position);
    const summary = this.#position === 0 ? null : this.#summary(input);
    const from = Math.min(before.cell, this.#cut.cell);
    const to = Math.max(before.cell, this.#cut.cell);
    for (let cell = from; cell <= to; cell++) this.#show(cell, summary, input, overlay);
    if (input.whole === null) {
      for (const cell of input.changed.keys()) {
        if (cell < from || cell > to) this.#show(cell, summary, input, overlay);
      }
    }
    this.#show(0, summary, input, overlay);
  }

  fateOf(index: number): Fate | null {
    const input = this.#input;
    if (input === null || this.#position === 0 || !this.#isBeforeCut(index, input)) return null;
    this.#fate ??= this.#summarised(input);
    return this.#fate;
  }

  explain(): Fate {
    this.#kept ??= this.#position === 0 ? this.#shortHistory() : this.#inKeepLast();
    return this.#kept;
  }

  report(done: StageDone): ReportDetails {
    const input = this.#inputNow();
    if (this.#position === 0) {
      const summary = `nothing to do: ${countOf(input.length, 'message')}, ${this.#params.keepLast} to keep`;
      return policyReport(done, this.#params, { reason: 'summary_prefix_noop_short_history', summary });
    }
    const { origin } = summaryText(this.#params, this.#context, this.#position);
    const summary = `${countOf(this.#position, 'message')} replaced by ${origin}`;
    const problems = splitPairs(this.#position, readView(input.toView(), this.#context.source, this.#context.memo));
    return policyReport(done, this.#params, { reason: POLICY.kind, summary, problems });
  }

  #summarised(input: LiveView): Fate {
    const { origin } = summaryText(this.#params, this.#context, this.#position);
    const last = lastWords(this.#params, this.#begin(input));
    const reason = `older than ${last}; ${origin} replaces it`;
    return { kind: 'summarised', stage: this.#context.stage, rule: 'before_keep_last', reason };
  }

  #shortHistory(): Fate {
    const all = countOf(this.#inputNow().length, 'message');
    const reason = `kept: the history has ${all}, no more than the ${grouped(this.#params.keepLast)} that stay (keep_last)`;
    return keptBecause(this.#context.stage, 'short_history', reason);
  }

  #inKeepLast(): Fate {
    const last = lastWords(this.#params, this.#begin(this.#inputNow()));
    return keptBecause(this.#context.stage, 'in_keep_last', `kept: among ${last}`);
  }

  #inputNow(): LiveView {
    if (this.#input === null) throw new Error('a stage is asked before its first step');
    return this.#input;
  }

  #show(cell: number, summary: SyntheticItem | null, input: LiveView, overlay: Overlay): void {
    if (summary === null || cell > this.#cut.cell) overlay.pass(cell);
    else {
      const kept = cell < this.#cut.cell ? NONE : input.at(cell).slice(this.#cut.slot);
      overlay.replace(cell, cell === 0 ? [summary, ...kept] : kept);
    }
    overlay.fate(cell, summary !== null && this.#isBeforeCut(cell, input) ? 'summarised' : null);
  }

  #isBeforeCut(index: number, input: LiveView): boolean {
    if (index > this.#cut.cell || input.source(index) === null) return false;
    return index < this.#cut.cell || input.at(index).length <= this.#cut.slot;
  }

  #summary(input: LiveView): SyntheticItem {
    const { text } = summaryText(this.#params, this.#context, this.#position);
    return summaryItem(text, this.#lastBeforeCut(input) + 1, this.#context.stage);
  }

  #lastBeforeCut(input: LiveView): number {
    for (let position = this.#position - 1; position >= 0; position--) {
      const item = input.item(position);
      if (item.kind === 'source') return item.index;
      if (item.covers.to > item.covers.from) return item.covers.to - 1;
    }
    return -1;
  }

  #begin(input: LiveView): number | null {
    for (let position = this.#position; position < input.length; position++) {
      const item = input.item(position);
      if (item.kind === 'source') return item.index;
    }
    return null;
  }
}

/** The message that is in place of the source messages [0, to). */
export function summaryItem(content: string, to: number, stage: number): SyntheticItem {
  const mark = { synthetic: true, policy: POLICY.kind };
  const text = JSON.stringify({ role: 'system', content, _harn_projection: mark });
  return { kind: 'synthetic', text, covers: { from: 0, to }, stage };
}

// The summary of the first `cut` messages, and where it is from.
function summaryText(params: SummaryPrefixParams, context: IncrementalContext, cut: number) {
  if (params.summary !== null) return { text: params.summary, origin: 'the written summary' };
  const own = context.source.summary;
  if (own !== null && own !== '') return { text: own, origin: 'the transcript’s own summary' };
  return { text: `[${cut} earlier messages summarized]`, origin: 'a placeholder' };
}

// Where they begin (source index) says how far a message is from being among them.
function lastWords({ keepLast }: SummaryPrefixParams, begin: number | null): string {
  const from = begin === null ? '' : `, from #${begin} on`;
  return `the last ${countOf(keepLast, 'message')} (keep_last)${from}`;
}

// The policy counts messages, not turns: it may keep a result and summarise its call. Harn does so, and a provider
// would reject the request; so it is done, and said.
function splitPairs(cut: number, reader: ViewReader): Problem[] {
  const turn = lastAssistantBefore(cut, reader);
  if (turn === null) return [];
  const [exchange] = findExchanges(reader.length - turn, (position) => reader.facts(turn + position));
  if (exchange?.message !== 0) return [];
  const problems: Problem[] = [];
  for (const call of exchange.calls) {
    const orphan = call.results.find((result) => turn + result.message >= cut);
    if (orphan === undefined) continue;
    const index = reader.indexOf(turn + orphan.message);
    const text = `keep_last cuts between the call of ${call.name ?? 'a tool'} and its result, which is kept: a provider would reject the request.`;
    problems.push({
      code: 'projection.split_pair',
      severity: 'warning',
      text,
      ...(index !== null && { where: { index } }),
    });
  }
  return problems;
}

function lastAssistantBefore(cut: number, reader: ViewReader): number | null {
  for (let position = cut - 1; position >= 0; position--) {
    if (reader.facts(position).role === 'assistant') return position;
  }
  return null;
}
