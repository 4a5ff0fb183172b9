import type { PartPlace } from '../../model/exchanges.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ViewItem } from '../../view/types.ts';

/** The parts of the transcript that a part of a view's item is, or is made of. */
export function originsOfPart(item: ViewItem, part: number, source: TranscriptSource): readonly PartPlace[] {
  if (item.kind === 'synthetic') return [];
  if (item.text === undefined) return [{ message: item.index, part }];
  return source.facts(item.index).parts.map((_, raw) => ({ message: item.index, part: raw }));
}

/** True if a part of an item is this part of the transcript, in its own message or as a message that was moved whole. */
export function isOriginal(item: ViewItem, part: number, first: PartPlace, source: TranscriptSource): boolean {
  if (item.kind === 'source' && item.index !== first.message) return false;
  return originsOfPart(item, part, source).some((raw) => raw.message === first.message && raw.part === first.part);
}
