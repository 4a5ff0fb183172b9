import { millisecondsOf } from '../util/instant.ts';

/**
 * When the request at a call point was made, in milliseconds: when the last message before it was there (`before` = the
 * call point before it, null at the first), else when it was answered, else when the answer before it was. Null = not
 * recorded. `timestamp` = of a message, ISO-8601; undefined for the transcript's end.
 */
export function requestTime(
  before: number | null,
  at: number,
  timestamp: (index: number) => string | undefined,
): number | null {
  for (let index = at - 1; index > (before ?? -1); index--) {
    const time = millisecondsOf(timestamp(index));
    if (time !== null) return time;
  }
  return millisecondsOf(timestamp(at)) ?? (before === null ? null : millisecondsOf(timestamp(before)));
}
