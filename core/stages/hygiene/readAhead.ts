import type { TranscriptSource } from '../../model/transcript.ts';
import { rawItems } from '../../view/reader.ts';
import type { StageMemo } from '../../view/types.ts';
import { openDrafts } from './draft.ts';

/**
 * Reads what rules ask of every message, of the raw messages [from, to): the first projection of a long transcript would
 * do it in one go. A host that answers others meanwhile calls this piece by piece before.
 */
export function readAhead(source: TranscriptSource, memo: StageMemo, from: number, to: number): void {
  const items = rawItems(source, memo).slice(from, to);
  for (const draft of openDrafts({ items }, source, memo)) {
    // Reading is what is wanted: it is kept with the message.
    draft.traits;
    draft.pairing;
  }
}
