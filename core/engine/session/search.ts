// Search in the raw transcript's texts, as a trace finds them, in slices. Most messages are passed over by a look at their
// JSON text; only those that may hold the text are parsed.

import { contextOf } from '../../insight/text/context.ts';
import { parseMessage } from '../../model/decode.ts';
import type { MessageFacts } from '../../model/message.ts';
import { searchPart } from '../../model/searchPart.ts';
import type { TextHit } from '../../protocol/types.ts';
import { type TextPattern, textPattern } from '../../util/textPattern.ts';
import type { FoundProjection } from '../handlers/projection.ts';
import { createSlicer } from '../slicer.ts';

const BATCH = 128;

/** Where a text stands. */
export interface Found {
  readonly hits: readonly TextHit[];
  readonly total: number;
}

/** The first `limit` places of a text, and how many there are in all. An empty text is nowhere. null = overtaken. */
export async function searchText(
  { session, projected }: FoundProjection,
  text: string,
  limit: number,
  overtaken: () => boolean,
): Promise<Found | null> {
  const hits: TextHit[] = [];
  let total = 0;
  const pattern = textPattern(text);
  if (pattern === null) return { hits, total };
  const { source } = session;
  const slicer = createSlicer();
  for (let from = 0; from < projected.messages; from += BATCH) {
    const texts = source.texts(from, Math.min(from + BATCH, projected.messages));
    for (const [offset, json] of texts.entries()) {
      if (!pattern.mayStandIn(json)) continue;
      const index = from + offset;
      for (const { part, count, places } of hitsIn(json, source.facts(index), pattern)) {
        total += count;
        if (hits.length >= limit) continue;
        const row = projected.layout.rowOf(index, part);
        hits.push(...places.slice(0, limit - hits.length).map((place) => ({ index, part, row, ...place })));
      }
      const pause = slicer.pause();
      if (!pause) continue;
      await pause;
      if (overtaken() || session.closed) return null;
    }
  }
  return { hits, total };
}

function* hitsIn(json: string, facts: MessageFacts, pattern: TextPattern) {
  const message = parseMessage(json);
  for (const [part, value] of facts.parts.entries()) {
    const found = searchPart(message, value, pattern);
    if (found === null) continue;
    yield { part, count: found.count, places: found.spans.map((span) => contextOf(found.text, span)) };
  }
}
