import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta } from '../../../model/message.ts';
import { contentText } from '../../../model/readResult.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { anthropicUsage, defined, Extent, humanText, isoTime, originOf, titleOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import {
  answerBlocks,
  contentMessage,
  describe,
  eventAt,
  eventOf,
  gradeMessage,
  outcomeMessage,
  resultMessage,
  type SessionEvent,
  sdkMethod,
} from './event.ts';

const ID = 'claude-managed-agents';
const MAIN = 'main';
const KNOWN = /^(user|agent|session|span|system)\./;

/** An answer that is still being written. */
interface Answer {
  readonly blocks: string[];
  readonly origins: Origin[];
  readonly id: string | undefined;
  timestamp: string | undefined;
}

/** One conversation: the session's own, or that of a thread the session started. */
interface Thread {
  readonly key: string;
  readonly extent: Extent;
  answer: Answer | null;
  isTitled: boolean;
}

/** Reads events in order; an answer is written when its request ends, or something else is said. */
export class ManagedAgentsReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #threads = new Map<string, Thread>();
  // Key of the thread of a session that has events of its own here.
  readonly #children = new Map<string, string>();
  readonly #seen = new Set<string>();
  // What a user sent and the session has not echoed yet.
  #sent: SessionEvent[] = [];
  #main = MAIN;
  #elements = 0;
  #model: string | undefined;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    if (record.path.length > 0) this.#elements++;
    const method = sdkMethod(record.value);
    const event = eventOf(record);
    if (event) this.#event(event);
    else if (method !== null) this.#call(record, method);
    else if (isSession(record.value)) this.#session(record, record.value, []);
    // What stands around the events of a document says nothing of them.
    else if (record.path.length > 0 || this.#elements === 0) this.#list(record);
  }

  end(): void {
    this.#flushSent();
    for (const thread of this.#threads.values()) this.#flush(thread);
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  // A recorded call of the SDK that is not an event: what it returned, or was given.
  #call(record: SourceRecord, method: string): void {
    const [, args] = Array.isArray(record.value) ? record.value : [];
    if (isSession(args)) {
      this.#session(record, args, [1]);
      return;
    }
    const given: readonly unknown[] = Array.isArray(args) ? args : [args];
    for (const [at, one] of given.entries()) {
      for (const event of eventsIn(record, one, Array.isArray(args) ? [1, at] : [1])) {
        if (method.endsWith('.send')) this.#sent.push(event);
        else this.#event(event);
      }
    }
    this.#note(record, method.replace(/^client\./, ''), `call of ${method}`, record.text);
  }

  // Facts of the session; another session begins another transcript.
  #session(record: SourceRecord, session: Fields, path: readonly number[]): void {
    const id = stringAt(session, 'id') ?? '';
    const isOther = this.#threads.size > 0 && this.#main !== MAIN && this.#main !== `session ${id}`;
    if (isOther) this.#endSession();
    if (this.#threads.size === 0) this.#main = `session ${id}`;
    const thread = this.#enter(this.#main);
    const agent = recordAt(session, 'agent') ?? {};
    const model = ownAt(agent, 'model');
    this.#model = typeof model === 'string' ? model : isRecord(model) ? stringAt(model, 'id') : this.#model;
    thread.extent.model(this.#model);
    thread.extent.time(isoTime(ownAt(session, 'created_at')));
    const slice = (key: string) => sliceAt(record.text, [...path, 'agent', key]) ?? undefined;
    const title = titleOf(stringAt(session, 'title') ?? '');
    if (title !== undefined) thread.isTitled = true;
    const systemJson = ownAt(agent, 'system') ? slice('system') : undefined;
    const toolsJson = arrayAt(agent, 'tools') ? slice('tools') : undefined;
    this.#sink.meta(
      defined({ sessionId: id === '' ? undefined : id, title, systemJson, toolsJson, ...thread.extent.meta() }),
    );
    this.#note(record, 'session', titleOf(`session ${title ?? id}`) ?? 'session', record.text);
  }

  #endSession(): void {
    this.#flushSent();
    for (const thread of this.#threads.values()) this.#flush(thread);
    this.#threads.clear();
    this.#children.clear();
  }

  #event(event: SessionEvent): void {
    const id = stringAt(event.value, 'id');
    if (id !== undefined && this.#seen.has(`${this.#main} ${id}`)) {
      this.#repeated(event);
      return;
    }
    // What waits to be processed comes again when it is.
    if (event.type.startsWith('user.') && ownAt(event.value, 'processed_at') === null) {
      this.#takeEcho(event);
      this.#sent.push(event);
      this.#audit(this.#threadOf(event), event, `queued: ${describe(event)}`);
      return;
    }
    if (id !== undefined) this.#seen.add(`${this.#main} ${id}`);
    if (event.type.startsWith('user.')) this.#takeEcho(event);
    else if (event.type.startsWith('agent.')) this.#flushSent();
    this.#emit(event);
  }

  #repeated(event: SessionEvent): void {
    if (event.text === event.record.text) this.#sink.ignored(event.record, 'repeats an event');
    else this.#audit(this.#threadOf(event), event, `repeated: ${describe(event)}`);
  }

  #emit(event: SessionEvent): void {
    const thread = this.#threadOf(event);
    thread.extent.time(timeOf(event));
    const blocks = answerBlocks(event);
    const result = resultMessage(event);
    const outcome = outcomeMessage(event);
    if (blocks) this.#addBlocks(thread, event, blocks);
    else if (result !== null) this.#message(thread, event, result);
    else if (event.type === 'user.message') this.#userMessage(thread, event, contentMessage(event, 'user'));
    else if (outcome !== null) this.#userMessage(thread, event, outcome);
    else if (event.type === 'system.message') this.#message(thread, event, contentMessage(event, 'system'));
    else if (event.type === 'agent.thread_message_received')
      this.#message(thread, event, contentMessage(event, 'user'), true);
    else this.#other(thread, event);
  }

  #other(thread: Thread, event: SessionEvent): void {
    const { type, value } = event;
    if (type === 'span.model_request_end') this.#flush(thread, event);
    else if (/^session\.(status|thread_status)_(idle|terminated)$/.test(type)) this.#flush(thread);
    else if (type === 'session.thread_created') this.#child(value);
    if (type !== 'agent.thread_context_compacted') {
      this.#audit(thread, event, describe(event));
      const grade = gradeMessage(event);
      if (grade !== null) this.#message(thread, event, grade, true);
      return;
    }
    this.#flush(thread);
    this.#enter(thread.key);
    const preTokens = numberAt(value, 'pre_compaction_tokens');
    const at = this.#sink.length;
    this.#sink.compaction(this.#auditOf(event, 'compaction', 'the context was compacted'), {
      at,
      kind: 'opaque',
      ...defined({ preTokens }),
    });
  }

  // A separate thread; its events carry its id.
  #child(value: Fields): void {
    const id = stringAt(value, 'session_thread_id');
    if (id === undefined || this.#children.has(id)) return;
    const key = `${this.#main} ${id}`;
    this.#children.set(id, key);
    const meta = defined({ agentId: id, parentKey: this.#main, title: stringAt(value, 'agent_name') });
    const thread = this.#enter(key, meta);
    thread.isTitled = stringAt(value, 'agent_name') !== undefined;
  }

  #threadOf({ type, value }: SessionEvent): Thread {
    const own = type.startsWith('session.') ? undefined : stringAt(value, 'session_thread_id');
    return this.#enter((own === undefined ? undefined : this.#children.get(own)) ?? this.#main);
  }

  #enter(key: string, meta: Partial<TranscriptMeta> = {}): Thread {
    const known = this.#threads.get(key);
    if (!known || this.#sink.key !== key) this.#sink.begin(key, { format: ID, ...meta });
    if (known) return known;
    const thread: Thread = { key, extent: new Extent(), answer: null, isTitled: false };
    this.#threads.set(key, thread);
    return thread;
  }

  #addBlocks(thread: Thread, event: SessionEvent, blocks: readonly string[]): void {
    thread.answer ??= { blocks: [], origins: [], id: stringAt(event.value, 'id'), timestamp: timeOf(event) };
    thread.answer.blocks.push(...blocks);
    thread.answer.timestamp ??= timeOf(event);
    const origin = originOf(event.record);
    if (thread.answer.origins.at(-1)?.byteStart !== origin.byteStart) thread.answer.origins.push(origin);
  }

  #flush(thread: Thread, ending?: SessionEvent): void {
    const { answer } = thread;
    if (!answer) return;
    thread.answer = null;
    this.#enter(thread.key);
    const usage = ending ? anthropicUsage(ownAt(ending.value, 'model_usage')) : undefined;
    const { id, timestamp, blocks, origins } = answer;
    // A thread's agent may have its own model, which is not recorded.
    const model = thread.key === this.#main ? this.#model : undefined;
    const meta = defined({ id, timestamp, usage, model });
    const text = `{"role":"assistant","content":[${blocks.join(',')}]}`;
    this.#sink.message({ text, value: JSON.parse(text), meta, origins });
    this.#sink.meta(thread.extent.meta());
  }

  #userMessage(thread: Thread, event: SessionEvent, text: string): void {
    this.#message(thread, event, text);
    const words = ownAt(event.value, 'content') ?? ownAt(event.value, 'description');
    const title = thread.isTitled ? undefined : humanText(words);
    if (title === undefined) return;
    thread.isTitled = true;
    this.#sink.meta({ title });
  }

  #message(thread: Thread, event: SessionEvent, text: string, injected = false): void {
    this.#flush(thread);
    this.#enter(thread.key);
    const given = { timestamp: timeOf(event), id: stringAt(event.value, 'id') };
    const meta: MessageMeta = { ...defined(given), ...(injected ? { injected } : {}) };
    this.#sink.message({ text, value: JSON.parse(text), meta, origins: [originOf(event.record)] });
    this.#sink.meta(thread.extent.meta());
  }

  // The session echoes what was sent to it: then the sent one is not a separate message.
  #takeEcho(event: SessionEvent): void {
    const at = this.#sent.findIndex((sent) => isSame(sent, event));
    if (at >= 0) this.#sent.splice(at, 1);
  }

  // The agent continues without an echo: what was sent counts as it was sent.
  #flushSent(): void {
    const sent = this.#sent;
    this.#sent = [];
    for (const event of sent) {
      const isMessage =
        event.type === 'user.message' || outcomeMessage(event) !== null || resultMessage(event) !== null;
      if (isMessage) this.#emit(event);
    }
  }

  // A page of events on a line; or nothing that is known.
  #list(record: SourceRecord): void {
    const events = eventsIn(record, record.value, []);
    if (events.length > 0) {
      for (const event of events) this.#event(event);
      this.#note(record, 'events.list', 'a page of events', record.text);
      return;
    }
    const type = (isRecord(record.value) ? stringAt(record.value, 'type') : undefined) ?? 'untyped';
    this.#tally.add('import.unknown_record', originOf(record), type);
    this.#note(record, `unknown:${type}`, 'a record that is no event of a session', record.text);
  }

  #audit(thread: Thread, event: SessionEvent, text: string): void {
    this.#enter(thread.key);
    const kind = KNOWN.test(event.type) ? event.type : `unknown:${event.type}`;
    this.#sink.event(this.#auditOf(event, kind, text));
  }

  #auditOf(event: SessionEvent, kind: string, text: string) {
    const { record } = event;
    const facts = { kind, at: this.#sink.length, visibility: 'internal' as const, text: titleOf(text) ?? kind };
    return { ...facts, ...defined({ timestamp: timeOf(event) }), json: event.text, origin: originOf(record) };
  }

  #note(record: SourceRecord, kind: string, text: string, json: string): void {
    this.#enter(this.#main);
    const at = this.#sink.length;
    this.#sink.event({ kind, at, visibility: 'internal', text, json, origin: originOf(record) });
  }
}

