import type { Part } from '../model/message.ts';
import { jsonString, setMember, stringAtPath, valueTextAt } from '../util/json/index.ts';

/**
 * The message's JSON text with the body of one tool result replaced by a text: its id, name, flags and place stay, and
 * every other byte. `part` = a part of kind `tool_result` as read from this very text. The same text if that body stands
 * there already; null if the result has no body. A body is a string, for runtimes that ask for blocks (`toolResult`) a
 * list of one, in Gemini's functionResponse `{"output": …}`.
 */
export function replaceResult(text: string, part: Part, body: string): string | null {
  const key = bodyKey(text, part);
  if (key === null) return null;
  const before = valueTextAt(text, [...part.path, key]);
  if (before === null) return null;
  const after = bodyJson(text, part, key, before, body);
  return after === before ? text : setMember(text, part.path, key, after);
}

// As resultBody reads it: `content`, else Gemini's `response`.
function bodyKey(text: string, { path }: Part): string | null {
  return ['content', 'response'].find((key) => valueTextAt(text, [...path, key]) !== null) ?? null;
}

function bodyJson(text: string, { path }: Part, key: string, before: string, body: string): string {
  if (key === 'response') return `{"output":${jsonString(body)}}`;
  const wantsBlocks = before.startsWith('[') && path.length === 0 && stringAtPath(text, ['role']) === 'toolResult';
  return wantsBlocks ? `[{"type":"text","text":${jsonString(body)}}]` : jsonString(body);
}
