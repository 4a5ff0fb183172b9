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

/** What a folder is given of messages, and what it reports. */
export interface FoldedMessages<Message> {
  /** What makes two messages the same one. */
  identity(message: Message): string;
  /** The transcript, new or known, that the following messages are emitted to. */
  begin(key: string): void;
  /** A new message. `preserved`: of a summary, the messages before it in its transcript that stayed beside it. */
  emit(message: Message, preserved?: readonly number[]): void;
  /** A message that is in place of earlier ones; absent if there are none such. */
  isSummary?(message: Message): boolean;
}

interface Thread {
  readonly key: string;
  /** A fingerprint of each message. */
  readonly prints: string[];
  /** The chained fingerprint of the history as its lists give it: since a summary, that and what was kept with it. */
  end: string;
}

/** Folds lists, in order, into transcripts. Histories are known by chained fingerprints, not by their text. */
export class HistoryFolder<Message> {
  readonly #sink: FoldedMessages<Message>;
  readonly #threads: Thread[] = [];
  // Every history there is, whole or the beginning of one, and the transcript it is of.
  readonly #known = new Map<string, Thread>();
  readonly #ends = new Map<string, Thread>();
  #current: Thread | null = null;

  constructor(sink: FoldedMessages<Message>) {
    this.#sink = sink;
  }

  /** Takes a list and emits what is new of it. An empty list brings nothing, to a transcript without a key. */
  add(messages: readonly Message[]): Added {
    const prints = messages.map((message) => fingerprint(this.#sink.identity(message)));
    const ends = chain(prints, '');
    const whole = ends.at(-1) ?? '';
    const known = this.#known.get(whole);
    if (known) return { key: this.#take(known).key, added: 0, continued: true };
    if (messages.length === 0) return { key: '', added: 0, continued: false };
    let from = messages.length - 1;
    while (from > 0 && !this.#ends.has(ends[from] ?? '')) from--;
    const thread = from > 0 ? this.#ends.get(ends[from] ?? '') : undefined;
    if (thread) this.#emit(this.#take(thread), messages, prints, from);
    else from = this.#summarised(messages, prints) ?? this.#begin(messages, prints);
    return this.#settle(ends, messages.length - from, thread !== undefined || from > 0);
  }

  /** Takes messages that follow what the transcript of the list before holds; each is new. */
  append(messages: readonly Message[]): Added {
    const thread = this.#current;
    if (!thread || messages.length === 0) return this.add(messages);
    const prints = messages.map((message) => fingerprint(this.#sink.identity(message)));
    const ends = chain(prints, thread.end);
    this.#emit(this.#take(thread), messages, prints, 0);
    return this.#settle(ends, messages.length, true);
  }

  #take(thread: Thread): Thread {
    this.#current = thread;
    return thread;
  }

  #begin(messages: readonly Message[], prints: readonly string[]): number {
    const thread: Thread = { key: String(this.#threads.length), prints: [], end: '' };
    this.#threads.push(thread);
    this.#emit(this.#take(thread), messages, prints, 0);
    return 0;
  }

  #emit(thread: Thread, messages: readonly Message[], prints: readonly string[], from: number): void {
    this.#sink.begin(thread.key);
    for (const message of messages.slice(from)) this.#sink.emit(message);
    thread.prints.push(...prints.slice(from));
  }

  #settle(ends: readonly string[], added: number, continued: boolean): Added {
    const thread = this.#current;
    const whole = ends.at(-1) ?? '';
    if (!thread) return { key: '', added, continued };
    for (const end of ends.slice(1)) this.#known.set(end, thread);
    this.#ends.delete(thread.end);
    this.#ends.set(whole, thread);
    thread.end = whole;
    return { key: thread.key, added, continued };
  }

  /**
   * A list with a summary after which a known transcript's last messages stand: it continues with the summary and what
   * follows these. Returns the number of messages that are not new; null if the list is not such a list.
   */
  #summarised(messages: readonly Message[], prints: readonly string[]): number | null {
    const at = messages.findIndex((message) => this.#sink.isSummary?.(message) === true);
    const summary = messages[at];
    if (summary === undefined) return null;
    for (const thread of this.#threads.toReversed()) {
      const kept = keptOf(thread.prints, prints, at);
      if (kept === 0) continue;
      const length = thread.prints.length;
      const preserved = thread.prints.flatMap((_, index) => (index < at || index >= length - kept ? [index] : []));
      this.#sink.begin(this.#take(thread).key);
      this.#sink.emit(summary, preserved);
      thread.prints.push(prints[at] ?? '');
      this.#emit(thread, messages, prints, at + 1 + kept);
      return at + kept;
    }
    return null;
  }
}

/** The fingerprints of the first 0, 1, 2 … messages, after a history with the fingerprint `start`. */
function chain(prints: readonly string[], start: string): string[] {
  const ends = [start];
  for (const print of prints) ends.push(fingerprint(print, ends.at(-1)));
  return ends;
}

/** How many messages after the summary `at` are the last of the history; 0 also if what stands before it is not its beginning. */
function keptOf(history: readonly string[], list: readonly string[], at: number): number {
  for (let i = 0; i < at; i++) if (history[i] !== list[i]) return 0;
  // A summary stands for something: not all can have stayed.
  const most = Math.min(list.length - at - 1, history.length - at - 1);
  for (let kept = most; kept > 0; kept--) {
    const start = history.length - kept;
    if (history.slice(start).every((print, i) => print === list[at + 1 + i])) return kept;
  }
  return 0;
}
