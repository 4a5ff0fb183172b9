import type { DetailPart } from '../../core/protocol/types.ts';
import { plural } from '../ui/format.ts';

/** What an unreadable part is said to be. */
export function describeOpaque(part: Pick<DetailPart, 'chars' | 'label'>): string {
  const what = part.label === 'thinking' ? 'Encrypted reasoning' : 'Encrypted content';
  return `${what}, ${plural(part.chars, 'character')}: only the provider can read it. Its tokens are not known, and counted as none.`;
}
