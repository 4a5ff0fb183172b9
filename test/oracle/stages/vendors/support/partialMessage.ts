// A piece of a message: its first blocks, or some lines of its text. As LangChain's trimMessages takes them.
import {
  elements,
  jsonString,
  locate,
  removeElements,
  setMember,
  valueTextAt,
} from '../../../../../core/util/json/index.ts';
import { isRecord, ownAt, stringAt } from '../../../../../core/util/unknown.ts';
import { editItem, mapWithout } from '../../../../../core/view/origins.ts';
import type { ViewReader } from '../../../../../core/view/reader.ts';
import { itemTokens } from '../../../../../core/view/tokens.ts';
import type { StageContext, ViewItem } from '../../../../../core/view/types.ts';
import { countOf } from '../../../../../core/view/words.ts';

/** A message cut down to what fits. `words` say what is left of it. */
export interface Partial {
  readonly position: number;
  readonly item: ViewItem;
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
  const facts = reader.facts(position);
  const keepIf: KeepIf = (text, gone, words) => {
    const map = mapWithout(facts.parts.length, gone);
    const item = editItem(reader.item(position), text, { facts, map });
    const tokens = itemTokens(item, context);
    return tokens <= room ? { position, item, tokens, words } : null;
  };
  const message = { text: reader.text(position), parts: facts.parts };
  return firstBlocks(message, keepIf) ?? someLines(message, side, keepIf);
}

/** `gone` = positions in the facts' parts. */
type KeepIf = (text: string, gone: ReadonlySet<number>, words: string) => Partial | null;

interface Message {
  readonly text: string;
  readonly parts: readonly { readonly path: readonly (string | number)[] }[];
}

// More blocks are more tokens: the largest number that fits, by halving.
function firstBlocks({ text, parts }: Message, keepIf: KeepIf): Partial | null {
  const key = ['content', 'parts'].find((name) => valueTextAt(text, [name])?.startsWith('[') === true);
  if (key === undefined) return null;
  const count = elements(text, locate(text, [key])?.start ?? 0).length;
  return largest(count - 1, (kept) => {
    const blocks = new Set(Array.from({ length: count - kept }, (_, at) => kept + at));
    const gone = partsWhere(parts, ([list, place]) => list === key && typeof place === 'number' && blocks.has(place));
    return keepIf(removeElements(text, [key], blocks), gone, `its first ${countOf(kept, 'block')} of ${count}`);
  });
}

function someLines({ text, parts }: Message, side: 'first' | 'last', keepIf: KeepIf): Partial | null {
  const own = ownText(JSON.parse(text));
  if (own === null) return null;
  const split = own.text.split('\n');
  const lines = split.map((line, at) => (at < split.length - 1 ? `${line}\n` : line));
  const gone = partsWhere(parts, ([list, place]) => list === 'content' && place !== undefined && place !== own.block);
  return largest(lines.length - 1, (kept) => {
    const piece = side === 'first' ? lines.slice(0, kept) : lines.slice(-kept);
    const words = `its ${side} ${countOf(kept, 'line')} of ${lines.length}`;
    return keepIf(setMember(text, [], 'content', jsonString(piece.join(''))), gone, words);
  });
}

function partsWhere(parts: Message['parts'], isMeant: (path: readonly (string | number)[]) => boolean): Set<number> {
  return new Set(parts.flatMap(({ path }, at) => (isMeant(path) ? [at] : [])));
}

// The content itself, or the first text among its blocks.
function ownText(message: unknown): { readonly text: string; readonly block: number | null } | null {
  const content = isRecord(message) ? ownAt(message, 'content') : undefined;
  if (typeof content === 'string') return content === '' ? null : { text: content, block: null };
  if (!Array.isArray(content)) return null;
  for (const [block, each] of content.entries()) {
    const text = isRecord(each) ? stringAt(each, 'text') : undefined;
    if (text !== undefined && text !== '') return { text, block };
  }
  return null;
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
