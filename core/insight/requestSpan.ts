// When a request was made, how long its answer took, and what went before it: tools at work, or a person at rest.
import type { MessageFacts, MessageMeta } from '../model/message.ts';
import { millisecondsOf } from '../util/instant.ts';
import { requestTime } from './requestTime.ts';
import type { PointTime } from './types.ts';

/** What is read of messages; `length` = how many there are. */
export interface TimedMessages {
  readonly length: number;
  facts(index: number): MessageFacts;
  meta(index: number): Pick<MessageMeta, 'timestamp'>;
}

/** Of the request at a call point; `before` = the call point before it, null at the first. Null = no time is recorded. */
export function requestSpan(messages: TimedMessages, before: number | null, at: number): PointTime | null {
  const requested = requestTime(before, at, stamps(messages));
  if (requested === null) return null;
  const answered = millisecondsOf(stamps(messages)(at));
  const isLater = answered !== null && answered >= requested;
  return {
    requested,
    until: isLater ? answered : requested,
    took: isLater ? answered - requested : null,
    ...between(messages, before, at, requested),
  };
}

function stamps(messages: TimedMessages): (index: number) => string | undefined {
  return (index) => (index < messages.length ? messages.meta(index).timestamp : undefined);
}

/** From the answer before to the last result tools ran; from there to the request it waited, if somebody wrote meanwhile. */
function between(messages: TimedMessages, before: number | null, at: number, requested: number) {
  const nothing = { tools: null, waiting: null };
  const begin = before === null ? null : millisecondsOf(messages.meta(before).timestamp);
  if (before === null || begin === null || begin > requested) return nothing;
  let [results, isPrompted]: [number | null, boolean] = [null, false];
  for (let index = before + 1; index < at && index < messages.length; index++) {
    const { parts, beginsTurn } = messages.facts(index);
    if (beginsTurn) isPrompted = true;
    if (!parts.some(({ kind }) => kind === 'tool_result')) continue;
    results = later(results, millisecondsOf(messages.meta(index).timestamp));
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
