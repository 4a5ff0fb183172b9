// Edits of a message's JSON text. They are splices: every byte that is not removed or replaced stays as it was.
import type { MessageFacts } from '../model/message.ts';
import { removeElements, removeMember } from '../util/json/index.ts';

/** The message without some of its parts (positions in facts.parts). A `tool_calls` that loses all its calls goes. */
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
  return edited;
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
