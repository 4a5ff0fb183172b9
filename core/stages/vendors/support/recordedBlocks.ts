// Compaction blocks that Anthropic's API put into a recorded conversation. Everything before the newest is not looked at by
// the API, whatever is still sent of it.
import type { PlacedCompaction, TranscriptSource } from '../../../model/transcript.ts';
import { arrayAt, isRecord, stringAt } from '../../../util/unknown.ts';
import type { StageContext } from '../../../view/types.ts';

/** Source indices of the messages that hold a compaction block with a content; a failed one has none. */
export function recordedBlocks({ source, memo }: Pick<StageContext, 'source' | 'memo'>): ReadonlySet<number> {
  const compactions = source.compactions();
  const known = memo.get('vendors.recordedBlocks', () => ({ compactions, blocks: blocksOf(source, compactions) }));
  if (known.compactions !== compactions) {
    known.compactions = compactions;
    known.blocks = blocksOf(source, compactions);
  }
  return known.blocks;
}

function blocksOf(source: TranscriptSource, compactions: readonly PlacedCompaction[]): ReadonlySet<number> {
  return new Set(
    compactions.flatMap(({ summaryIndex }) =>
      summaryIndex !== undefined && summaryIndex < source.length && holdsBlock(source.text(summaryIndex))
        ? [summaryIndex]
        : [],
    ),
  );
}

function holdsBlock(text: string): boolean {
  if (!text.includes('"compaction"')) return false;
  const message: unknown = JSON.parse(text);
  const blocks = (isRecord(message) ? arrayAt(message, 'content') : undefined) ?? [];
  return blocks.some((block) => {
    return isRecord(block) && stringAt(block, 'type') === 'compaction' && stringAt(block, 'content') !== undefined;
  });
}
