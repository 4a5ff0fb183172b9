// What a message says, as far as uses go: the decoded strings of its parts, and where each begins in its part's text.

import { decodedFields, FIELD_BREAK, parseMessage } from '../../model/decode.ts';
import type { Part } from '../../model/message.ts';
import type { TranscriptSource } from '../../model/transcript.ts';

/** A part with what it says. */
export interface SaidPart {
  readonly part: Part;
  readonly at: number;
  readonly fields: readonly string[];
}

/** A message with what its parts say. */
export interface SaidMessage {
  readonly message: unknown;
  readonly parts: readonly SaidPart[];
}

/** Reads a message of the transcript. */
export function readSaid(source: TranscriptSource, index: number): SaidMessage {
  return saidBy(parseMessage(source.text(index)), source.facts(index).parts);
}

/** Reads a parsed message with these parts. */
export function saidBy(message: unknown, parts: readonly Part[]): SaidMessage {
  return { message, parts: parts.map((part, at) => ({ part, at, fields: decodedFields(message, part) })) };
}

/** Each string of a part with where it begins in the part's decoded text. */
export function* placedFields({ fields }: Pick<SaidPart, 'fields'>): Generator<readonly [field: string, from: number]> {
  let from = 0;
  for (const field of fields) {
    yield [field, from];
    from += field.length + FIELD_BREAK.length;
  }
}

/** The part's decoded text. */
export function textOfPart({ fields }: Pick<SaidPart, 'fields'>): string {
  return fields.join(FIELD_BREAK);
}
