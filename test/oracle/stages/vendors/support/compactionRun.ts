// Compaction as it happens along a conversation: before each request the context is weighed; where it is too large, what
// came before a cut gives way to a summary, and the conversation goes on from there. One pass over the view.
import { BEGINS_TURN, IS_ASSISTANT, outlineOf } from '../../../../../core/view/outline.ts';
import type { ViewReader } from '../../../../../core/view/reader.ts';
import { itemTokens } from '../../../../../core/view/tokens.ts';
import type { Fate, StageContext, ViewItem } from '../../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../../core/view/words.ts';
import { type Decision, savedTokens } from './conclude.ts';
import { prefixTokens } from './counting.ts';
import { overheadTokens, promptInWords, tokensInWords } from './options.ts';
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
  /** What the provider would have where the summary stands; absent = a text, as here. */
  readonly instead?: string;
  /** Messages that stay though they stand before the cut: in front of the summary. Absent = none. */
  readonly keeps?: { readonly words: string; is(position: number): boolean };
  /** True for a message that carries a compaction of its own: all before it is gone with it. Absent = there are none. */
  carries?(position: number): boolean;
  /** How many messages come before the summary is there; until then requests go out whole. Absent = none. */
  readonly delay?: number;
  /** What is to be said of a cut, on the card. */
  remark?(cut: number): string | null;
}

/** One compaction: what came before `cut` was summarised because of the request before position `at`. */
export interface Compaction {
  readonly cut: number;
  readonly at: number;
  readonly tokens: number;
  /** The first request that was sent with it. */
  readonly from: number;
  /** Null: the message at `cut` carries it. */
  readonly summary: SpanSummary | null;
}

/** What a request is weighed by: tokens of the messages before each position, of all and of those that stay by `keeps`. */
export interface CompactionSums {
  readonly all: ArrayLike<number>;
  readonly kept: ArrayLike<number>;
}

/** Where a conversation stands: request by request. Positions are those of the view. */
export class CompactionTrack {
  /** Messages of instructions at the beginning. */
  head = 0;
  last: Compaction | null = null;
  made = 0;
  highest = 0;
  /** A compaction that was asked for and is not there yet. */
  #asked: Pick<Compaction, 'cut' | 'at' | 'tokens'> | null = null;
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
    copy.#asked = this.#asked;
    copy.#carried = this.#carried;
    return copy;
  }

  /** A request is made before position `at`: weighs it, and compacts if it is too large. */
  request(at: number, sums: CompactionSums, reader: ViewReader, rules: CompactionRules, context: StageContext): void {
    const delay = rules.delay ?? 0;
    if (this.#asked !== null && at >= this.#asked.at + delay) this.#use(this.#asked, at, reader, context);
    const { head } = this;
    const cut = this.last?.cut ?? head;
    const kept = (sums.kept[cut] ?? 0) - (sums.kept[head] ?? 0);
    const messages = (sums.all[head] ?? 0) + this.#carried + kept + (sums.all[at] ?? 0) - (sums.all[cut] ?? 0);
    const tokens = messages + (rules.isOfPrompt ? overheadTokens(context) : 0);
    this.highest = Math.max(this.highest, tokens);
    if (this.#asked !== null || !rules.isOver(tokens)) return;
    const next = rules.cutAt(cut, at, sums.all);
    if (next <= cut) return;
    this.#asked = { cut: next, at, tokens };
    if (delay === 0) this.#use(this.#asked, at, reader, context);
  }

  /** The message at a position carries a compaction of its own. */
  carried(position: number): void {
    if (position <= this.head) return;
    // It is the one that this request made, if it made one.
    const isOwn = this.last?.from === position && this.last.summary !== null;
    this.#asked = null;
    this.#carried = 0;
    if (!isOwn) this.made++;
    this.last = { cut: position, at: position, tokens: 0, from: position + 1, summary: null };
  }

  #use(
    { cut, at, tokens }: Pick<Compaction, 'cut' | 'at' | 'tokens'>,
    from: number,
    reader: ViewReader,
    context: StageContext,
  ) {
    const summary = this.#summaryOf(reader, this.head, cut, at);
    this.#asked = null;
    this.#carried = context.tokens.text(summary.content);
    this.last = { cut, at, tokens, from, summary };
    this.made++;
  }
}

/** Follows the rules along the view up to its end, and puts the last summary in its place. */
export function runCompaction(reader: ViewReader, context: StageContext, rules: CompactionRules): Decision {
  const all = prefixTokens(reader, context);
  const sums = { all, kept: rules.keeps === undefined ? [] : keptSums(reader, context, rules.keeps) };
  const outline = outlineOf(reader, context);
  const track = new CompactionTrack(spanSummaries(context));
  track.head = headLength(reader);
  for (let at = track.head; at <= reader.length; at++) {
    if (at === reader.length || (outline(at) & IS_ASSISTANT) !== 0) track.request(at, sums, reader, rules, context);
    if (at < reader.length && rules.carries?.(at) === true) track.carried(at);
  }
  const { head, last } = track;
  if (last === null) return notReached(track.highest, context, rules);
  return compacted(track, last, { reader, sums, head }, context, rules, outline);
}

