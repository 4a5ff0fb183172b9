// A piece of a message: its first blocks, or some lines of its text. As LangChain's trimMessages takes them.

import { elements, jsonString, locate, removeElements, setMember, valueTextAt } from '../../../util/json/index.ts';
import { isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import type { ViewReader } from '../../../view/reader.ts';
import { itemTokens } from '../../../view/tokens.ts';
import type { StageContext } from '../../../view/types.ts';
import { countOf } from '../../../view/words.ts';

/** A message cut down to what fits. `words` say what is left of it. */
export interface Partial {
  readonly position: number;
  readonly text: string;
  readonly tokens: number;
  readonly words: string;
}

/** The largest piece of a message that fits into `room` tokens; null = none does. `side`: which lines of a text are kept. */
export function partOfMessage(
  reader: ViewReader,
  position: number,
  side: 'first' | 'last',
  room: number,
  context: StageContext,
): Partial | null {
  const keepIf = (text: string, words: string): Partial | null => {
    const tokens = itemTokens({ ...reader.item(position), text }, context);
    return tokens <= room ? { position, text, tokens, words } : null;
  };
  return firstBlocks(reader.text(position), keepIf) ?? someLines(reader.text(position), side, keepIf);
}

type KeepIf = (text: string, words: string) => Partial | null;

// More blocks are more tokens: the largest number that fits, by halving.
function firstBlocks(text: string, keepIf: KeepIf): Partial | null {
  const key = ['content', 'parts'].find((name) => valueTextAt(text, [name])?.startsWith('[') === true);
  if (key === undefined) return null;
  const count = elements(text, locate(text, [key])?.start ?? 0).length;
  return largest(count - 1, (kept) => {
    const gone = new Set(Array.from({ length: count - kept }, (_, at) => kept + at));
    return keepIf(removeElements(text, [key], gone), `its first ${countOf(kept, 'block')} of ${count}`);
  });
}

function someLines(text: string, side: 'first' | 'last', keepIf: KeepIf): Partial | null {
  const own = ownText(JSON.parse(text));
  if (own === null) return null;
  const split = own.split('\n');
  const lines = split.map((line, at) => (at < split.length - 1 ? `${line}\n` : line));
  return largest(lines.length - 1, (kept) => {
    const piece = side === 'first' ? lines.slice(0, kept) : lines.slice(-kept);
    const words = `its ${side} ${countOf(kept, 'line')} of ${lines.length}`;
    return keepIf(setMember(text, [], 'content', jsonString(piece.join(''))), words);
  });
}

// The content itself, or the first text among its blocks.
function ownText(message: unknown): string | null {
  const content = isRecord(message) ? ownAt(message, 'content') : undefined;
  if (typeof content === 'string') return content === '' ? null : content;
  if (!Array.isArray(content)) return null;
  const block: unknown = content.find((each) => isRecord(each) && (stringAt(each, 'text') ?? '') !== '');
  return isRecord(block) ? (stringAt(block, 'text') ?? null) : null;
}

function largest(most: number, attempt: (count: number) => Partial | null): Partial | null {
  let best: Partial | null = null;
  let low = 1;
  let high = most;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = attempt(middle);
    if (found === null) high = middle - 1;
    else {
      best = found;
      low = middle + 1;
    }
  }
  return best;
}
