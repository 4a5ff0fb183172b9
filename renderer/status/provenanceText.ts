import type { Provenance } from '../../core/protocol/types.ts';

/** How both figures were obtained; the tokenizer's label often says it already. */
export function provenanceText(raw: Provenance, projected: Provenance, tokenizer: string | null): string {
  const how = raw === projected ? projected : `${raw} → ${projected}`;
  if (tokenizer === null) return how;
  return tokenizer.startsWith(how) ? tokenizer : `${how}, ${tokenizer}`;
}
