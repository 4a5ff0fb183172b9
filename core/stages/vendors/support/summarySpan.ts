// Summaries in place of spans of a view: recorded ones and written ones, else a labelled placeholder. Never one made up.
import type { SummaryArtifact } from '../../../model/summary.ts';
import { effectiveFrom } from '../../../model/transcript.ts';
import type { ViewReader } from '../../../view/reader.ts';
import { summariesAt } from '../../../view/summaryFor.ts';
import { PLACEHOLDER_CHIP, type StageContext, type SyntheticItem } from '../../../view/types.ts';
import { countOf, grouped } from '../../../view/words.ts';

/** Source indices, end exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What stands for a span: its text, and where that is from. */
export interface SpanSummary {
  readonly span: Span;
  readonly content: string;
  /** In words, for fates and cards. */
  readonly origin: string;
  readonly isPlaceholder: boolean;
}

/**
 * The source spans of a view's messages [from, to): what they cover, synthetic ones included. A span that begins where the
 * last one did is that one made longer: a conversation that is compacted before each request asks for thousands.
 */
function growingSpans(): (reader: ViewReader, from: number, to: number) => Span {
  let known = { from: 0, to: 0, first: Number.POSITIVE_INFINITY, end: 0 };
  return (reader, from, to) => {
    if (known.from !== from || known.to > to) known = { from, to: from, first: Number.POSITIVE_INFINITY, end: 0 };
    let { first, end } = known;
    for (let position = known.to; position < to; position++) {
      const item = reader.item(position);
      const covers = item.kind === 'source' ? { from: item.index, to: item.index + 1 } : item.covers;
      if (covers.from < first) first = covers.from;
      if (covers.to > end) end = covers.to;
    }
    known = { from, to, first, end };
    return { from: Math.min(first, end), to: end };
  };
}

/** Finds what stands for the view's messages [from, to), as the request before position `at` could use it. */
export type SummaryOfSpan = (reader: ViewReader, from: number, to: number, at: number) => SpanSummary;

/**
 * Makes a finder of summaries: one that ends where the span ends and covers it, a written one before a recorded one, else a
 * placeholder. Make one for each view: it looks once for what there is.
 */
export function spanSummaries({ source, memo }: Pick<StageContext, 'source' | 'memo'>): SummaryOfSpan {
  const recorded = recordedSummaries({ source, memo });
  const spanOf = growingSpans();
  return (reader, from, to, at) => {
    const span = spanOf(reader, from, to);
    const fits = (one: SummaryArtifact): boolean => one.to === span.to && one.from <= span.from;
    const written = source.summaries().findLast(fits);
    const found = written ?? recorded(requestAt(reader, at)).findLast(fits);
    if (found === undefined) {
      const content = `[${grouped(to - from)} earlier messages summarized]`;
      return { span, content, origin: 'a placeholder', isPlaceholder: true };
    }
    const origin = found.origin === 'written' ? 'the written summary' : 'the recorded summary';
    return { span, content: found.content, origin, isPlaceholder: false };
  };
}

// The call point of the request before a position: behind the last message of the transcript that it holds.
function requestAt(reader: ViewReader, at: number): number {
  for (let position = at - 1; position >= 0; position--) {
    const item = reader.item(position);
    if (item.kind === 'source') return item.index + 1;
    if (item.covers.to > 0) return item.covers.to;
  }
  return 0;
}

// Which there are changes only with the number of compactions behind a request.
function recordedSummaries(read: Pick<StageContext, 'source' | 'memo'>): (at: number) => readonly SummaryArtifact[] {
  const known = new Map<number, readonly SummaryArtifact[]>();
  return (at) => {
    const made = read.source.compactions().reduce((count, one) => count + (effectiveFrom(one) <= at ? 1 : 0), 0);
    if (made === 0) return [];
    const found = known.get(made) ?? summariesAt(read, at).filter(({ origin }) => origin === 'recorded');
    known.set(made, found);
    return found;
  };
}

/** A summary as an item of a view; `text` = its message's JSON text, `instead` = what the provider would have there. */
export function summaryItem(
  summary: SpanSummary,
  text: string,
  rule: string,
  context: StageContext,
  instead?: string,
): SyntheticItem {
  const { from, to } = summary.span;
  const reason = `${summary.origin} of ${countOf(to - from, 'message')}, #${from} to #${Math.max(from, to - 1)}`;
  return {
    kind: 'synthetic',
    text,
    covers: summary.span,
    stage: context.stage,
    made: { rule, chip: summary.isPlaceholder ? PLACEHOLDER_CHIP : 'summary', reason, ...(instead && { instead }) },
  };
}

/** How many messages of instructions a view begins with: they are beside the conversation, and stay. */
export function headLength(reader: ViewReader): number {
  let length = 0;
  while (length < reader.length) {
    const { role } = reader.facts(length);
    if (role !== 'system' && role !== 'developer') break;
    length++;
  }
  return length;
}
