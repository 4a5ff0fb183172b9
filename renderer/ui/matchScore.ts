/**
 * How well an entry of the palette fits what was typed, from 0 (not at all) to 1: each word typed must occur in it, at
 * the beginning of a word better than within one. cmdk's own score is fuzzy across words and does not order groups, so
 * that a title typed in full came after a command that happens to contain its letters.
 */
export function matchScore(entry: string, typed: string): number {
  const text = entry.toLowerCase();
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  let score = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return 0;
    const begins = text.startsWith(word) || text.includes(` ${word}`);
    score += begins ? 1 : 0.5;
  }
  return words.length === 0 ? 1 : score / words.length;
}
