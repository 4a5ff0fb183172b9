// Payloads of a thread's entries, out of messages in any shape.
import type { MessageFacts, Part } from '../model/message.ts';
import { partExactText, partText } from '../model/partText.ts';
import { compactJson, isJsonText, jsonString, parseString, valueTextAt } from '../util/json/index.ts';
import { isRecord } from '../util/unknown.ts';

const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** Texts of the parts that are text, with blank lines between. */
export function saidText(message: unknown, parts: readonly Part[]): string {
  return parts
    .filter(({ kind }) => kind === 'text')
    .map((part) => partText(message, part))
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The payload of a message without calls and results: itself, if it names a role of threads, else its texts. */
export function messagePayload(
  text: string,
  facts: MessageFacts,
): { readonly json: string; readonly lost: readonly string[] } {
  const message: unknown = JSON.parse(text);
  if (isRecord(message) && typeof message.role === 'string' && ROLES.has(message.role)) return { json: text, lost: [] };
  const role = ROLES.has(facts.role) ? facts.role : 'user';
  const lost = facts.parts.flatMap(({ kind }) => (kind === 'text' ? [] : [`${kind} of a message in another shape`]));
  const json = `{"role":${jsonString(role)},"content":${jsonString(saidText(message, facts.parts))}}`;
  return { json, lost };
}

/** A call's arguments: as they are where they stand as a value; what stands as text (OpenAI) is read, if it is an object. */
export function callArguments(text: string, message: unknown, part: Part): string {
  const own = valueTextAt(text, [...part.path, 'arguments']);
  if (own !== null && valueTextAt(text, [...part.path, 'type']) !== '"function_call"') return own;
  const given = partExactText(message, part);
  if (given.trim() === '') return '{}';
  return given.trimStart().startsWith('{') && isJsonText(given) ? given : jsonString(given);
}

/** A result's outcome: an error as `{"error": reason}`; `content` = JSON text of a string. */
export function outcomeJson(content: string, isError: boolean): string {
  if (!isError) return content;
  const said = parseString(content, 0, content.length);
  const reason = isJsonText(said) && said.startsWith('{') ? valueTextAt(said, ['error']) : null;
  const isWrapped = reason !== null && compactJson(`{"error":${reason}}`) === compactJson(said);
  return isWrapped ? compactJson(said) : `{"error":${content}}`;
}
