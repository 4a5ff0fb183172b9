// Places in a conversation as the check of thinking blocks sees it: a message, and how much of it stands before. Thinking
// itself is not part of what a block is bound to, so it has no place of its own in this count.
import type { MessageFacts } from '../../model/message.ts';
import { isRecord, ownAt, sameValue } from '../../util/unknown.ts';

/** A place as one number, so that places compare as numbers do: see {@link placeIn}. */
export type Place = number;

const OFFSETS = 4096;

/** Behind the first `offset` parts of a message that are not thinking. */
export function placeIn(cell: number, offset: number): Place {
  return cell * OFFSETS + 1 + Math.min(offset, OFFSETS - 2);
}

/** In front of a message: what was put there, or the message itself gone. */
export function placeBefore(cell: number): Place {
  return cell * OFFSETS;
}

/** The message that a place is in. */
export function cellOf(place: Place): number {
  return Math.floor(place / OFFSETS);
}

/** True for reasoning, signed or not. */
export function isThinking({ category }: MessageFacts['parts'][number]): boolean {
  return category === 'thinking';
}

/** A message as the check compares it: no thinking, no marks of the cache, a text as one block. */
export interface Compared {
  readonly blocks: readonly unknown[];
  readonly rest: unknown;
}

/** Reads a message's JSON text for comparison. */
export function compared(text: string, facts: Pick<MessageFacts, 'parts'>): Compared {
  const message: unknown = JSON.parse(text);
  if (!isRecord(message)) return { blocks: [], rest: message };
  const gone = new Map<string, Set<number | null>>();
  for (const part of facts.parts) {
    const [key, element] = part.path;
    if (!isThinking(part) || typeof key !== 'string') continue;
    const list = gone.get(key) ?? new Set();
    gone.set(key, list.add(typeof element === 'number' ? element : null));
  }
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(message)) {
    const taken = gone.get(key);
    if (taken?.has(null) === true || key === 'content' || key === 'cache_control') continue;
    rest[key] = Array.isArray(value) ? without(value, taken) : value;
  }
  const content = ownAt(message, 'content');
  const blocks = Array.isArray(content) ? without(content, gone.get('content')) : [content];
  return { blocks: blocks.map(plainBlock), rest };
}

function without(list: readonly unknown[], taken: ReadonlySet<number | null> | undefined): readonly unknown[] {
  return taken === undefined ? list : list.filter((_, at) => !taken.has(at));
}

// Marks of the cache stand on blocks, and on the blocks within a result; in a call's arguments the word is data.
function plainBlock(block: unknown): unknown {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (!isRecord(block)) return block;
  const { cache_control: _mark, ...plain } = block;
  const inner = ownAt(plain, 'content');
  if (typeof inner === 'string' && ownAt(plain, 'type') === 'tool_result')
    return { ...plain, content: [plainBlock(inner)] };
  return Array.isArray(inner) ? { ...plain, content: inner.map(plainBlock) } : withoutSignature(plain);
}

// A signed address of an image that was signed again leads to the same image, as far as anybody can know.
function withoutSignature(block: Readonly<Record<string, unknown>>): unknown {
  const source = ownAt(block, 'source');
  const url = isRecord(source) ? ownAt(source, 'url') : undefined;
  return isRecord(source) && typeof url === 'string'
    ? { ...block, source: { ...source, url: url.split('?')[0] } }
    : block;
}

/** How many blocks two messages begin with alike; null = they are alike to their ends. */
export function firstDifference(a: Compared, b: Compared): number | null {
  if (!sameValue(a.rest, b.rest)) return -1;
  const length = Math.min(a.blocks.length, b.blocks.length);
  for (let at = 0; at < length; at++) if (!sameValue(a.blocks[at], b.blocks[at])) return at;
  return a.blocks.length === b.blocks.length ? null : length;
}
