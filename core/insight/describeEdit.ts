// browser-safe
import type { AppliedEdit } from '../model/message.ts';
import { countOf, grouped } from '../view/words.ts';

/** An edit in words: `2 tool uses cleared, 230 tok`. */
export function describeEdit({ type, toolUses, thinkingTurns, tokens }: AppliedEdit): string {
  const what =
    toolUses !== undefined
      ? `${countOf(toolUses, 'tool use')} cleared`
      : thinkingTurns !== undefined
        ? `thinking of ${countOf(thinkingTurns, 'turn')} cleared`
        : type;
  return tokens === undefined ? what : `${what}, ${grouped(tokens)} tok`;
}
