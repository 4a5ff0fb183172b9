import { findExchanges } from '../../../../core/model/exchanges.ts';
import type { Problem } from '../../../../core/model/problem.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from '../../../../core/stages/harn/options.ts';
import { keptBecause } from '../../../../core/view/fates.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import type { Fate, ParamSchema, StageContext, SyntheticItem, View } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, unchanged } from './decision.ts';

const POLICY = { kind: 'summary_prefix', title: 'Summary prefix' };

const KEEP_LAST: ParamSchema = {
  name: 'keep_last',
  label: 'Messages to keep',
  type: 'integer',
  default: 0,
  min: 0,
  softMax: 100,
  unit: 'messages',
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
export const summaryPrefix: PlainStage<SummaryPrefixParams> = {
  ...POLICY,
  aliases: [],
  family: 'harn',
  help: 'Replaces everything before the last messages by one summary.',
  params: [KEEP_LAST, SUMMARY, ...COMMON_PARAMS],
  parse: (options) =>
    parseWith(options, (reader) => ({
      ...readCommon(reader),
      keepLast: reader.count(KEEP_LAST),
      summary: reader.text(SUMMARY),
    })),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    return conclude(POLICY, view, params, context, decide(view, params, context));
  },
};

function decide(view: View, params: SummaryPrefixParams, context: StageContext): Decision {
  const all = view.items.length;
  const cut = all - params.keepLast;
  if (cut <= 0) {
    const summary = `nothing to do: ${countOf(all, 'message')}, ${params.keepLast} to keep`;
    const reason = `kept: the history has ${countOf(all, 'message')}, no more than the ${grouped(params.keepLast)} that stay (keep_last)`;
    const kept = keptBecause(context.stage, 'short_history', reason);
    return unchanged('summary_prefix_noop_short_history', summary, () => kept);
  }
  const reader = readView(view, context.source, context.memo);
  const { text, origin } = summaryText(params, context, cut);
  const last = lastIndexBefore(cut, reader);
  const begin = firstIndexFrom(cut, reader);
  const kept = keptBecause(context.stage, 'in_keep_last', `kept: among ${lastWords(params, begin)}`);
  const item = summaryItem(text, last + 1, context.stage);
  return {
    items: [item, ...view.items.slice(cut)],
    fates: summarised(cut, lastWords(params, begin), reader, context, origin),
    explain: () => kept,
    reason: POLICY.kind,
    summary: `${countOf(cut, 'message')} replaced by ${origin}`,
    problems: splitPairs(cut, reader),
  };
}

/** The message that stands in place of the source messages [0, to). */
export function summaryItem(content: string, to: number, stage: number): SyntheticItem {
  const mark = { synthetic: true, policy: POLICY.kind };
  const text = JSON.stringify({ role: 'system', content, _harn_projection: mark });
  return { kind: 'synthetic', text, covers: { from: 0, to }, stage };
}

/** The summary of the first `cut` messages, and where it is from. */
export function summaryText(params: SummaryPrefixParams, context: Pick<StageContext, 'source'>, cut: number) {
  if (params.summary !== null) return { text: params.summary, origin: 'the written summary' };
  const own = context.source.summary;
  if (own !== null && own !== '') return { text: own, origin: 'the transcript’s own summary' };
  return { text: `[${cut} earlier messages summarized]`, origin: 'a placeholder' };
}

/** The last messages in words; where they begin (source index) says how far a message is from being among them. */
export function lastWords({ keepLast }: SummaryPrefixParams, begin: number | null): string {
  const from = begin === null ? '' : `, from #${begin} on`;
  return `the last ${countOf(keepLast, 'message')} (keep_last)${from}`;
}

function firstIndexFrom(cut: number, reader: ViewReader): number | null {
  for (let position = cut; position < reader.length; position++) {
    const index = reader.indexOf(position);
    if (index !== null) return index;
  }
  return null;
}

function lastIndexBefore(cut: number, reader: ViewReader): number {
  for (let position = cut - 1; position >= 0; position--) {
    const item = reader.item(position);
    if (item.kind === 'source') return item.index;
    if (item.covers.to > item.covers.from) return item.covers.to - 1;
  }
  return -1;
}

/** The fate of all that the summary stands for. */
export function summarisedFate(stage: number, last: string, origin: string): Fate {
  const reason = `older than ${last}; ${origin} stands in its place`;
  return { kind: 'summarised', stage, rule: 'before_keep_last', reason };
}

function summarised(
  cut: number,
  last: string,
  reader: ViewReader,
  context: StageContext,
  origin: string,
): Map<number, Fate> {
  const fate = summarisedFate(context.stage, last, origin);
  const fates = new Map<number, Fate>();
  for (let position = 0; position < cut; position++) {
    const index = reader.indexOf(position);
    if (index !== null) fates.set(index, fate);
  }
  return fates;
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
