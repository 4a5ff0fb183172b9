// How long it took until a message was there: an answer since its request, a tool's result since its call, what a person wrote
// since the last of both. The same times as those of the chart's lane.
import { millisecondsOf } from '../util/instant.ts';
import { requestSpan, type TimedMessages } from './requestSpan.ts';

/** `kind`: what the time was spent with. */
export interface MessageTime {
  readonly kind: 'answer' | 'tool' | 'person';
  /** Milliseconds. */
  readonly ms: number;
}

/** Messages that are looked back at for the answer before. */
const MOST = 200;

/** Null = not recorded, or the message is none of these. */
export function messageTime(messages: TimedMessages, index: number): MessageTime | null {
  const before = answerBefore(messages, index);
  if (messages.isAnswer(index)) return of('answer', requestSpan(messages, before, index)?.took ?? null);
  const here = milliseconds(messages, index);
  if (before === null || here === null) return null;
  if (messages.hasResults(index)) return of('tool', since(messages, before, here));
  if (!messages.beginsTurn(index)) return null;
  for (let last = index - 1; last > before; last--)
    if (messages.hasResults(last)) return of('person', since(messages, last, here));
  return of('person', since(messages, before, here));
}

function of(kind: MessageTime['kind'], ms: number | null): MessageTime | null {
  return ms === null || ms < 0 ? null : { kind, ms };
}

function since(messages: TimedMessages, index: number, now: number): number | null {
  const then = milliseconds(messages, index);
  return then === null ? null : now - then;
}

function answerBefore(messages: TimedMessages, index: number): number | null {
  for (let at = index - 1; at >= 0 && at >= index - MOST; at--) if (messages.isAnswer(at)) return at;
  return null;
}

function milliseconds(messages: TimedMessages, index: number): number | null {
  return millisecondsOf(messages.timestamp(index));
}
