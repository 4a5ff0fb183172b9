/**
 * Where a text of one line begins to be shown, so that what was found at `start` is in sight also where the line is cut
 * short: at most `before` characters before it, at the beginning of a word if there is one.
 */
export function leadFrom(text: string, start: number, before: number): number {
  const from = start - before;
  if (from <= 0) return 0;
  const space = text.indexOf(' ', from);
  if (space >= 0 && space < start) return space + 1;
  return isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
