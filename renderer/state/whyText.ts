import type { DetailPart } from '../../core/protocol/types.ts';
import { isRecord, ownAt } from '../../core/util/unknown.ts';

/** What of a part is looked for in the requests: its text; of a call its longest argument. null: it says nothing. */
export function whyText(part: Pick<DetailPart, 'kind' | 'text'> | undefined): string | null {
  if (part === undefined) return null;
  if (part.kind === 'tool_call') return filled(longestValue(part.text) ?? part.text);
  return part.kind === 'text' || part.kind === 'thinking' || part.kind === 'tool_result' ? filled(part.text) : null;
}

function filled(text: string): string | null {
  return text.trim() === '' ? null : text;
}

/** The longest string of arguments; null if they are not JSON (a patch, or cut off), or hold none. */
function longestValue(json: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  let longest: string | null = null;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') longest = longest === null || next.length > longest.length ? next : longest;
    else if (Array.isArray(next)) open.push(...next);
    else if (isRecord(next)) open.push(...Object.keys(next).map((key) => ownAt(next, key)));
  }
  return longest;
}
