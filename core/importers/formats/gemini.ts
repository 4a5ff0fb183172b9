// What the two Gemini formats share: how a content looks, its usage, and what a person wrote in it.

import type { Usage } from '../../model/message.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { defined, humanText } from '../reading/shared.ts';

const CONTEXT = /^\s*<session_context>|^This is the Gemini CLI\. We are setting up/;
const ROLES: ReadonlySet<unknown> = new Set([undefined, 'user', 'model', 'function', 'system']);

/** True for a Content of the Gemini API: `parts` of that API's kinds, and a role it knows or none. */
export function isContent(value: unknown): value is Fields {
  if (!isRecord(value) || Object.hasOwn(value, 'content') || !ROLES.has(ownAt(value, 'role'))) return false;
  const parts = arrayAt(value, 'parts');
  return parts?.every((part) => isRecord(part) && !Object.hasOwn(part, 'type')) === true;
}

const PART_KEYS = [
  ...['text', 'functionCall', 'functionResponse', 'inlineData', 'fileData', 'executableCode', 'codeExecutionResult'],
  ...['function_call', 'function_response', 'inline_data', 'file_data', 'executable_code', 'code_execution_result'],
];

/**
 * The parts of a request that is not in its history yet, as JSON text: a list of parts, a part alone, or a bare text, as a
 * client keeps them before they are sent. Null for anything else.
 */
export function pendingParts(text: string, value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : `[{"text":${text}}]`;
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return parts.length > 0 && parts.every(isPart) ? (Array.isArray(value) ? text : `[${text}]`) : null;
}

function isPart(value: unknown): boolean {
  if (!isRecord(value) || Object.hasOwn(value, 'role') || Object.hasOwn(value, 'type')) return false;
  return PART_KEYS.some((key) => Object.hasOwn(value, key));
}

/** True for a list that is not empty and begins with a content. */
export function hasContents(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && isContent(value[0]);
}

/** Usage as generateContent records it (`promptTokenCount` includes cached tokens; `input` is given as recorded). */
export function geminiUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const usage = defined({
    input: numberAt(value, 'promptTokenCount'),
    output: numberAt(value, 'candidatesTokenCount'),
    cacheRead: numberAt(value, 'cachedContentTokenCount'),
    reasoning: numberAt(value, 'thoughtsTokenCount'),
    total: numberAt(value, 'totalTokenCount'),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** What a person wrote in a list of parts (or a bare string), for a title; the client's own context is not such a thing. */
export function humanPart(content: unknown): string | undefined {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  for (const part of parts) {
    const text = isRecord(part) ? stringAt(part, 'text') : part;
    const title = typeof text === 'string' && !CONTEXT.test(text) ? humanText(text) : undefined;
    if (title !== undefined) return title;
  }
  return undefined;
}

/** The first candidate of a response; null if the value is none. */
export function candidateOf(response: Fields): Fields | null {
  const [first] = arrayAt(response, 'candidates') ?? [];
  const isOwn = isRecord(first) && (recordAt(first, 'content') || stringAt(first, 'finishReason') !== undefined);
  return isOwn ? first : null;
}
