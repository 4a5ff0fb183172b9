// browser-safe
import type { MessageMeta, Part } from './message.ts';
import type { TranscriptSource } from './transcript.ts';

/**
 * True if a result is an error: its text or a flag beside it says so (the error test of the projection spec), or a
 * record beside its message does. Whatever analyses, counts or shows goes by this; stages go by `isError` alone, as the
 * spec does.
 */
export function hasFailed(part: Part, meta: Pick<MessageMeta, 'failedCallIds'>): boolean {
  if (part.isError === true) return true;
  const { callId } = part;
  return part.kind === 'tool_result' && typeof callId === 'string' && meta.failedCallIds?.includes(callId) === true;
}

/** The same of a part of message `index` of a transcript. What is recorded beside it is read only if its text does not say so. */
export function hasFailedIn(source: Pick<TranscriptSource, 'failedCallIds'>, index: number, part: Part): boolean {
  if (part.kind !== 'tool_result' || part.isError === true) return part.isError === true;
  return hasFailed(part, { failedCallIds: source.failedCallIds?.(index) ?? [] });
}
