// Edits of a message's JSON text. They are splices: every byte that is not removed or replaced stays as it was.
import type { MessageFacts, Part } from '../model/message.ts';
import { members, membersAt, removeElements, removeMember, setMember } from '../util/json/index.ts';

/**
 * The message without some of its parts (positions in facts.parts). A `tool_calls` that loses all its calls goes;
 * reasoning beside the content goes with its signature.
 */
export function removeParts(text: string, facts: MessageFacts, parts: ReadonlySet<number>): string {
  const content = elementsRemoved(facts, parts, 'content');
  const geminiParts = elementsRemoved(facts, parts, 'parts');
  const calls = elementsRemoved(facts, parts, 'tool_calls');
  const allCalls = facts.parts.filter((part) => part.path[0] === 'tool_calls').length;
  let edited = text;
  if (content.size > 0) edited = removeElements(edited, ['content'], content);
  if (geminiParts.size > 0) edited = removeElements(edited, ['parts'], geminiParts);
  if (calls.size > 0 && calls.size === allCalls) edited = removeMember(edited, [], 'tool_calls');
  else if (calls.size > 0) edited = removeElements(edited, ['tool_calls'], calls);
  if (removesLegacyCall(facts, parts)) edited = removeMember(edited, [], 'function_call');
  const gone = facts.parts.filter((_, at) => parts.has(at));
  // A text beside calls, which may be all that goes.
  if (gone.some(({ path }) => path.length === 1 && path[0] === 'content'))
    edited = setMember(edited, [], 'content', '""');
  return removeReasoningFields(edited, gone);
}

function elementsRemoved(facts: MessageFacts, parts: ReadonlySet<number>, list: string): Set<number> {
  const elements = new Set<number>();
  for (const [at, part] of facts.parts.entries()) {
    const [key, element] = part.path;
    if (key === list && typeof element === 'number' && parts.has(at)) elements.add(element);
  }
  return elements;
}

function removesLegacyCall(facts: MessageFacts, parts: ReadonlySet<number>): boolean {
  return facts.parts.some((part, at) => part.path[0] === 'function_call' && parts.has(at));
}

const INPUT_KEYS = ['input', 'arguments', 'args', 'partialJson', 'action'];

/** The message's text with a call's arguments emptied: `{}`, or the string of it where arguments are a string. */
export function clearInput(text: string, { path }: Part): string {
  const own = membersAt(text, path) ?? [];
  const inner = own.findLast(({ key, valueStart }) => key === 'function' && text[valueStart] === '{');
  const held = inner === undefined ? own : members(text, inner.valueStart);
  const key = INPUT_KEYS.find((name) => held.some((member) => member.key === name));
  const member = held.findLast((each) => each.key === key);
  if (member === undefined) return text;
  const empty = emptied(text[member.valueStart], member.key);
  return empty === null ? text : text.slice(0, member.valueStart) + empty + text.slice(member.valueEnd);
}

// Custom tools of OpenAI take any text; all other strings are the JSON of an object.
function emptied(first: string | undefined, key: string): string | null {
  if (first === '{') return '{}';
  if (first !== '"') return null;
  return key === 'arguments' ? '"{}"' : '""';
}

const REASONING_FIELDS: ReadonlySet<unknown> = new Set(['reasoning_content', 'reasoning']);

function removeReasoningFields(text: string, parts: readonly Part[]): string {
  let edited = text;
  for (const { path } of parts) {
    const [key] = path;
    if (path.length !== 1 || typeof key !== 'string' || !REASONING_FIELDS.has(key)) continue;
    edited = removeMember(removeMember(edited, [], key), [], 'thinking_signature');
  }
  return edited;
}
