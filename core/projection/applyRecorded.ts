import type { TranscriptSource } from '../model/transcript.ts';
import { redactMessage, replacementText } from '../stages/harn/redaction.ts';
import { valueTextAt } from '../util/json/index.ts';
import type { RedactionPointer, View, ViewItem } from '../view/types.ts';
import type { RecordedProjection } from './replay.ts';

/**
 * The view that a recorded decision describes: the kept messages, bodies replaced where pointers say so. Null if it
 * cannot be told from the event: a summary's text is not recorded. Nor are a custom function's own messages; here they
 * are left out.
 */
export function applyRecorded(source: TranscriptSource, recorded: RecordedProjection, at: number): View | null {
  const replaced = recorded.policy === 'summary_prefix' && recorded.droppedIndices.length > 0;
  if (replaced || recorded.keptIndices.some((index) => index < 0 || index >= at)) return null;
  const pointers = new Map<number, RedactionPointer[]>();
  for (const pointer of recorded.pointers) {
    pointers.set(pointer.source_index, [...(pointers.get(pointer.source_index) ?? []), pointer]);
  }
  const items: ViewItem[] = [];
  for (const index of recorded.keptIndices) {
    const own = pointers.get(index);
    if (own === undefined) items.push({ kind: 'source', index });
    else {
      const text = redacted(source.text(index), own);
      if (text === null) return null;
      items.push({ kind: 'source', index, text });
    }
  }
  return { items };
}

function redacted(text: string, pointers: readonly RedactionPointer[]): string | null {
  const redactions = pointers.map((pointer) => ({
    path: pointer.source_block_index === null ? [] : ['content', pointer.source_block_index],
    pointer,
    replacement: replacementText(pointer),
  }));
  if (redactions.some(({ path }) => valueTextAt(text, path) === null)) return null;
  return redactMessage(text, redactions);
}
