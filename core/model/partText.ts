import { isRecord, ownAt, stringAt } from '../util/unknown.ts';
import type { JsonPath, Part } from './message.ts';
import { argumentsText, blockText, otherText, reasoningText } from './readBlock.ts';
import { contentText, resultBody } from './readResult.ts';

/** The value at a path inside a parsed message, undefined if there is none. */
export function valueAt(message: unknown, path: JsonPath): unknown {
  let value = message;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isRecord(value) ? ownAt(value, step) : undefined;
  }
  return value;
}

/**
 * The text that Part.chars counts: text as it is, a call's arguments, a result's content (compact JSON if it is no
 * string), '' for images, files and opaque reasoning. `message` is the parsed message the part was read from.
 */
export function partExactText(message: unknown, part: Part): string {
  const value = valueAt(message, part.path);
  switch (part.kind) {
    case 'text':
      return isRecord(value) ? blockText(value) : contentText(value);
    case 'thinking':
      return isRecord(value) ? reasoningText(value) : contentText(value);
    case 'tool_call':
      return isRecord(value) ? argumentsText(value) : '';
    case 'tool_result':
      return isRecord(value) ? contentText(resultBody(value)) : '';
    case 'other':
      return otherText(value);
    case 'image':
    case 'file':
    case 'opaque':
      return '';
  }
}

/** Of reasoning or content that only the provider can read, how many characters are recorded of it; 0 = none are. */
export function encryptedChars(message: unknown, part: Part): number {
  const block = valueAt(message, part.path);
  if (!isRecord(block)) return 0;
  const found = ENCRYPTED_AT.map((key) => stringAt(block, key)).find((text) => text !== undefined && text !== '');
  return found?.length ?? 0;
}

// Where providers and recorders put it: Anthropic, OpenAI, Anthropic’s empty thinking, pi, Inspect’s redacted reasoning.
const ENCRYPTED_AT = ['data', 'encrypted_content', 'signature', 'thinkingSignature', 'reasoning'] as const;

/** The part's text as people read it: as partExactText, but blocks inside a result are joined, payloads left out. */
export function partText(message: unknown, part: Part): string {
  if (part.kind !== 'tool_result') return partExactText(message, part);
  const node = valueAt(message, part.path);
  const content = isRecord(node) ? resultBody(node) : undefined;
  if (isRecord(content)) return soleOutput(content) ?? readableBlock(content);
  return Array.isArray(content) ? content.map(readableBlock).join('\n') : contentText(content);
}

// Gemini's results are objects; most hold one text.
function soleOutput(body: Readonly<Record<string, unknown>>): string | undefined {
  const [key, ...others] = Object.keys(body);
  const isSole = others.length === 0 && (key === 'output' || key === 'error' || key === 'result' || key === 'content');
  return isSole ? stringAt(body, key) : undefined;
}

function readableBlock(block: unknown): string {
  if (!isRecord(block)) return contentText(block);
  if (typeof ownAt(block, 'text') === 'string') return blockText(block);
  const type = stringAt(block, 'type');
  if (type === 'image' || type === 'image_url' || type === 'input_image') return '[image]';
  return contentText(block);
}