interface Weighed {
  readonly reader: ViewReader;
  readonly sums: CompactionSums;
  readonly head: number;
}

function compacted(
  { made }: CompactionTrack,
  last: Compaction,
  { reader, sums, head }: Weighed,
  context: StageContext,
  rules: CompactionRules,
  outline: (position: number) => number,
): Decision {
  const { cut, summary } = last;
  const stays = (position: number): boolean => rules.keeps?.is(position) === true;
  const items: ViewItem[] = [];
  for (let position = 0; position < cut; position++) {
    if (position < head || stays(position)) items.push(reader.item(position));
  }
  const count = cut - items.length;
  if (summary !== null) items.push(standIn(summary, rules, context));
  for (let position = cut; position < reader.length; position++) items.push(reader.item(position));
  const gone = (sums.all[cut] ?? 0) - (sums.all[head] ?? 0) - ((sums.kept[cut] ?? 0) - (sums.kept[head] ?? 0));
  const saved = Math.max(0, gone - (summary === null ? 0 : context.tokens.text(summary.content)));
  const remark = rules.remark?.(cut) ?? null;
  const words = `${countOf(count, 'message')} replaced by ${originOf(last)} · ${savedTokens(saved)}`;
  return {
    items,
    fates: summarisedFates(reader, head, last, context, rules),
    summary: remark === null ? words : `${words} · ${remark}`,
    reclaimedTokens: saved,
    explain: explainer(reader, head, last, context, rules),
    ...(summary?.isPlaceholder === true && { needsSummary: summary.span }),
    meta: {
      compactions: made,
      tokens_before: last.tokens,
      splits_turn: cut < reader.length && (outline(cut) & BEGINS_TURN) === 0,
    },
  };
}

/** The summary as a message of the view. */
export function standIn(summary: SpanSummary, rules: CompactionRules, context: StageContext) {
  return summaryItem(summary, rules.render(summary.content), rules.rule, context, rules.instead);
}

function originOf({ summary }: Compaction): string {
  return summary?.origin ?? 'the recorded compaction block';
}

function keptSums(reader: ViewReader, context: StageContext, { is }: NonNullable<CompactionRules['keeps']>): number[] {
  const sums = [0];
  for (let position = 0; position < reader.length; position++) {
    sums.push((sums[position] ?? 0) + (is(position) ? itemTokens(reader.item(position), context) : 0));
  }
  return sums;
}

function notReached(highest: number, context: StageContext, rules: CompactionRules): Decision {
  const reason = `no request was larger than ${sizeWords(highest, context, rules)}: not ${rules.relation} ${rules.threshold}`;
  const fate: Fate = { kind: 'kept', stage: context.stage, rule: 'below_threshold', reason: `kept: ${reason}` };
  return { items: null, fates: new Map(), summary: `nothing to do: ${reason}`, explain: () => fate };
}

function sizeWords(tokens: number, context: StageContext, { isOfPrompt }: CompactionRules): string {
  return isOfPrompt ? promptInWords(tokens, context) : tokensInWords(tokens, context);
}

function whenOf(reader: ViewReader, at: number): string {
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
    const index = rules.keeps?.is(position) === true ? null : reader.indexOf(position);
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
  const { stage } = context;
  if (last.summary === null) {
    const where = reader.indexOf(last.cut);
    const reason = `#${where ?? last.cut} begins with a compaction block: the API drops everything before it`;
    return {
      kind: 'summarised',
      stage,
      rule: 'before_compaction_block',
      reason,
      ...(where !== null && { because: where }),
    };
  }
  const size = `${sizeWords(last.tokens, context, rules)} ${rules.relation} ${rules.threshold}`;
  return {
    kind: 'summarised',
    stage,
    rule: rules.rule,
    reason: `${whenOf(reader, last.at)} held ${size}; ${last.summary.origin} stands in its place`,
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
  const staying = kept('kept_before_summary', `kept: ${rules.keeps?.words ?? ''}`);
  const beside = kept('kept_beside_summary', `kept: ${rules.keptWords}`);
  const meanwhile = kept('kept_meanwhile', 'kept: it came while the summary was made (background)');
  const since = kept('since_compaction', `kept: it came after the compaction at ${whenOf(reader, last.at)}`);
  return (position) => {
    if (position < head) return instructions;
    if (position < last.cut) return staying;
    if (position < last.at) return beside;
    return position < last.from && last.from > last.at && last.summary !== null ? meanwhile : since;
  };
}

/** `150,000 (trigger)`, for CompactionRules.threshold. */
export function thresholdWords(tokens: number, option: string): string {
  return `${grouped(tokens)} (${option})`;
}
