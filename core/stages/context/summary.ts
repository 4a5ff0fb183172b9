// The summary segment: which summary stands for the beginning of the history, and which messages it covers.
import type { SummaryArtifact } from '../../model/summary.ts';
import { effectiveFrom, type PlacedCompaction, type TranscriptSource } from '../../model/transcript.ts';
import { summaryFor } from '../../view/summaryFor.ts';
import type { StageContext, SyntheticItem, ViewItem } from '../../view/types.ts';

/**
 * The summary that is used: an artifact that is beside the transcript, presented by this policy, or one that an
 * earlier stage put into the view, which stays as it is. `text` = what is presented.
 */
export type UsedSummary =
  | { readonly kind: 'artifact'; readonly artifact: SummaryArtifact; readonly text: string }
  | { readonly kind: 'in_view'; readonly item: SyntheticItem };

/** What is known of summaries at a call point. */
export interface Summaries {
  readonly used: UsedSummary | null;
  /** Whether any source message is a recorded summary. */
  readonly hasRecorded: boolean;
  /** True if the source message with this index is a recorded summary. */
  isSummary(index: number): boolean;
  /** True if the used summary stands for the source message with this index. */
  covers(index: number): boolean;
}

/** What a summary begins with in a request. */
export const SUMMARY_PREFIX = 'Summary of earlier conversation:\n';

/** The latest summary that applies: an artifact, or one of the view that covers more; none unless it is `allowed`. */
export function summariesOf(
  inView: SyntheticItem | null,
  context: Pick<StageContext, 'source' | 'memo' | 'at'>,
  allowed: boolean,
): Summaries {
  const recorded = recordedAt(context.source, context.at);
  const places = new Set(recorded.map(({ summaryIndex }) => summaryIndex));
  const isSummary = (index: number) => places.has(index);
  const none = { used: null, hasRecorded: places.size > 0, isSummary, covers: () => false };
  if (!allowed) return none;
  const artifact = summaryFor(context, context.at, context.at);
  if (inView !== null && inView.covers.to > (artifact?.to ?? 0)) {
    return { ...none, used: { kind: 'in_view', item: inView } };
  }
  if (artifact === null || artifact.to === 0) return none;
  const verbatim = artifact.origin === 'recorded' ? preservedBy(recorded, artifact) : new Set<number>();
  return {
    ...none,
    used: { kind: 'artifact', artifact, text: `${SUMMARY_PREFIX}${artifact.content}` },
    covers: (index) => index < artifact.to && !verbatim.has(index),
  };
}

function recordedAt(source: TranscriptSource, at: number): readonly PlacedCompaction[] {
  return source
    .compactions()
    .filter((each) => each.summaryIndex !== undefined && isSummaryKind(each) && effectiveFrom(each) <= at);
}

function isSummaryKind({ kind }: PlacedCompaction): boolean {
  return kind === undefined || kind === 'summary';
}

// What the runtime kept word for word beside its summary is not covered by it (a thread's entries after `to_seq`).
function preservedBy(recorded: readonly PlacedCompaction[], { to }: SummaryArtifact): ReadonlySet<number> {
  const found = recorded.findLast(({ at, summaryIndex = at }) => Math.min(at, summaryIndex) === to);
  return new Set(found?.preserved ?? []);
}

/** True for a message that an earlier stage put in place of the beginning. */
export function isSummaryItem(item: ViewItem): item is SyntheticItem {
  return item.kind === 'synthetic' && item.covers.from === 0 && item.covers.to > 0;
}
