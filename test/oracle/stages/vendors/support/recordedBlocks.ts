// Compaction blocks that Anthropic's API put into a recorded conversation. Everything before the newest is not looked at by
// the API, whatever is still sent of it.
import type { PlacedCompaction, TranscriptSource } from '../../../../../core/model/transcript.ts';
import { arrayAt, isRecord, stringAt } from '../../../../../core/util/unknown.ts';

const known = new WeakMap<readonly PlacedCompaction[], ReadonlySet<number>>();

/** Source indices of the messages that hold a compaction block with a content; a failed one has none. */
export function recordedBlocks(source: TranscriptSource): ReadonlySet<number> {
  const compactions = source.compactions();
  const found = known.get(compactions);
  if (found !== undefined) return found;
  const indices = compactions.flatMap(({ summaryIndex }) =>
    summaryIndex !== undefined && summaryIndex < source.length && holdsBlock(source.text(summaryIndex))
      ? [summaryIndex]
      : [],
  );
  const made = new Set(indices);
  known.set(compactions, made);
  return made;
}

function holdsBlock(text: string): boolean {
  if (!text.includes('"compaction"')) return false;
  const message: unknown = JSON.parse(text);
  const blocks = (isRecord(message) ? arrayAt(message, 'content') : undefined) ?? [];
  return blocks.some((block) => {
    return isRecord(block) && stringAt(block, 'type') === 'compaction' && stringAt(block, 'content') !== undefined;
  });
}
