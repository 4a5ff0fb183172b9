// Every call of a trace repeats the history before it. The folder gives each message once: a call whose request begins
// with all that a known conversation holds continues it, any other begins a separate one, so that each agent of a trace
// comes out as a transcript with all its call points.

import type { ImportSink } from '../../../model/importSink.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { fingerprint } from '../../fingerprint.ts';
import { defined } from '../../reading/shared.ts';
import type { Tally } from '../../reading/tally.ts';
import { answerOf, identityOf } from './identity.ts';
import type { ModelCall, TraceItem } from './item.ts';
import type { Json } from './json.ts';
import { answerCalling, type LateAnswer, lateAnswersIn } from './lateAnswers.ts';
import { Thread } from './thread.ts';
import { type Answered, resultMessage, unansweredCall } from './toolRun.ts';
import { Family, wrappersIn } from './wrappers.ts';

/** A tool's run, and the call of a thread it answers; held until it is known whether a request repeats its result. */
interface Running {
  readonly item: TraceItem;
  readonly answered: Answered | null;
}

/** Folds the items of a file, once. */
export class TraceFolder {
  readonly #format: string;
  readonly #tally: Tally;
  readonly #threads: Thread[] = [];
  readonly #byEnd = new Map<string, Thread[]>();
  // The thread of a span: of a call itself, and of the span it is in.
  readonly #byNode = new Map<string, Thread>();
  readonly #byTrace = new Map<string, Thread>();
  readonly #running = new Map<Thread, Running[]>();
  readonly #owners = new Map<TraceItem, { readonly thread: Thread; readonly callId: string }>();
  // Of traces in which no call was made so far.
  readonly #early = new Map<string, TraceItem[]>();
  #family = new Family([]);

  constructor(format: string, tally: Tally) {
    this.#format = format;
    this.#tally = tally;
  }

  /** The transcripts of the items, in the order in which they began. */
  fold(unsorted: readonly TraceItem[]): readonly Thread[] {
    const items = unsorted.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
    this.#family = new Family(items);
    const { wrappers, twins } = wrappersIn(items, this.#family);
    const late = lateAnswersIn(items, wrappers, this.#family);
    for (const item of items) {
      if (item.call && !wrappers.has(item)) this.#call(item, completed(item.call, twins.get(item)?.call));
      else if (item.tool) this.#tool(item);
      else this.#step(item, item.call ? `${item.line}: a record around that of the call itself` : item.line);
      for (const answer of late.get(item) ?? []) this.#late(answer);
    }
    for (const thread of this.#threads) this.#addRuns(thread);
    this.#placeEarly();
    return this.#threads;
  }

  #call(item: TraceItem, call: ModelCall): void {
    const thread = this.#threadOf(item, call.messages);
    thread.know(call.about);
    thread.see(item);
    this.#register(item, thread);
    if (call.messages) this.#noteRuns(thread);
    else this.#addRuns(thread);
    const before = thread.length;
    const end = thread.end;
    if (call.messages) {
      const reworded = thread.ask(call.messages, item);
      for (let i = 0; i < reworded; i++) this.#tally.add('import.answer_reworded', item.origin);
    } else thread.settle();
    this.#moveEnd(thread, end);
    if (item.error !== undefined) thread.note(item, 'error', item.error);
    for (const [at, answer] of call.answers.entries()) {
      const isLast = at === call.answers.length - 1;
      const { usage: _, stopReason: __, cacheDiagnosis: ___, ...shared } = call.meta;
      thread.add(answer, isLast ? call.meta : shared, item);
    }
    if (call.choices > 1) {
      this.#tally.add('import.other_choices', item.origin);
      thread.note(item, 'choices', `${call.choices} choices, the first taken`);
    }
    if (thread.length === before && item.error === undefined) thread.note(item);
  }

  // The call's own record has no answer: the one around it has.
  #late({ around, call, answers, meta }: LateAnswer): void {
    const thread = this.#byNode.get(`${call.trace} ${call.id}`);
    if (!thread || repeats(thread.lastAnswers(), answers)) return;
    this.#addRuns(thread, around);
    for (const [at, answer] of answers.entries()) {
      const { usage: _, stopReason: __, cacheDiagnosis: ___, ...shared } = meta;
      thread.add(answer, at === answers.length - 1 ? meta : shared, around);
    }
  }

  #threadOf(item: TraceItem, messages: readonly Json[] | null): Thread {
    const known = messages ? this.#longestKnown(messages) : this.#byNode.get(`${item.trace} ${item.parent}`);
    if (known) return known;
    const key = String(this.#threads.length);
    const session = defined({ sessionId: item.sessionId });
    const thread = new Thread(key, { format: this.#format, ...session, ...this.#parentOf(item) });
    this.#threads.push(thread);
    return thread;
  }

  // A call inside the run of a tool belongs to an agent that this tool is.
  #parentOf(item: TraceItem): Partial<TranscriptMeta> {
    for (const around of this.#family.ancestors(item)) {
      const owner = this.#owners.get(around);
      if (owner) return { parentKey: owner.thread.key, parentCallId: owner.callId };
    }
    return {};
  }

  #longestKnown(messages: readonly Json[]): Thread | undefined {
    const ends = [''];
    for (const message of messages) ends.push(fingerprint(identityOf(message), ends.at(-1)));
    for (let count = messages.length; count > 0; count--) {
      const threads = (this.#byEnd.get(ends[count] ?? '') ?? []).filter((thread) => thread.settled === count);
      const fits = threads.map((thread) => thread.fits(messages));
      const found = threads[fits.indexOf('exact')] ?? threads[fits.indexOf('reworded')];
      if (found) return found;
    }
    return undefined;
  }

  #moveEnd(thread: Thread, before: string): void {
    const others = (this.#byEnd.get(before) ?? []).filter((other) => other !== thread);
    if (others.length > 0) this.#byEnd.set(before, others);
    else this.#byEnd.delete(before);
    this.#byEnd.set(thread.end, [...(this.#byEnd.get(thread.end) ?? []), thread]);
  }

  #register(item: TraceItem, thread: Thread): void {
    for (const node of [item.id, item.parent]) if (node !== null) this.#byNode.set(`${item.trace} ${node}`, thread);
    this.#byTrace.set(item.trace, thread);
    const early = this.#early.get(item.trace) ?? [];
    this.#early.delete(item.trace);
    for (const one of early) {
      thread.note(one);
      thread.see(one);
    }
  }

  #near(item: TraceItem): Thread | undefined {
    for (const { id } of this.#family.ancestors(item)) {
      const thread = this.#byNode.get(`${item.trace} ${id}`);
      if (thread) return thread;
    }
    return this.#byTrace.get(item.trace);
  }

