// Spans and summaries in words.
import type { SummaryInfo } from '../../core/protocol/types.ts';
import type { Span } from '../state/dialog.ts';
import { plural } from '../ui/format.ts';

/** `#0 – #213, 214 messages`. */
export function describeSpan({ from, to }: Span): string {
  return `#${from} – #${to - 1}, ${plural(to - from, 'message')}`;
}

/** The first message and the last (inclusive) as typed; null if they are not a span of a transcript of that length. */
export function parseSpan(first: string, last: string, messages: number): Span | null {
  const from = /^\s*#?(\d+)\s*$/.exec(first)?.[1];
  const end = /^\s*#?(\d+)\s*$/.exec(last)?.[1];
  if (from === undefined || end === undefined) return null;
  const span = { from: Number(from), to: Number(end) + 1 };
  return span.from < span.to && span.to <= messages ? span : null;
}

/** Tokens of a text while it is written: bytes / 4, rounded down, as where nothing else counts. */
export function estimatedTokens(text: string): number {
  return Math.floor(new TextEncoder().encode(text).length / 4);
}

/** The newest written summary of exactly this span; null if there is none. */
export function writtenFor(list: readonly SummaryInfo[], { from, to }: Span): SummaryInfo | null {
  return list.findLast((one) => one.origin === 'written' && one.from === from && one.to === to) ?? null;
}

/** Where a summary stands and whether it still applies. */
export function describeState({ origin, state, version }: SummaryInfo): string {
  if (origin === 'recorded') return 'recorded by the runtime';
  if (state === 'gone') return 'its messages are gone: it applies nowhere';
  if (state === 'changed') return 'its messages changed: it applies nowhere';
  return version > 1 ? `written here, version ${version}` : 'written here';
}
