// Compaction as it happens along a conversation: before each request the context is weighed; where it is too large, what
// came before a cut gives way to a summary, and the conversation continues from there. Here are the rules, and the track of one conversation.
import type { ViewReader } from '../../../view/reader.ts';
import type { Fate, StageContext } from '../../../view/types.ts';
import { grouped } from '../../../view/words.ts';
import { formatPrompt, formatTokenCount, overheadTokens } from './options.ts';
import { type SpanSummary, type SummaryOfSpan, summaryItem } from './summarySpan.ts';

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
  /** What else there is to say of a message that is kept at a position before the request that caused the compaction. */
  keptWords(position: number, compaction: Pick<Compaction, 'cut' | 'at'>, sums: ArrayLike<number>): string;
  readonly rule: string;
  /** What the provider would have where the summary stands; absent = a text, as here. */
  readonly instead?: string;
  /** Messages that stay though they stand before the cut: in front of the summary. Absent = none. */
  readonly keeps?: { readonly words: string; is(position: number): boolean };
  /** True for a message that carries a compaction itself: all before it is gone with it. Absent = there are none. */
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

  /** True while a summary is asked for that is not there yet. */
  get isWaiting(): boolean {
    return this.#asked !== null;
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

  /** The message at a position carries a compaction itself. */
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

/** The summary as a message of the view. */
export function standIn(summary: SpanSummary, rules: CompactionRules, context: StageContext) {
  return summaryItem(summary, rules.render(summary.content), rules.rule, context, rules.instead);
}

/** What is in the place of a compaction's messages, in words. */
export function originOf({ summary }: Compaction): string {
  return summary?.origin ?? 'the recorded compaction block';
}

/** A request's size in words. */
export function describeSize(tokens: number, context: StageContext, { isOfPrompt }: CompactionRules): string {
  return isOfPrompt ? formatPrompt(tokens, context) : formatTokenCount(tokens, context);
}

/** Which request it was that stood before a position. */
export function whenOf(reader: ViewReader, at: number): string {
  const index = at < reader.length ? reader.indexOf(at) : null;
  return index === null ? 'the next request' : `the request before #${index}`;
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
  const size = `${describeSize(last.tokens, context, rules)} ${rules.relation} ${rules.threshold}`;
  return {
    kind: 'summarised',
    stage,
    rule: rules.rule,
    reason: `${whenOf(reader, last.at)} held ${size}; ${last.summary.origin} replaces it`,
  };
}

/** `150,000 (trigger)`, for CompactionRules.threshold. */
export function describeThreshold(tokens: number, option: string): string {
  return `${grouped(tokens)} (${option})`;
}
