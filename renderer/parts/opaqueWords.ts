import type { DetailPart } from '../../core/protocol/types.ts';
import { plural } from '../ui/format.ts';

/** What an unreadable part is said to be. */
export function describeOpaque({ chars, label }: Pick<DetailPart, 'chars' | 'label'>): string {
  const uncounted = 'Its tokens are not known, and counted as none.';
  if (chars === 0) return `Neither its text nor an encrypted form of it is recorded. ${uncounted}`;
  const what = label === 'thinking' ? 'Encrypted reasoning' : 'Encrypted content';
  return `${what}, ${plural(chars, 'character')}: only the provider can read it. ${uncounted}`;
}
