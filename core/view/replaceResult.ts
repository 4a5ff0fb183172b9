import type { Part } from '../model/message.ts';
import { type JsonMember, jsonString, membersAt, parseString } from '../util/json/index.ts';

/**
 * The message's JSON text with the body of one tool result replaced by a text: its id, name, flags and place stay, and
 * every other byte. `part` = a part of kind `tool_result` as read from this very text. The same text if that body stands
 * there already; null if the result has no body. A body is a string, for runtimes that ask for blocks (`toolResult`) a
 * list of one, in Gemini's functionResponse `{"output": …}`.
 */
export function replaceResult(text: string, part: Part, body: string): string | null {
  const members = membersAt(text, part.path) ?? [];
  const member = lastOf(members, 'content') ?? lastOf(members, 'response');
  if (member === null) return null;
  const before = text.slice(member.valueStart, member.valueEnd);
  const isWhole = part.path.length === 0;
  const wantsBlocks = isWhole && before.startsWith('[') && stringOf(text, lastOf(members, 'role')) === 'toolResult';
  const after = bodyJson(member.key, wantsBlocks, body);
  if (after === before) return text;
  // Joined, it is one string: a tree of three is kept for each of thousands of results.
  return [text.slice(0, member.valueStart), after, text.slice(member.valueEnd)].join('');
}

/** What is counted of a result that {@link replaceResult} gave this body: of Gemini’s functionResponse its frame too. */
export function countedBody({ path }: Part, body: string): string {
  const isGemini = /^function_?response$/i.test(String(path.at(-1)));
  return isGemini ? bodyJson('response', false, body) : body;
}

// Of a key that is there twice the last one counts.
function lastOf(members: readonly JsonMember[], key: string): JsonMember | null {
  return members.findLast((member) => member.key === key) ?? null;
}

function stringOf(text: string, member: JsonMember | null): string | null {
  if (member === null || text[member.valueStart] !== '"') return null;
  return parseString(text, member.valueStart, member.valueEnd);
}

// As resultBody reads it: `content`, else Gemini's `response`.
function bodyJson(key: string, wantsBlocks: boolean, body: string): string {
  if (key === 'response') return `{"output":${jsonString(body)}}`;
  return wantsBlocks ? `[{"type":"text","text":${jsonString(body)}}]` : jsonString(body);
}
