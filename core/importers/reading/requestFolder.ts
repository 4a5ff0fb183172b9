// Logs of requests repeat the whole history in each. The folder gives each message once: a request that begins with
// all a known transcript holds continues it, any other begins a separate transcript, so nothing is lost and
// conversations that alternate in one log come apart. Histories are known by chained fingerprints, not by their text.

import type { ImportSink, SourceRecord } from '../../model/importSink.ts';
import type { MessageMeta } from '../../model/message.ts';
import type { Origin, TranscriptMeta } from '../../model/transcript.ts';
import { fingerprint } from '../fingerprint.ts';
import { elementSpans, spanAt } from './slices.ts';

/** A message of a request or response: its exact text and parsed value. */
export interface FoldMessage {
  readonly text: string;
  readonly value: unknown;
}

/** The messages of a list in a record's text, with their exact texts. */
export function messagesAt(text: string, path: readonly string[], values: readonly unknown[]): FoldMessage[] {
  const list = spanAt(text, path);
  const spans = list ? elementSpans(text, list.start) : [];
  return spans.map(({ start, end }, i) => ({ text: text.slice(start, end), value: values[i] }));
}

/** How a provider's messages are compared. */
export interface FoldRules {
  readonly format: string;
  /** What makes two messages the same one, marks that move between requests left out. */
  identity(message: FoldMessage): string;
  /** What makes a message of the next request the answer that was recorded; coarser than identity. */
  answer(message: FoldMessage): string;
}

/** What came of a request. */
export interface Folded {
  readonly newMessages: number;
  readonly continued: boolean;
}

// The recorded answer waits: if the next request sends it back, that text counts, as it is what the model then saw.
interface Waiting {
  readonly message: FoldMessage;
  readonly meta: MessageMeta;
  readonly origins: readonly Origin[];
}

interface Thread {
  readonly key: string;
  end: string;
  length: number;
  waiting: Waiting | null;
  /** Source index of the waiting answer, if it was handed over as it stands. */
  handed: number | null;
}

/** Folds requests and responses, in order, into transcripts named by `keyOf` (number of transcripts begun so far). */
export class RequestFolder {
  readonly #sink: ImportSink;
  readonly #rules: FoldRules;
  readonly #keyOf: (index: number) => string;
  // Several threads may have the same history: the same request, answered twice.
  readonly #byEnd = new Map<string, Thread[]>();
  readonly #unsettled = new Set<Thread>();
  #begun = 0;
  #current: Thread | null = null;

  constructor(sink: ImportSink, rules: FoldRules, keyOf: (index: number) => string) {
    this.#sink = sink;
    this.#rules = rules;
    this.#keyOf = keyOf;
  }

  /** Number of transcripts begun. */
  get begun(): number {
    return this.#begun;
  }

  /** Takes a request. `each` sees every new message before it goes to the sink, with its source index to be. */
  request(
    messages: readonly FoldMessage[],
    meta: TranscriptMeta,
    record: SourceRecord,
    each: (message: FoldMessage, index: number) => MessageMeta,
  ): Folded {
    const ends = this.#prefixes(messages);
    const found = this.#longestKnown(messages, ends);
    const thread = found ?? this.#begin();
    this.#enter(thread, meta);
    const origin = { line: record.line, byteStart: record.byteStart, byteEnd: record.byteEnd };
    const from = thread.length;
    for (const message of messages.slice(from)) {
      const own = each(message, thread.length);
      const answered = thread.waiting;
      thread.waiting = null;
      this.#unsettled.delete(thread);
      const origins = answered ? [...answered.origins, origin] : [origin];
      const whole = { text: message.text, value: message.value, meta: { ...answered?.meta, ...own }, origins };
      if (thread.handed === null) this.#sink.message(whole);
      else this.#sink.amend(thread.handed, whole);
      thread.handed = null;
      thread.length++;
    }
    this.#moveEnd(thread, ends[messages.length] ?? '');
    return { newMessages: messages.length - from, continued: found !== null };
  }

  /** Takes the answer to the request before; without a request, or with a second answer, it begins a separate transcript. */
  response(message: FoldMessage, meta: MessageMeta, start: TranscriptMeta, origins: readonly Origin[]): void {
    const thread = this.#current && !this.#current.waiting ? this.#current : this.#begin();
    this.#enter(thread, start);
    thread.waiting = { message, meta, origins };
    this.#unsettled.add(thread);
  }

  /** Hands over the answers that wait, as they stand; a request that sends one back amends it. */
  settle(): void {
    const current = this.#current;
    for (const thread of this.#unsettled) this.#handOver(thread);
    if (current) this.#goTo(current);
  }

  /** 1 if the transcript's last message is an answer that still waits: for all that comes, it is not there yet. */
  ahead(key: string | null): number {
    return this.#current?.key === key && this.#current.handed !== null ? 1 : 0;
  }

  /** Hands over the answers that no later request sent back. */
  end(): void {
    for (const thread of [...this.#unsettled]) this.#settle(thread);
  }

  #begin(): Thread {
    return { key: this.#keyOf(this.#begun++), end: '', length: 0, waiting: null, handed: null };
  }

  #enter(thread: Thread, meta: TranscriptMeta): void {
    if (this.#current !== thread) this.#sink.begin(thread.key, meta);
    else this.#sink.meta(meta);
    this.#current = thread;
  }

  // ends[k] = the fingerprint of the first k messages.
  #prefixes(messages: readonly FoldMessage[]): string[] {
    const ends = [''];
    for (const message of messages) ends.push(fingerprint(this.#rules.identity(message), ends.at(-1)));
    return ends;
  }

  #longestKnown(messages: readonly FoldMessage[], ends: readonly string[]): Thread | null {
    for (let count = messages.length; count > 0; count--) {
      const next = messages[count];
      for (const thread of this.#byEnd.get(ends[count] ?? '') ?? []) {
        if (thread.length !== count) continue;
        if (!thread.waiting) return thread;
        if (next && this.#rules.answer(next) === this.#rules.answer(thread.waiting.message)) return thread;
      }
    }
    return null;
  }

  // The waiting answer was never sent back: it is the last message of its transcript.
  #settle(thread: Thread): void {
    const waiting = thread.waiting;
    if (!waiting) return;
    this.#handOver(thread);
    thread.waiting = null;
    thread.handed = null;
    this.#unsettled.delete(thread);
    thread.length++;
    this.#moveEnd(thread, fingerprint(this.#rules.identity(waiting.message), thread.end));
  }

  #handOver(thread: Thread): void {
    if (!thread.waiting || thread.handed !== null) return;
    this.#goTo(thread);
    const { message, meta, origins } = thread.waiting;
    thread.handed = this.#sink.message({ text: message.text, value: message.value, meta, origins });
  }

  #goTo(thread: Thread): void {
    if (this.#current !== thread) this.#sink.begin(thread.key, { format: this.#rules.format });
    this.#current = thread;
  }

  #moveEnd(thread: Thread, end: string): void {
    const others = (this.#byEnd.get(thread.end) ?? []).filter((other) => other !== thread);
    if (others.length > 0) this.#byEnd.set(thread.end, others);
    else this.#byEnd.delete(thread.end);
    thread.end = end;
    this.#byEnd.set(end, [...(this.#byEnd.get(end) ?? []), thread]);
  }
}
