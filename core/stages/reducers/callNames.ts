// Which call a result answers, and so whose result it is. Read once per transcript; whether the call still is in a
// view is asked of the view.
import type { MessageFacts, Part } from '../../model/message.ts';
import { answers, callsOf } from '../../model/readMessage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { StageMemo } from '../../view/types.ts';

/** The call that a result answers: the source index of its message, its id and its tool's name. */
export interface CallRef {
  readonly index: number;
  readonly callId: string | null;
  readonly name: string | null;
}

/** Calls by the results that answer them, for a whole transcript; grows with it. */
export class CallNames {
  readonly #source: TranscriptSource;
  readonly #byId = new Map<string, CallRef>();
  /** By source index, then by part. */
  readonly #results: ((CallRef | null)[] | undefined)[] = [];
  /** Results whose call has not been seen: it may come later. */
  readonly #waiting = new Map<string, { readonly refs: (CallRef | null)[]; readonly part: number }[]>();
  /** Messages with calls that earlier results had answered already. */
  readonly #late = new Set<number>();
  #turn: readonly CallRef[] = [];
  #read = 0;

  constructor(source: TranscriptSource) {
    this.#source = source;
  }

  /** The call that a part of a raw message answers; null if none is known. */
  of(index: number, part: number): CallRef | null {
    if (this.#read < this.#source.length) this.#readOn();
    return this.#results[index]?.[part] ?? null;
  }

  /** The last call with this id. */
  withId(callId: string): CallRef | null {
    if (this.#read < this.#source.length) this.#readOn();
    return this.#byId.get(callId) ?? null;
  }

  /** True if the message calls what an earlier one has answered. */
  answersCameFirst(index: number): boolean {
    if (this.#read < this.#source.length) this.#readOn();
    return this.#late.has(index);
  }

  #readOn(): void {
    for (; this.#read < this.#source.length; this.#read++) {
      const facts = this.#source.facts(this.#read);
      if (facts.role === 'assistant') this.#readCalls(facts);
      this.#readResults(facts);
    }
  }

  #readCalls(facts: MessageFacts): void {
    this.#turn = callsOf(facts).map(({ part }) => ({
      index: this.#read,
      callId: part.callId ?? null,
      name: part.name ?? null,
    }));
    for (const call of this.#turn) {
      if (call.callId === null) continue;
      this.#byId.set(call.callId, call);
      const waiting = this.#waiting.get(call.callId) ?? [];
      for (const { refs, part } of waiting) refs[part] = call;
      if (waiting.length > 0) this.#late.add(this.#read);
      this.#waiting.delete(call.callId);
    }
  }

  #readResults({ parts }: MessageFacts): void {
    let refs: (CallRef | null)[] | null = null;
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at];
      if (part?.kind !== 'tool_result') continue;
      refs ??= new Array<CallRef | null>(parts.length).fill(null);
      refs[at] = this.#callOf(part, refs, at);
    }
    if (refs !== null) this.#results[this.#read] = refs;
  }

  // By id, whichever call had it last; by name only among the calls of the turn, where an id is missing.
  #callOf(part: Part, refs: (CallRef | null)[], at: number): CallRef | null {
    const callId = part.callId ?? null;
    const byId = callId === null ? undefined : this.#byId.get(callId);
    if (byId !== undefined) return byId;
    const byName = this.#turn.find((call) => answers(part, { ...part, callId: call.callId, name: call.name }));
    if (byName !== undefined || callId === null) return byName ?? null;
    const waiting = this.#waiting.get(callId) ?? [];
    waiting.push({ refs, part: at });
    this.#waiting.set(callId, waiting);
    return null;
  }
}

/** The calls of a transcript, read once. */
export function callNames(source: TranscriptSource, memo: StageMemo): CallNames {
  return memo.get('reducers.callNames', () => new CallNames(source));
}

/** True if a message makes a call with this id (null: one without an id). */
export function makesCall(facts: MessageFacts, callId: string | null): boolean {
  return callsOf(facts).some(({ part }) => (part.callId ?? null) === callId);
}
