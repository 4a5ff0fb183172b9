// Dumps of a state repeat the history in each. The folder gives each message once: a list that begins with all a known
// transcript holds continues it, one that a known transcript begins with is a repeat, any other begins a transcript.
// Unlike RequestFolder it waits for nothing, so an answer is but the last message of a list.

import { fingerprint } from '../fingerprint.ts';

/** What a list brought: `added` messages to the transcript `key`; it `continued` one that was there before. */
export interface Added {
  readonly key: string;
  readonly added: number;
  readonly continued: boolean;
}

/** Folds lists, in order, into transcripts. Histories are known by chained fingerprints, not by their text. */
export class HistoryFolder<Message> {
  readonly #identity: (message: Message) => string;
  readonly #begin: (key: string) => void;
  readonly #emit: (message: Message) => void;
  // Every history there is, whole or the beginning of one, and the transcript it is of.
  readonly #known = new Map<string, string>();
  readonly #ends = new Map<string, string>();
  #begun = 0;

  /** `begin` is told the transcript (new or known) that the following messages are emitted to. */
  constructor(identity: (message: Message) => string, begin: (key: string) => void, emit: (message: Message) => void) {
    this.#identity = identity;
    this.#begin = begin;
    this.#emit = emit;
  }

  /** Number of transcripts begun. */
  get begun(): number {
    return this.#begun;
  }

  /** Takes a list and emits what is new of it; an empty list is a repeat of nothing. */
  add(messages: readonly Message[]): Added {
    const ends = [''];
    for (const message of messages) ends.push(fingerprint(this.#identity(message), ends.at(-1)));
    const whole = ends.at(-1) ?? '';
    const known = this.#known.get(whole);
    if (known !== undefined) return { key: known, added: 0, continued: true };
    if (messages.length === 0) return { key: '', added: 0, continued: false };
    let from = messages.length - 1;
    while (from > 0 && !this.#ends.has(ends[from] ?? '')) from--;
    const before = ends[from] ?? '';
    const key = (from > 0 ? this.#ends.get(before) : undefined) ?? String(this.#begun++);
    this.#begin(key);
    for (const message of messages.slice(from)) this.#emit(message);
    for (const end of ends.slice(from + 1)) this.#known.set(end, key);
    this.#ends.delete(before);
    this.#ends.set(whole, key);
    return { key, added: messages.length - from, continued: from > 0 };
  }
}
