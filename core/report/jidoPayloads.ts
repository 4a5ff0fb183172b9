// Payloads of a thread's entries, out of messages in any shape.
import type { MessageFacts, Part, ThreadEntryMeta } from '../model/message.ts';
import { partExactText, partText } from '../model/partText.ts';
import { THREAD_ROLES } from '../model/threadEntry.ts';
import { compactJson, isJsonText, jsonString, parseString, valueTextAt } from '../util/json/index.ts';
import { isRecord } from '../util/unknown.ts';

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
  if (isRecord(message) && typeof message.role === 'string' && THREAD_ROLES.has(message.role))
    return { json: text, lost: [] };
  const role = THREAD_ROLES.has(facts.role) ? facts.role : 'user';
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

/**
 * A result's outcome in the form that its thread's entry had; of other transcripts an error is `{"error": reason}`, anything
 * else as it is. `content` = JSON text of a string.
 */
export function outcomeJson(content: string, isError: boolean, form: ThreadEntryMeta = {}): string {
  const { tag = isError ? 'error' : undefined, isPair, isJson } = form;
  const said = parseString(content, 0, content.length);
  const value = tag === 'error' ? reasonIn(said, content) : isJson && isJsonText(said) ? said : content;
  if (tag === undefined) return value;
  return isPair ? `["${tag}",${value}]` : `{"${tag}":${value}}`;
}

// A message holds a thread's error as the text of `{"error": reason}`.
function reasonIn(said: string, content: string): string {
  const reason = isJsonText(said) && said.startsWith('{') ? valueTextAt(said, ['error']) : null;
  if (reason === null) return content;
  const wrapped = compactJson(`{"error":${reason}}`);
  return wrapped === compactJson(said) ? wrapped.slice('{"error":'.length, -1) : content;
}
