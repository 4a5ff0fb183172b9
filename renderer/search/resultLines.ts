import type { LibraryHit, SearchGroup } from '../../core/protocol/types.ts';

/** A line of the list of results: the head of a transcript, or a hit with its number among all. */
export type ResultLine =
  | { readonly kind: 'group'; readonly group: SearchGroup }
  | { readonly kind: 'hit'; readonly hit: LibraryHit; readonly number: number };

/** The lines for hits, which come transcript by transcript. */
export function resultLines(
  hits: readonly LibraryHit[],
  groups: Readonly<Record<string, SearchGroup>>,
): readonly ResultLine[] {
  const lines: ResultLine[] = [];
  for (const [number, hit] of hits.entries()) {
    const group = groups[hit.transcriptId];
    if (group !== undefined && hits[number - 1]?.transcriptId !== hit.transcriptId)
      lines.push({ kind: 'group', group });
    lines.push({ kind: 'hit', hit, number });
  }
  return lines;
}
