// Compaction as it happens along a conversation: before each request the context is weighed; where it is too large, what
// came before a cut gives way to a summary, and the conversation goes on from there. One pass over the view.
import { BEGINS_TURN, IS_ASSISTANT, outlineOf } from '../../../view/outline.ts';
import type { ViewReader } from '../../../view/reader.ts';
import type { Fate, StageContext, ViewItem } from '../../../view/types.ts';
import { countOf, grouped } from '../../../view/words.ts';
import { type Decision, savedTokens } from './conclude.ts';
import { prefixTokens } from './counting.ts';
import { besideTokens, promptInWords, tokensInWords } from './options.ts';
import { headLength, type SpanSummary, type SummaryOfSpan, spanSummaries, summaryItem } from './summarySpan.ts';

/** What a vendor's rules say. Positions are those of the view. */
export interface CompactionRules {
  /** The words of the threshold, e.g. `150,000 (trigger)`, and of what was found, e.g. `≥`. */
  readonly threshold: string;
  readonly relation: string;
  /** True if the threshold is one of the whole prompt, system prompt and tools included. */
  readonly isOfPrompt: boolean;
  isOver(tokens: number): boolean;
  /** Where what is kept begins, for a request before position `at`, when everything before `from` is summarised already. */
  cutAt(from: number, at: number, sums: ArrayLike<number>): number;
  /** The JSON text of the message that carries the summary. */
  render(content: string): string;
  /** What else there is to say of a message kept before the request that caused the compaction. */
  readonly keptWords: string;
  readonly rule: string;
}

/** One compaction: what came before `cut` was summarised because of the request before position `at`. */
export interface Compaction {
  readonly cut: number;
  readonly at: number;
  readonly tokens: number;
  readonly summary: SpanSummary;
}

/** Where a conversation stands: request by request. Positions are those of the view. */
export class CompactionTrack {
  /** Messages of instructions at the beginning. */
  head = 0;
  last: Compaction | null = null;
  made = 0;
  highest = 0;
  /** Tokens of the summary; 0 before the first compaction. */
  #carried = 0;
  readonly #summaryOf: SummaryOfSpan;

  constructor(summaryOf: SummaryOfSpan) {
    this.#summaryOf = summaryOf;
  }

  /** The same, to be tried on: what is asked of the copy does not happen here. */
  copy(): CompactionTrack {
    const copy = new CompactionTrack(this.#summaryOf);
    copy.head = this.head;
    copy.last = this.last;
    copy.made = this.made;
    copy.highest = this.highest;
    copy.#carried = this.#carried;
    return copy;
  }

  /** A request is made before position `at`: weighs it, and compacts if it is too large. */
  request(
    at: number,
    sums: ArrayLike<number>,
    reader: ViewReader,
    rules: CompactionRules,
    context: StageContext,
  ): void {
    const cut = this.last?.cut ?? this.head;
    const messages = (sums[this.head] ?? 0) + this.#carried + (sums[at] ?? 0) - (sums[cut] ?? 0);
    const tokens = messages + (rules.isOfPrompt ? besideTokens(context) : 0);
    this.highest = Math.max(this.highest, tokens);
    if (!rules.isOver(tokens)) return;
    const next = rules.cutAt(cut, at, sums);
    if (next <= cut) return;
    const summary = this.#summaryOf(reader, this.head, next, at);
    this.#carried = context.tokens.text(summary.content);
    this.last = { cut: next, at, tokens, summary };
    this.made++;
  }
}

/** Follows the rules along the view up to its end, and puts the last summary in its place. */
export function runCompaction(reader: ViewReader, context: StageContext, rules: CompactionRules): Decision {
  const sums = prefixTokens(reader, context);
  const outline = outlineOf(reader, context);
  const track = new CompactionTrack(spanSummaries(context));
  track.head = headLength(reader);
  for (let at = track.head; at <= reader.length; at++) {
    if (at === reader.length || (outline(at) & IS_ASSISTANT) !== 0) track.request(at, sums, reader, rules, context);
  }
  const { head, last } = track;
  if (last === null) return notReached(track.highest, context, rules);
  const { cut, summary } = last;
  const items: ViewItem[] = [];
  for (let position = 0; position < head; position++) items.push(reader.item(position));
  items.push(summaryItem(summary, rules.render(summary.content), rules.rule, context));
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
      compactions: track.made,
      tokens_before: last.tokens,
      splits_turn: cut < reader.length && (outline(cut) & BEGINS_TURN) === 0,
    },
  };
}

function notReached(highest: number, context: StageContext, rules: CompactionRules): Decision {
  const reason = `no request was larger than ${sizeWords(highest, context, rules)}: not ${rules.relation} ${rules.threshold}`;
  const fate: Fate = { kind: 'kept', stage: context.stage, rule: 'below_threshold', reason: `kept: ${reason}` };
  return { items: null, fates: new Map(), summary: `nothing to do: ${reason}`, explain: () => fate };
}

function sizeWords(tokens: number, context: StageContext, { isOfPrompt }: CompactionRules): string {
  return isOfPrompt ? promptInWords(tokens, context) : tokensInWords(tokens, context);
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
  const fate = summarisedFate(reader, last, context, rules);
  const fates = new Map<number, Fate>();
  for (let position = head; position < last.cut; position++) {
    const index = reader.indexOf(position);
    if (index !== null) fates.set(index, fate);
  }
  return fates;
}

/** The fate of the messages that a compaction took. */
export function summarisedFate(
  reader: ViewReader,
  last: Compaction,
  context: StageContext,
  rules: CompactionRules,
): Fate {
  const size = `${sizeWords(last.tokens, context, rules)} ${rules.relation} ${rules.threshold}`;
  return {
    kind: 'summarised',
    stage: context.stage,
    rule: rules.rule,
    reason: `${whenOf(reader, last)} held ${size}; ${last.summary.origin} stands in its place`,
  };
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
