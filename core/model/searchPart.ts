// Where a text is in a part of a message: in the strings that a person reads there.
import type { Span, TextPattern } from '../util/textPattern.ts';
import { decodedFields, FIELD_BREAK, parsedJson } from './decode.ts';
import type { Part } from './message.ts';
import { partExactText } from './partText.ts';

/** Ranges kept of a part; all are counted. */
const KEPT_SPANS = 100;

/** Where the text is in one part: the first ranges of its decoded text, and how many there are. */
export interface PartHits {
  readonly part: number;
  readonly spans: readonly Span[];
  readonly count: number;
}

/** Where a text is in a part, and the text of the part in which its ranges count. */
export interface FoundInPart extends Omit<PartHits, 'part'> {
  readonly text: string;
}

/**
 * Looks through one part of a parsed message: its decoded strings, and, for a text with JSON's own signs in it, arguments and
 * results as JSON, close together, in one line or indented: somebody may have copied it from there.
 */
export function searchPart(message: unknown, part: Part, pattern: TextPattern): FoundInPart | null {
  const fields = decodedFields(message, part);
  const hits = searchFields(fields, pattern);
  if (hits !== null) return { ...hits, text: fields.join(FIELD_BREAK) };
  if (!/["{}[\]]/.test(pattern.text)) return null;
  for (const text of jsonTexts(message, part)) {
    const found = searchFields([text], pattern);
    if (found !== null) return { ...found, text };
  }
  return null;
}

function jsonTexts(message: unknown, part: Part): readonly string[] {
  if (part.kind !== 'tool_call' && part.kind !== 'tool_result' && part.kind !== 'other') return [];
  const compact = partExactText(message, part);
  const value = parsedJson(compact);
  if (typeof value !== 'object' || value === null) return [];
  const indented = JSON.stringify(value, null, 2);
  return [compact, indented, inOneLine(indented)];
}

// As Python prints it: a space after each comma and colon. A line break of the indented form is never within a string.
function inOneLine(indented: string): string {
  return indented.replace(/(?<=,)\n\s*/g, ' ').replace(/(?<=[{[])\n\s*|\n\s*(?=[}\]])/g, '');
}

/** Where a text is in the strings of one part; null if it is not. */
export function searchFields(fields: readonly string[], pattern: TextPattern): Omit<PartHits, 'part'> | null {
  const spans: Span[] = [];
  let count = 0;
  let offset = 0;
  for (const field of fields) {
    for (const { from, to } of pattern.find(field)) {
      count++;
      if (spans.length < KEPT_SPANS) spans.push({ from: from + offset, to: to + offset });
    }
    offset += field.length + FIELD_BREAK.length;
  }
  return count === 0 ? null : { spans, count };
}
