// Summaries in place of spans of a view: recorded ones and written ones, else a labelled placeholder. Never one made up.
import type { SummaryArtifact } from '../../../model/summary.ts';
import type { ViewReader } from '../../../view/reader.ts';
import { summariesAt } from '../../../view/summaryFor.ts';
import type { StageContext, SyntheticItem } from '../../../view/types.ts';
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

/** The source span of the view's messages [from, to): what they cover, synthetic ones included. */
export function spanOf(reader: ViewReader, from: number, to: number): Span {
  let first = Number.POSITIVE_INFINITY;
  let end = 0;
  for (let position = from; position < to; position++) {
    const item = reader.item(position);
    const covers = item.kind === 'source' ? { from: item.index, to: item.index + 1 } : item.covers;
    if (covers.from < first) first = covers.from;
    if (covers.to > end) end = covers.to;
  }
  return { from: Math.min(first, end), to: end };
}

/**
 * Finds the summary for the view's messages [from, to): one that ends where they end and covers them, else a placeholder.
 * Make one for each run: it looks once for what there is.
 */
export function spanSummaries(reader: ViewReader, context: StageContext): (from: number, to: number) => SpanSummary {
  let known: readonly SummaryArtifact[] | null = null;
  return (from, to) => {
    const span = spanOf(reader, from, to);
    known ??= summariesAt(context.source, context.at);
    const found = applicable(known, span);
    if (found === null) {
      const content = `[${grouped(to - from)} earlier messages summarized]`;
      return { span, content, origin: 'a placeholder', isPlaceholder: true };
    }
    const origin = found.origin === 'written' ? 'the written summary' : 'the recorded summary';
    return { span, content: found.content, origin, isPlaceholder: false };
  };
}

// Sorted by end, then by version, of a span the written one last: the last that fits is the best.
function applicable(summaries: readonly SummaryArtifact[], { from, to }: Span): SummaryArtifact | null {
  return summaries.findLast((summary) => summary.to === to && summary.from <= from) ?? null;
}

/** A summary as an item of a view; `text` = its message's JSON text. */
export function summaryItem(summary: SpanSummary, text: string, rule: string, context: StageContext): SyntheticItem {
  const { from, to } = summary.span;
  const reason = `${summary.origin} of ${countOf(to - from, 'message')}, #${from} to #${Math.max(from, to - 1)}`;
  return {
    kind: 'synthetic',
    text,
    covers: summary.span,
    stage: context.stage,
    made: { rule, chip: summary.isPlaceholder ? 'placeholder' : 'summary', reason },
  };
}

/** How many messages of instructions a view begins with: they stand beside the conversation, and stay. */
export function headLength(reader: ViewReader): number {
  let length = 0;
  while (length < reader.length) {
    const { role } = reader.facts(length);
    if (role !== 'system' && role !== 'developer') break;
    length++;
  }
  return length;
}
