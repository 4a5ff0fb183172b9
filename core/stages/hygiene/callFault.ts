// What of a call is missing when it was cut off.
import type { Part } from '../../model/message.ts';
import { valueAt } from '../../model/partText.ts';
import { calledOf } from '../../model/readResult.ts';
import { isRecord, ownAt } from '../../util/unknown.ts';
import type { Fields } from './draft.ts';
import { callShape } from './shape.ts';

/** What a call of a parsed message lacks of name, id and arguments; null = nothing. */
export function callFault(message: Fields, part: Part): string | null {
  const node = valueAt(message, part.path);
  if (!isRecord(node)) return null;
  const shape = callShape(message, part);
  const name = (part.name ?? '').trim();
  if (name === '') return 'a call names no tool';
  const needsId = shape !== 'gemini' && shape !== 'legacy';
  if (needsId && (part.callId ?? '').trim() === '') return `a call of ${name} has no id`;
  const needsArguments = shape !== 'gemini' && (shape !== 'item' || ownAt(node, 'type') === 'function_call');
  return needsArguments && !hasArguments(node) ? `a call of ${name} has no arguments: it was cut off` : null;
}

const ARGUMENTS = ['input', 'arguments', 'args', 'partialJson', 'action', 'operation', 'execution'];

function hasArguments(call: Fields): boolean {
  const inner = calledOf(call);
  const holder = isRecord(inner) ? inner : call;
  return ARGUMENTS.some((key) => {
    const value = ownAt(holder, key) ?? ownAt(call, key);
    return value !== undefined && value !== null;
  });
}
