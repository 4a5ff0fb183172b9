// Compaction as it happens along a conversation: before each request the context is weighed; where it is too large, what
// came before a cut gives way to a summary, and the conversation goes on from there. One pass over the view.
import { BEGINS_TURN, IS_ASSISTANT, outlineOf } from '../../../view/outline.ts';
import type { ViewReader } from '../../../view/reader.ts';
import type { Fate, StageContext, ViewItem } from '../../../view/types.ts';
import { countOf, grouped } from '../../../view/words.ts';
import { type Decision, savedTokens } from './conclude.ts';
import { prefixTokens } from './counting.ts';
import { tokensInWords } from './options.ts';
import { headLength, type SpanSummary, spanSummaries, summaryItem } from './summarySpan.ts';

/** What a vendor's rules say. Positions are those of the view. */
export interface CompactionRules {
  /** The words of the threshold, e.g. `150,000 (trigger)`, and of what was found, e.g. `≥`. */
  readonly threshold: string;
  readonly relation: string;
  isOver(tokens: number): boolean;
  /** Where what is kept begins, for a request before position `at`, when everything before `from` is summarised already. */
  cutAt(from: number, at: number, sums: Float64Array): number;
  /** The JSON text of the message that carries the summary. */
  render(content: string): string;
  /** What else there is to say of a message kept before the request that caused the compaction. */
  readonly keptWords: string;
  readonly rule: string;
}

interface Compaction {
  readonly cut: number;
  /** The request before this position caused it. */
  readonly at: number;
  readonly tokens: number;
  readonly summary: SpanSummary;
}

/** Follows the rules along the view up to its end, and puts the last summary in its place. */
export function runCompaction(reader: ViewReader, context: StageContext, rules: CompactionRules): Decision {
  const head = headLength(reader);
  const sums = prefixTokens(reader, context);
  const made = compactions(reader, context, rules, head, sums);
  const last = made.compactions.at(-1);
  if (last === undefined) return notReached(made.highest, context, rules);
  const { cut, summary } = last;
  const text = rules.render(summary.content);
  const items: ViewItem[] = [];
  for (let position = 0; position < head; position++) items.push(reader.item(position));
  items.push(summaryItem(summary, text, rules.rule, context));
  for (let position = cut; position < reader.length; position++) items.push(reader.item(position));
  const saved = (sums[cut] ?? 0) - (sums[head] ?? 0) - context.tokens.text(summary.content);
  return {
    items,
    fates: summarisedFates(reader, head, last, context, rules),
    summary: `${countOf(cut - head, 'message')} replaced by ${summary.origin} · ${savedTokens(Math.max(0, saved))}`,
    reclaimedTokens: Math.max(0, saved),
    explain: explainer(reader, head, last, context, rules),
    ...(summary.isPlaceholder && { needsSummary: summary.span }),
    meta: {
      compactions: made.compactions.length,
      tokens_before: last.tokens,
      splits_turn: cut < reader.length && (outlineOf(reader, context)(cut) & BEGINS_TURN) === 0,
    },
  };
}

function compactions(
  reader: ViewReader,
  context: StageContext,
  rules: CompactionRules,
  head: number,
  sums: Float64Array,
): { readonly compactions: readonly Compaction[]; readonly highest: number } {
  const outline = outlineOf(reader, context);
  const summaryOf = spanSummaries(reader, context);
  const found: Compaction[] = [];
  let cut = head;
  let carried = sums[head] ?? 0;
  let highest = 0;
  for (let at = head; at <= reader.length; at++) {
    if (at < reader.length && (outline(at) & IS_ASSISTANT) === 0) continue;
    const tokens = carried + (sums[at] ?? 0) - (sums[cut] ?? 0);
    highest = Math.max(highest, tokens);
    if (!rules.isOver(tokens)) continue;
    const next = rules.cutAt(cut, at, sums);
    if (next <= cut) continue;
    cut = next;
    const summary = summaryOf(head, cut);
    carried = (sums[head] ?? 0) + context.tokens.text(summary.content);
    found.push({ cut, at, tokens, summary });
  }
  return { compactions: found, highest };
}

function notReached(highest: number, context: StageContext, rules: CompactionRules): Decision {
  const reason = `no request was larger than ${tokensInWords(highest, context)}: not ${rules.relation} ${rules.threshold}`;
  const fate: Fate = { kind: 'kept', stage: context.stage, rule: 'below_threshold', reason: `kept: ${reason}` };
  return { items: null, fates: new Map(), summary: `nothing to do: ${reason}`, explain: () => fate };
}

function whenOf(reader: ViewReader, { at }: Compaction): string {
  const index = at < reader.length ? reader.indexOf(at) : null;
  return index === null ? 'the next request' : `the request before #${index}`;
}

function summarisedFates(
  reader: ViewReader,
  head: number,
  last: Compaction,
  context: StageContext,
  rules: CompactionRules,
): Map<number, Fate> {
  const size = `${tokensInWords(last.tokens, context)} ${rules.relation} ${rules.threshold}`;
  const fate: Fate = {
    kind: 'summarised',
    stage: context.stage,
    rule: rules.rule,
    reason: `${whenOf(reader, last)} held ${size}; ${last.summary.origin} stands in its place`,
  };
  const fates = new Map<number, Fate>();
  for (let position = head; position < last.cut; position++) {
    const index = reader.indexOf(position);
    if (index !== null) fates.set(index, fate);
  }
  return fates;
}

function explainer(
  reader: ViewReader,
  head: number,
  last: Compaction,
  { stage }: StageContext,
  rules: CompactionRules,
): Decision['explain'] {
  const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
  const instructions = kept('instructions', 'kept: instructions stand beside the conversation');
  const beside = kept('kept_beside_summary', `kept: ${rules.keptWords}`);
  const since = kept('since_compaction', `kept: it came after the compaction at ${whenOf(reader, last)}`);
  return (position) => (position < head ? instructions : position < last.at ? beside : since);
}

/** `150,000 (trigger)`, for CompactionRules.threshold. */
export function thresholdWords(tokens: number, option: string): string {
  return `${grouped(tokens)} (${option})`;
}
