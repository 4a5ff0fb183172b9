// browser-safe
import type { MessageMeta, Part } from './message.ts';

/**
 * True if a result is an error: its text or a flag beside it says so (the error test of the projection spec), or a
 * record beside its message does. For badges and counts; stages go by `isError` alone, as the spec does.
 */
export function hasFailed(part: Part, meta: MessageMeta): boolean {
  if (part.isError === true) return true;
  const { callId } = part;
  return part.kind === 'tool_result' && typeof callId === 'string' && meta.failedCallIds?.includes(callId) === true;
}
