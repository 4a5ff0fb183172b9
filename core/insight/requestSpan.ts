// When a request was made, how long its answer took, and what went before it: tools at work, or a person at rest.
import { millisecondsOf } from '../util/instant.ts';
import { requestTime } from './requestTime.ts';
import type { PointTime } from './types.ts';

/** What is read of messages; `length` = how many there are. */
export interface TimedMessages {
  readonly length: number;
  isAnswer(index: number): boolean;
  beginsTurn(index: number): boolean;
  /** It carries results of tools. */
  hasResults(index: number): boolean;
  /** ISO-8601; undefined = not recorded. */
  timestamp(index: number): string | undefined;
}

/** Of the request at a call point; `before` = the call point before it, null at the first. Null = no time is recorded. */
export function requestSpan(messages: TimedMessages, before: number | null, at: number): PointTime | null {
  const stamp = stamps(messages);
  const requested = requestTime(before, at, stamp);
  if (requested === null) return null;
  const answered = millisecondsOf(stamp(at));
  const isLater = answered !== null && answered >= requested;
  return {
    requested,
    until: isLater ? answered : requested,
    took: isLater ? answered - requested : null,
    ...between(messages, before, at, requested),
  };
}

function stamps(messages: TimedMessages): (index: number) => string | undefined {
  return (index) => (index < messages.length ? messages.timestamp(index) : undefined);
}

/** From the answer before to the last result tools ran; from there to the request it waited, if somebody wrote meanwhile. */
function between(messages: TimedMessages, before: number | null, at: number, requested: number) {
  const nothing = { tools: null, waiting: null };
  const begin = before === null ? null : millisecondsOf(messages.timestamp(before));
  if (before === null || begin === null || begin > requested) return nothing;
  let [results, isPrompted]: [number | null, boolean] = [null, false];
  for (let index = before + 1; index < at && index < messages.length; index++) {
    if (messages.beginsTurn(index)) isPrompted = true;
    if (messages.hasResults(index)) results = later(results, millisecondsOf(messages.timestamp(index)));
  }
  const worked = results === null ? begin : Math.min(Math.max(results, begin), requested);
  return {
    tools: results === null ? null : worked - begin,
    waiting: isPrompted ? requested - worked : null,
  };
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
