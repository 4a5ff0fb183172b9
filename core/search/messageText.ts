// browser-safe
import { hasFailed } from '../model/failure.ts';
import type { MessageFacts, MessageMeta, Part } from '../model/message.ts';
import { partText } from '../model/partText.ts';
import { toolSide } from '../model/toolSide.ts';
import { tagWord } from './ftsExpression.ts';
import { BOUNDARY, indexText } from './words.ts';

/** What of a part can be found: its readable text; of a call its name too. `message` is the parsed message. */
export function searchText(message: unknown, part: Part): string {
  const text = partText(message, part);
  if (part.kind !== 'tool_call') return text;
  return `${part.name ?? ''} ${unescaped(text)}`;
}

// Arguments written by other languages hold their letters as \uXXXX.
function unescaped(json: string): string {
  if (!json.includes('\\u')) return json;
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json; // Arguments that are not JSON (cut off, free text) are found as they are.
  }
}

/** The tools of a message: of its calls and of the results it holds, where `toolOf` knows the call that they answer. */
export function toolsOf({ parts }: MessageFacts, toolOf: (callId: string) => string | undefined): ReadonlySet<string> {
  const tools = new Set<string>();
  for (const part of parts) {
    if (toolSide(part) === null) continue;
    const { name, callId } = part;
    const tool = name ?? (callId ? toolOf(callId) : undefined);
    if (tool) tools.add(tool);
  }
  return tools;
}

/** The role that `role:` asks for: user messages that are nothing but tool results count as the tool's. */
export function searchRole({ role, parts }: MessageFacts): string {
  const isAnswer = role === 'user' && parts.length > 0 && parts.every(({ kind }) => kind === 'tool_result');
  if (isAnswer || role === 'function') return 'tool';
  if (role === 'developer') return 'system';
  return role === 'model' ? 'assistant' : role;
}

/** What `is:` and `has:` can ask of a content, with the failures that are recorded beside it. */
export function contentMarks(
  facts: MessageFacts,
  meta: Pick<MessageMeta, 'failedCallIds'> = {},
): readonly { readonly tag: 'is' | 'has'; readonly value: string }[] {
  const has = new Set<string>();
  if (facts.signed) has.add('signature');
  for (const part of facts.parts) {
    const kind = toolSide(part) ?? HAS[part.kind];
    if (kind !== undefined) has.add(kind);
    if (part.signed === true) has.add('signature');
  }
  const isError = facts.parts.some((part) => hasFailed(part, meta));
  const marks = [...has].map((value) => ({ tag: 'has' as const, value }));
  return isError ? [...marks, { tag: 'is' as const, value: 'error' }] : marks;
}

const HAS: Readonly<Partial<Record<Part['kind'], string>>> = {
  thinking: 'thinking',
  opaque: 'encrypted',
  image: 'image',
  file: 'file',
};

/** A message as the index is given it. `cut`: it is longer than `maxChars`, and the rest of it cannot be found. */
export interface IndexEntry {
  readonly text: string;
  readonly cut: boolean;
}

/** Tags, then every part's text behind a boundary. */
export function indexEntry(
  message: unknown,
  facts: MessageFacts,
  meta: Pick<MessageMeta, 'failedCallIds'>,
  tools: ReadonlySet<string>,
  maxChars: number,
): IndexEntry {
  const tags = [
    tagWord('role', searchRole(facts)),
    ...[...tools].map((tool) => tagWord('tool', tool)),
    ...contentMarks(facts, meta).map(({ tag, value }) => tagWord(tag, value)),
  ];
  const pieces = [BOUNDARY, ...tags];
  let chars = 0;
  let cut = false;
  for (const part of facts.parts) {
    const text = searchText(message, part);
    if (text === '') continue;
    const left = maxChars - chars;
    cut ||= text.length > left;
    pieces.push(BOUNDARY, indexText(text.length > left ? text.slice(0, left) : text));
    chars += Math.min(text.length, left);
  }
  return { text: pieces.join(' '), cut };
}
