// Summaries that a stage may put in place of a span: recorded ones and those that people wrote. Never one it made.
import { partText } from '../model/partText.ts';
import type { SummaryArtifact } from '../model/summary.ts';
import { effectiveFrom, type PlacedCompaction, type TranscriptSource } from '../model/transcript.ts';
import type { StageMemo } from './types.ts';

/** A transcript, with what is remembered of it. */
interface Read {
  readonly source: TranscriptSource;
  readonly memo: StageMemo;
}

/** All summaries that a request at `at` could use, by where they end, then by version; of a span the written one last. */
export function summariesAt(read: Read, at: number): readonly SummaryArtifact[] {
  const written = read.source.summaries().filter(({ to }) => to <= at);
  return [...recordedSummaries(read, at), ...written].sort((a, b) => a.to - b.to || rank(a) - rank(b));
}

/**
 * The summary that covers most of the messages [0, to): it begins at 0, or behind the system prompt, which stays, and
 * ends at `to` or before. Of one span the latest version, and a written one before a recorded one. Null if none applies.
 */
export function summaryFor(read: Read, at: number, to: number): SummaryArtifact | null {
  const all = summariesAt(read, at);
  if (all.length === 0) return null;
  const first = systemEnd(read.source);
  return all.findLast((summary) => summary.from <= first && summary.to <= to) ?? null;
}

function systemEnd(source: TranscriptSource): number {
  let end = 0;
  while (end < source.length && isSystem(source.facts(end).role)) end++;
  return end;
}

function isSystem(role: string): boolean {
  return role === 'system' || role === 'developer';
}

function rank({ origin, version }: SummaryArtifact): number {
  return (origin === 'written' ? 1e6 : 0) + version;
}

function recordedSummaries({ source, memo }: Read, at: number): SummaryArtifact[] {
  // Asked for at every call point; the message does not change.
  const contents = memo.get('view.recordedSummaries', () => new WeakMap<PlacedCompaction, string>());
  return source.compactions().flatMap((compaction): SummaryArtifact[] => {
    const { summaryIndex, kind = 'summary' } = compaction;
    if (kind !== 'summary' || summaryIndex === undefined || effectiveFrom(compaction) > at) return [];
    const content = contents.get(compaction) ?? messageText(source, summaryIndex);
    contents.set(compaction, content);
    if (content === '') return [];
    return [{ from: 0, to: Math.min(compaction.at, summaryIndex), content, version: 1, origin: 'recorded' }];
  });
}

function messageText(source: TranscriptSource, index: number): string {
  const message: unknown = JSON.parse(source.text(index));
  const texts = source.facts(index).parts.filter(({ kind }) => kind === 'text');
  return texts.map((part) => partText(message, part)).join('\n\n');
}