/** The events in the list `events` or `data` of a value at `path` of a record. */
function eventsIn(record: SourceRecord, value: unknown, path: readonly (string | number)[]): readonly SessionEvent[] {
  if (!isRecord(value)) return [];
  const key = arrayAt(value, 'events') ? 'events' : 'data';
  return (arrayAt(value, key) ?? []).flatMap((event, i) => eventAt(record, event, [...path, key, i]) ?? []);
}

function isSession(value: unknown): value is Fields {
  return isRecord(value) && stringAt(value, 'type') === 'session' && recordAt(value, 'agent') !== undefined;
}

function timeOf({ record, value }: SessionEvent): string | undefined {
  const outer = isRecord(record.value) ? ownAt(record.value, 'time') : undefined;
  return isoTime(ownAt(value, 'processed_at')) ?? isoTime(outer);
}

const SENT_KEYS = ['content', 'result', 'tool_use_id', 'custom_tool_use_id', 'description', 'rubric'];

function isSame(sent: SessionEvent, echo: SessionEvent): boolean {
  const id = stringAt(sent.value, 'id');
  if (sent.type !== echo.type) return false;
  if (id !== undefined && id === stringAt(echo.value, 'id')) return true;
  return SENT_KEYS.every((key) => sameContent(ownAt(sent.value, key), ownAt(echo.value, key)));
}

// The session gives the keys of blocks in another order than they were sent in.
function sameContent(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => sameContent(one, b[i]));
  if (isRecord(a) && isRecord(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((key) => contentText(ownAt(a, key)) === contentText(ownAt(b, key)));
  }
  return contentText(a) === contentText(b);
}
