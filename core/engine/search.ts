// Search in the raw transcript's texts, case-insensitive, in slices. Most messages are passed over by a look at their
// JSON text; only those that may hold the text are parsed.

import { partText } from '../model/partText.ts';
import type { TextHit } from '../protocol/types.ts';
import type { FoundProjection } from './handlers/projection.ts';
import { cutPair } from './rows/format.ts';
import { createSlicer } from './slicer.ts';

const BATCH = 128;
const BEFORE = 40;
const AROUND = 120;

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
  const needle = text.toLowerCase();
  const hits: TextHit[] = [];
  let total = 0;
  if (needle === '') return { hits, total };
  const { source } = session;
  const slicer = createSlicer();
  for (let from = 0; from < projected.messages; from += BATCH) {
    const texts = source.texts(from, Math.min(from + BATCH, projected.messages));
    for (const [offset, json] of texts.entries()) {
      if (!mayHold(json, needle)) continue;
      const index = from + offset;
      for (const hit of hitsIn(json, source.facts(index), needle)) {
        total++;
        if (hits.length < limit) hits.push({ index, row: projected.layout.rowOf(index, hit.part), ...hit });
      }
      const pause = slicer.pause();
      if (!pause) continue;
      await pause;
      if (overtaken() || session.closed) return null;
    }
  }
  return { hits, total };
}

// In JSON text a quote, a backslash or a line end is escaped, and anything may be written as \uXXXX.
const ESCAPED_IN_JSON = /["\\/\u0000-\u001f]/;

function mayHold(json: string, needle: string): boolean {
  return ESCAPED_IN_JSON.test(needle) || json.includes('\\u') || json.toLowerCase().includes(needle);
}

type PartHit = Omit<TextHit, 'index' | 'row'>;

function* hitsIn(json: string, facts: ReturnType<FoundProjection['session']['source']['facts']>, needle: string) {
  const message: unknown = JSON.parse(json);
  for (const [part, value] of facts.parts.entries()) {
    const text = `${value.kind === 'tool_call' ? `${value.name ?? ''} ` : ''}${partText(message, value)}`;
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length)) {
      yield contextOf(text, part, at, needle.length);
    }
  }
}

function contextOf(text: string, part: number, at: number, length: number): PartHit {
  const from = Math.max(0, at - BEFORE);
  const cut = cutPair(text.slice(from, Math.max(from + AROUND, at + length)));
  return { part, context: cut.replace(/\s/g, ' '), start: at - from, length };
}
