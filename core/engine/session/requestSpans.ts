// When the requests of an open transcript were made, and what went before them: the same under every policy.
import { countBelow } from '../../insight/places.ts';
import { requestSpan, type TimedMessages } from '../../insight/requestSpan.ts';
import type { PointTime } from '../../insight/types.ts';
import { ASSISTANT, RESULTS, TURN } from '../../store/index.ts';
import type { StoredSource } from '../../store/types.ts';
import type { Session } from './session.ts';

/** Each is read when it is asked for first, and kept for as long as the transcript has no other messages. */
export class RequestSpans {
  readonly #session: Session;
  readonly #timed: TimedMessages;
  #messages = -1;
  #spans: (PointTime | null | undefined)[] = [];

  constructor(session: Session) {
    this.#session = session;
    this.#timed = timed(session.source);
  }

  /** Of the request at a call point; null = no time is recorded. */
  at(at: number): PointTime | null {
    const { source, outline } = this.#session;
    if (this.#messages !== source.length) {
      this.#messages = source.length;
      this.#spans = [];
    }
    const known = this.#spans[at];
    if (known !== undefined) return known;
    const { callPoints } = outline;
    const span = requestSpan(this.#timed, callPoints[countBelow(callPoints, at) - 1] ?? null, at);
    this.#spans[at] = span;
    return span;
  }
}

/** The times of a stored transcript's messages; what they are is read from the digest of their facts. */
export function timed(source: StoredSource): TimedMessages {
  const is = (index: number, flag: number): boolean => (source.digest().roles[index]! & flag) !== 0;
  return {
    get length() {
      return source.length;
    },
    isAnswer: (index) => is(index, ASSISTANT),
    beginsTurn: (index) => is(index, TURN),
    hasResults: (index) => is(index, RESULTS),
    timestamp: (index) => source.meta(index).timestamp,
  };
}

/** Those of an open transcript. */
export function requestSpans(session: Session): RequestSpans {
  return session.memo.get('engine.requestSpans', () => new RequestSpans(session));
}