  #tool(item: TraceItem): void {
    const thread = this.#near(item);
    if (!thread || !item.tool) {
      this.#step(item, item.line);
      return;
    }
    const runs = this.#running.get(thread) ?? [];
    const taken = new Set(runs.flatMap(({ answered }) => (answered ? [answered.at] : [])));
    const answered = unansweredCall(thread.lastAnswers(), item.tool, taken);
    if (answered?.callId != null) this.#owners.set(item, { thread, callId: answered.callId });
    this.#running.set(thread, [...runs, { item, answered }]);
    thread.see(item);
  }

  // The request to come holds the results itself.
  #noteRuns(thread: Thread): void {
    for (const { item } of this.#running.get(thread) ?? []) thread.note(item);
    this.#running.delete(thread);
  }

  // No request says what came of the calls: the tools themselves do, and where no answer is recorded, what was called.
  #addRuns(thread: Thread, within?: TraceItem): void {
    for (const { item, answered } of this.#withCalls(thread, within)) {
      const message = answered && resultMessage(item, answered);
      if (message) thread.add(message, defined({ timestamp: item.timestamp }), item);
      else thread.note(item);
    }
    this.#running.delete(thread);
  }

  #withCalls(thread: Thread, within: TraceItem | undefined): readonly Running[] {
    const runs = this.#running.get(thread) ?? [];
    const hasAnswer = thread.length > thread.settled;
    const unsaid = runs.filter(({ item, answered }) => {
      if (answered !== null || item.tool?.name == null) return false;
      const isInside = within !== undefined && this.#family.ancestors(item).includes(within);
      return isInside || (!hasAnswer && item.tool.callId !== null);
    });
    const [first] = unsaid;
    const calling = answerCalling(unsaid.map(({ item }) => item));
    if (!first || !calling) return runs;
    thread.add(calling, defined({ timestamp: first.item.timestamp }), first.item);
    return runs.map((run) => {
      const at = unsaid.indexOf(run);
      const { callId = null, name = null } = run.item.tool ?? {};
      return at < 0 ? run : { ...run, answered: { at, callId, name } };
    });
  }

  #step(item: TraceItem, line: string): void {
    const thread = this.#near(item);
    if (thread) {
      thread.note(item, item.error === undefined ? item.kind : 'error', item.error ?? line);
      thread.see(item);
      return;
    }
    const early = this.#early.get(item.trace);
    if (early) early.push(item);
    else this.#early.set(item.trace, [item]);
  }

  // Traces without a call: their spans are events, of the first transcript there is.
  #placeEarly(): void {
    const items = [...this.#early.values()].flat();
    if (items.length === 0) return;
    const [first] = items;
    const thread =
      this.#threads[0] ?? new Thread('0', { format: this.#format, ...defined({ sessionId: first?.sessionId }) });
    if (this.#threads.length === 0) this.#threads.push(thread);
    for (const item of items) {
      thread.note(item);
      thread.see(item);
    }
  }
}

function repeats(said: readonly Json[], answers: readonly Json[]): boolean {
  const known = new Set(said.map(answerOf));
  return said.length > 0 && answers.every((answer) => known.has(answerOf(answer)));
}

// Another record of the same call may know what the call's own does not.
function completed(call: ModelCall, around: ModelCall | undefined): ModelCall {
  if (!around) return call;
  return { ...call, meta: { ...around.meta, ...call.meta }, about: { ...around.about, ...call.about } };
}

/** Hands threads to a sink, each with its messages and events in order. */
export function emitThreads(threads: readonly Thread[], sink: ImportSink, more: Partial<TranscriptMeta> = {}): void {
  for (const thread of threads) {
    sink.begin(thread.key, { ...more, ...thread.meta });
    const { events } = thread;
    let emitted = 0;
    for (const [at, message] of thread.messages.entries()) {
      for (let event = events[emitted]; event && event.at <= at; event = events[++emitted]) sink.event(event);
      sink.message(message);
    }
    for (const event of events.slice(emitted)) sink.event(event);
  }
}
