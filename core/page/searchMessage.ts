// browser-safe
// A text in the recorded messages of a page, as the engine's search of one transcript finds it.
import { contextOf } from '../insight/text/context.ts';
import { parseMessage } from '../model/decode.ts';
import { readMessage } from '../model/readMessage.ts';
import { searchPart } from '../model/searchPart.ts';
import type { TextHit } from '../protocol/types.ts';
import type { TextPattern } from '../util/textPattern.ts';

/** Where a text is in one message; `count` = places in all, of which some come without context. */
export function searchMessage(
  rawJson: string,
  index: number,
  pattern: TextPattern,
): { readonly hits: readonly Omit<TextHit, 'row'>[]; readonly count: number } {
  if (!pattern.mayStandIn(rawJson)) return { hits: [], count: 0 };
  const message = parseMessage(rawJson);
  let count = 0;
  const hits = readMessage(message).parts.flatMap((value, part) => {
    const found = searchPart(message, value, pattern);
    if (found === null) return [];
    count += found.count;
    return found.spans.map((span) => ({ index, part, ...contextOf(found.text, span) }));
  });
  return { hits, count };
}
