// How compactions are spoken of: on the card, in the reasons of fates, in problems.
import { compactedSize } from '../../model/compactionWords.ts';
import type { PlacedCompaction } from '../../model/transcript.ts';
import { countOf } from '../../view/words.ts';

/** `recorded compaction 2 (auto, 2026-01-02 10:11 UTC, 155,000 → 12,000 tokens)`: its number from 1, what is known of it. */
export function nameOf(compaction: PlacedCompaction, number: number): string {
  const which = `recorded ${compaction.kind === 'cleared' ? 'clearing' : 'compaction'} ${number}`;
  const facts = [compaction.trigger, timeOf(compaction), compactedSize(compaction)].filter(
    (fact) => fact !== undefined,
  );
  return facts.length === 0 ? which : `${which} (${facts.join(', ')})`;
}

function timeOf({ timestamp }: PlacedCompaction): string | undefined {
  if (timestamp === undefined) return undefined;
  return `${timestamp.slice(0, 16).replace('T', ' ')}${timestamp.endsWith('Z') ? ' UTC' : ''}`;
}

/** Size of what is encrypted: `an encrypted compaction of 1,204 characters`. */
export function encrypted(chars: number | undefined): string {
  return chars === undefined ? 'an encrypted compaction' : `an encrypted compaction of ${countOf(chars, 'character')}`;
}
