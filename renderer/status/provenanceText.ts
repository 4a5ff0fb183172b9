import type { Provenance } from '../../core/protocol/types.ts';

/** How both figures were obtained; the tokenizer's label often says it already. */
export function provenanceText(raw: Provenance, projected: Provenance, tokenizer: string | null): string {
  // What is recorded says nothing of a tokenizer.
  if (projected === 'recorded') return 'recorded';
  const how = raw === projected ? projected : `${raw} → ${projected}`;
  if (tokenizer === null) return how;
  return tokenizer.startsWith(how) ? tokenizer : `${how}, ${tokenizer}`;
}
