// How deep a JSON text nests. Values are walked by recursion in many places: one that nests deeper than any tool writes
// is refused where it is parsed, so that no place has to ask.

/** Levels of arrays and objects that are read. Sessions of all known tools stay below 100. */
export const MAX_NESTING = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Offset (UTF-16 units) of the bracket that opens level `limit + 1`, or -1 if the text nests no deeper. `text` is JSON.
 * A text with few brackets is looked through by native search alone.
 */
export function tooDeepAt(text: string, limit: number = MAX_NESTING): number {
  if (text.length <= 2 * limit || !hasMore(text, limit)) return -1;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = closingQuote(text, i);
    else if (c === 0x5b || c === 0x7b) {
      if (++depth > limit) return i;
    } else if (c === 0x5d || c === 0x7d) depth--;
  }
  return -1;
}

/** True if there are more opening brackets than `limit`, in strings or out of them. */
function hasMore(text: string, limit: number): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (++count > limit) return true;
  }
  return false;
}

function closingQuote(text: string, start: number): number {
  for (let i = text.indexOf('"', start + 1); i >= 0; i = text.indexOf('"', i + 1)) {
    let escapes = 0;
    while (text.charCodeAt(i - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return i;
  }
  return text.length;
}
