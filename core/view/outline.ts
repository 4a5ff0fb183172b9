// What most stages ask of every message first, as a byte each: read once per message, so that a slider over a long
// transcript need not open its facts again.
import type { MessageFacts } from '../model/message.ts';
import type { ViewReader } from './reader.ts';
import type { StageContext } from './types.ts';

/** The message begins a turn: a user message that is more than tool results. */
export const BEGINS_TURN = 1;
/** It holds a tool result. */
export const HOLDS_RESULT = 2;
/** It is the assistant's. */
export const IS_ASSISTANT = 4;
/** It carries signed reasoning. */
export const IS_SIGNED = 8;
const KNOWN = 128;

/** The flags (BEGINS_TURN, HOLDS_RESULT, IS_ASSISTANT, IS_SIGNED) of a view's messages, by position. */
export function outlineOf(
  reader: ViewReader,
  { source, memo }: Pick<StageContext, 'source' | 'memo'>,
): (position: number) => number {
  const raw = memo.get('view.outline', () => ({ flags: new Uint8Array(source.length) }));
  if (raw.flags.length < source.length) {
    const grown = new Uint8Array(Math.ceil(source.length * 1.25));
    grown.set(raw.flags);
    raw.flags = grown;
  }
  const { flags } = raw;
  return (position) => {
    const item = reader.item(position);
    if (item.kind !== 'source' || item.text !== undefined) return flagsOf(reader.facts(position));
    const known = flags[item.index] ?? 0;
    if (known !== 0) return known;
    const read = flagsOf(source.facts(item.index)) | KNOWN;
    flags[item.index] = read;
    return read;
  };
}

function flagsOf({ role, parts, signed, beginsTurn }: MessageFacts): number {
  return (
    (beginsTurn ? BEGINS_TURN : 0) |
    (parts.some((part) => part.kind === 'tool_result') ? HOLDS_RESULT : 0) |
    (role === 'assistant' ? IS_ASSISTANT : 0) |
    (signed ? IS_SIGNED : 0)
  );
}
