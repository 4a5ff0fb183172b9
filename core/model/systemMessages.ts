import type { TranscriptSource } from './transcript.ts';

/** Indices of the system messages from message `from` on, ascending. A source that knows them is not read for it. */
export function systemMessages(
  source: Pick<TranscriptSource, 'length' | 'facts' | 'systemMessages'>,
  from: number,
): readonly number[] {
  if (source.systemMessages !== undefined)
    return source.systemMessages().filter((index) => index >= from && index < source.length);
  const found: number[] = [];
  for (let index = from; index < source.length; index++) {
    if (source.facts(index).role === 'system') found.push(index);
  }
  return found;
}
