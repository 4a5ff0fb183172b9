import { parseMessage } from '../../model/decode.ts';
import { partText } from '../../model/partText.ts';
import type { ComparedText, ComparedTexts } from '../../protocol/compareTypes.ts';
import type { ViewItem } from '../../view/types.ts';
import { cutPair } from '../rows/format.ts';
import { labelOf } from '../rows/render.ts';
import type { Session } from '../session/session.ts';
import { type ComparedRequest, type Comparison, cellOf, holderOf, readItem } from './lines.ts';

/** Both texts of a line, cut at `limit` UTF-16 units each; null = there is no such line. */
export function comparedTexts(comparison: Comparison, line: number, limit: number): ComparedTexts | null {
  const found = comparison.lines[line];
  if (found === undefined) return null;
  const { session, a, b } = comparison;
  // Merged, it is read in the message that has it.
  const [itemA, itemB] = [found.a ?? holderOf(a.computed, found.b), found.b ?? holderOf(b.computed, found.a)];
  return {
    line,
    mark: found.mark,
    a: itemA && textOf(session, a, itemA, limit),
    b: itemB && textOf(session, b, itemB, limit),
  };
}

function textOf(session: Session, request: ComparedRequest, item: ViewItem, limit: number): ComparedText {
  const { text, facts } = readItem(session, item);
  const message = parseMessage(text);
  return {
    cell: cellOf(session, request, item),
    json: cut(text, limit),
    chars: text.length,
    parts: facts.parts.map((part) => ({
      label: labelOf(part, facts.role),
      text: cut(partText(message, part), limit),
      mono: part.kind === 'tool_call' || part.kind === 'tool_result',
    })),
  };
}

function cut(text: string, limit: number): string {
  return text.length > limit ? cutPair(text.slice(0, limit)) : text;
}
