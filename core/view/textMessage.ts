import type { ViewReader } from './reader.ts';

type ShapeReader = Pick<ViewReader, 'length' | 'facts'>;

/**
 * The JSON text of a message that holds one text, in the shape of the view it is put into: Gemini's messages hold
 * `parts` and know no system role (its text goes as a user's), all others take a string as content.
 */
export function textMessage(role: 'system' | 'user' | 'assistant', text: string, reader: ShapeReader): string {
  if (!holdsParts(reader)) return JSON.stringify({ role, content: text });
  return JSON.stringify({ role: role === 'assistant' ? 'model' : 'user', parts: [{ text }] });
}

// The first message that has parts with a place decides; a transcript is written in one way.
function holdsParts(reader: ShapeReader): boolean {
  for (let position = 0; position < reader.length; position++) {
    const list = reader.facts(position).parts.find(({ path }) => path.length > 0)?.path[0];
    if (list !== undefined) return list === 'parts';
  }
  return false;
}
