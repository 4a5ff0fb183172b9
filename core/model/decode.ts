// What a part says, as a person reads it: the strings in which a text is looked for. A call says its tool's name and each
// value of its arguments by itself, decoded from JSON, so that `references\analyze.md` is found as the screen shows it;
// no text is found across two of them.

import { parseExact, RawJson } from '../util/json/index.ts';
import { isRecord, ownAt, recordAt, stringAt } from '../util/unknown.ts';
import type { Part } from './message.ts';
import { partExactText, partText, valueAt } from './partText.ts';
import { argumentsOf, blockText } from './readBlock.ts';
import { resultBody } from './readResult.ts';

/** Stands between the strings of a part in its decoded text. */
export const FIELD_BREAK = '\n';

/** A message to be read by decodedFields: its numbers keep the digits that they are shown with. */
export function parseMessage(json: string): unknown {
  return parseExact(json);
}

/** The strings that a part of a message (see parseMessage) says, in order; none for pictures, files and what is encrypted. */
export function decodedFields(message: unknown, part: Part): readonly string[] {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return filled([partExactText(message, part)]);
    case 'tool_call':
      return filled([part.name ?? '', ...argumentFields(valueAt(message, part.path))]);
    case 'tool_result':
      return filled(resultFields(message, part));
    case 'other':
      return filled([part.name ?? '', ...blockFields(valueAt(message, part.path))]);
    case 'image':
    case 'file':
      return filled(fileFields(valueAt(message, part.path)));
    case 'opaque':
      return [];
  }
}

/** All that a part says in one string; offsets of places count in it. */
export function decodedText(message: unknown, part: Part): string {
  return decodedFields(message, part).join(FIELD_BREAK);
}

/** The strings of a JSON text that is in front of the messages, or of an event: keys and values, decoded. */
export function decodedJson(json: string): readonly string[] {
  const value = parsedJson(json);
  return filled(value === undefined ? [json] : [...leaves(value)]);
}

function filled(fields: readonly string[]): readonly string[] {
  return fields.filter((field) => field !== '');
}

function argumentFields(call: unknown): readonly string[] {
  const given = isRecord(call) ? argumentsOf(call) : undefined;
  if (typeof given !== 'string') return [...leaves(given)];
  const value = parsedJson(given);
  // Broken JSON, or no JSON at all (a patch, a script): as it stands.
  return typeof value === 'object' && value !== null ? [...leaves(value)] : [given];
}

// Texts are joined as they are read on screen; what is neither text nor picture is read value by value.
function resultFields(message: unknown, part: Part): readonly string[] {
  const result = valueAt(message, part.path);
  const body = isRecord(result) ? resultBody(result) : undefined;
  if (body instanceof RawJson) return [body.text];
  if (isRecord(body)) return Object.keys(body).length === 1 ? [...values(body)] : [...leaves(body)];
  if (!Array.isArray(body)) return [partText(message, part)];
  const texts = body.filter(isTextBlock).map(textOf);
  return [texts.join('\n'), ...body.filter((block) => !isTextBlock(block)).flatMap(blockFields)];
}

function isTextBlock(block: unknown): boolean {
  return (
    typeof block === 'string' ||
    (isRecord(block) && !(block instanceof RawJson) && typeof ownAt(block, 'text') === 'string')
  );
}

function textOf(block: unknown): string {
  return isRecord(block) ? blockText(block) : String(block);
}

// An object of one member is a wrapper around a text: `{"output": "…"}`.
function* values(wrapper: Readonly<Record<string, unknown>>): Generator<string> {
  for (const value of Object.values(wrapper)) yield* leaves(value);
}

function blockFields(block: unknown): readonly string[] {
  if (typeof block === 'string') return [block];
  if (!isRecord(block) || block instanceof RawJson) return [...leaves(block)];
  if (isPayload(block)) return fileFields(block);
  const { type: _type, ...rest } = block;
  return [...leaves(rest)];
}

const PAYLOAD_TYPES: ReadonlySet<string> = new Set(['image', 'image_url', 'input_image', 'document', 'file', 'audio']);

function isPayload(block: Readonly<Record<string, unknown>>): boolean {
  return PAYLOAD_TYPES.has(stringAt(block, 'type') ?? '');
}

const FILE_KEYS = ['title', 'name', 'filename', 'file_name', 'context', 'url', 'image_url', 'uri', 'path'] as const;

// What is readable of a picture or file: its name and address, and the text of a plain one.
function fileFields(block: unknown): readonly string[] {
  if (!isRecord(block)) return [];
  const source = recordAt(block, 'source');
  const holders = [block, source, recordAt(block, 'file'), recordAt(block, 'image_url')];
  const named = holders.flatMap((holder) =>
    holder === undefined ? [] : FILE_KEYS.map((key) => stringAt(holder, key)),
  );
  const plain = source !== undefined && stringAt(source, 'type') === 'text' ? stringAt(source, 'data') : undefined;
  return [...named, plain].flatMap((text) => (text === undefined || text.startsWith('data:') ? [] : [text]));
}

/** Keys and values of a JSON value as strings, in their order. */
function* leaves(value: unknown): Generator<string> {
  // Own stack: arguments may be nested deeper than calls may be.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next instanceof Key) yield next.text;
    else if (typeof next === 'string') yield next;
    else if (next instanceof RawJson) yield next.text;
    else if (typeof next === 'number' || typeof next === 'boolean') yield String(next);
    else if (Array.isArray(next)) for (let at = next.length - 1; at >= 0; at--) open.push(next[at]);
    else if (isRecord(next)) {
      for (const key of Object.keys(next).reverse()) open.push(ownAt(next, key), new Key(key));
    }
  }
}

class Key {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The value of a JSON text, numbers as in parseMessage; undefined if it is none. */
export function parsedJson(json: string): unknown {
  try {
    return parseExact(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
