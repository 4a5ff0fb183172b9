import type { TranscriptSource } from './transcript.ts';

/**
 * Source indices of the messages that begin a turn: user messages that are more than tool results. Ascending. `from` =
 * where to begin looking.
 */
export function turnStarts(source: TranscriptSource, from = 0): readonly number[] {
  const starts: number[] = [];
  for (let i = from; i < source.length; i++) if (source.facts(i).beginsTurn) starts.push(i);
  return starts;
}

/**
 * The call points of a transcript, ascending: the index of every assistant message (the request was made before it),
 * and the default, its length: the next request. `from` = where to begin looking.
 */
export function callPoints(source: TranscriptSource, from = 0): readonly number[] {
  const points: number[] = [];
  for (let i = from; i < source.length; i++) if (source.facts(i).role === 'assistant') points.push(i);
  points.push(source.length);
  return points;
}
