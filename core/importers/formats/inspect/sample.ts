// A sample as a transcript: its messages, with its events between them, and the conversations of the agents it called.

import type { SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta } from '../../../model/message.ts';
import type { RecordedCompaction, TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, stringAt } from '../../../util/unknown.ts';
import { type FoldMessage, RequestFolder } from '../../reading/requestFolder.ts';
import { defined, Extent, humanText, isoTime, originOf, titleOf } from '../../reading/shared.ts';
import { sliceAt, spanAt } from '../../reading/slices.ts';
import type { Tally } from '../../reading/tally.ts';
import type { TrackingSink } from '../../reading/trackingSink.ts';
import { Attachments } from './attachments.ts';
import { type Answer, answerOf, identityOf, messageOf, named, type Placed, placedAt } from './message.ts';
import { type Agent, describeEvent, Spans } from './spans.ts';

const ID = 'inspect';
// Facts of a sample that are separate events, at its end.
const FACTS = ['target', 'metadata', 'scores', 'error', 'limit', 'error_retries'] as const;
const UNRESOLVED = /^(attachment|tc):\/\//;
const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  ...['anchor', 'approval', 'branch', 'checkpoint', 'compaction', 'error', 'info', 'input', 'interrupt', 'logger'],
  ...['model', 'review', 'sample_init', 'sample_limit', 'sandbox', 'score', 'score_edit', 'span_begin', 'span_end'],
  ...['state', 'step', 'store', 'subtask', 'tool'],
]);

/** Where a sample is read from and written to. */
export interface SampleContext {
  readonly sink: TrackingSink;
  readonly tally: Tally;
  readonly record: SourceRecord;
  readonly key: string;
  /** Facts of the run, as far as they are known. */
  readonly run: Partial<TranscriptMeta>;
}

interface SampleEvent extends Placed {
  /** The agent its events are in, where they are held inside a tool call or subtask. */
  readonly inside: Agent | undefined;
  at: number;
  /** Of a compaction of the sample's own conversation: the call that came next. */
  nextCall?: Placed;
}

interface Call {
  readonly place: Placed;
  readonly answer: Answer | undefined;
}

/** Calls of a model in one agent's conversation. */
interface Conversation {
  readonly calls: Call[];
  readonly inside: Agent | undefined;
  /** Answers that are messages of the sample: then the conversation is the sample's own. */
  matched: number;
}

/** Reads one sample. Write it once; `keys` are then the transcripts it gave. */
export class Sample {
  readonly #context: SampleContext;
  readonly #value: Fields;
  readonly #text: string;
  readonly #attachments: Attachments;
  readonly #pool: readonly Placed[];
  readonly #messages: readonly FoldMessage[];
  readonly #metas: MessageMeta[];
  readonly #spans = new Spans();
  readonly #extent = new Extent();
  readonly #conversations = new Map<string, Conversation>();
  readonly #keys: string[] = [];
  #toolsJson: string | undefined;

  constructor(context: SampleContext, value: Fields, place: Placed) {
    const from = place.span.start;
    this.#context = context;
    this.#value = value;
    // A sample inside of a larger text is read as if it stood alone.
    this.#text = context.record.text.slice(from, place.span.end);
    this.#attachments = new Attachments(this.#text, value);
    const pool = placedAt(this.#text, value, ['message_pool']);
    this.#pool = pool.length > 0 ? pool : placedAt(this.#text, value, ['events_data', 'messages']);
    const messages = placedAt(this.#text, value, ['messages']);
    this.#messages = messages.map((message) => messageOf(this.#text, message, this.#attachments));
    this.#metas = messages.map((message) => defined({ id: named(message.value, 'id') }));
  }

  /** Keys of the transcripts written. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  /** True if a model is known to have been called. */
  get hasModels(): boolean {
    return this.#extent.meta().models !== undefined;
  }

  write(): void {
    const { sink, key, run, tally, record } = this.#context;
    const events = this.#events();
    this.#place(events);
    this.#answerWithoutEvents(events);
    sink.begin(key, { format: ID, ...run, ...this.#meta() });
    this.#keys.push(key);
    for (const event of events) {
      this.#messagesUpTo(event.at);
      this.#event(event);
    }
    this.#messagesUpTo(this.#messages.length);
    this.#facts();
    for (const [id, conversation] of this.#conversations) this.#subagent(id, conversation);
    for (let i = 0; i < this.#attachments.missing; i++) tally.add('import.missing_attachment', originOf(record));
  }

  // Events held inside of tool calls and subtasks follow them.
  #events(): readonly SampleEvent[] {
    const own = placedAt(this.#text, this.#value, ['events']);
    const top = own.length > 0 ? own : placedAt(this.#text, this.#value, ['transcript', 'events']);
    const flat: SampleEvent[] = [];
    const add = (places: readonly Placed[], inside: Agent | undefined) => {
      for (const place of places) {
        flat.push({ ...place, inside, at: 0 });
        const { value, span } = place;
        if ((arrayAt(value, 'events') ?? []).length === 0) continue;
        const kind = stringAt(value, 'event') ?? '';
        const callId = kind === 'tool' ? named(value, 'id') : inside?.callId;
        const name = named(value, 'agent') ?? named(value, 'name') ?? named(value, 'function');
        add(placedAt(this.#text, value, ['events'], span.start), { id: `${kind} ${flat.length}`, name, callId });
      }
    };
    add(top, undefined);
    return flat;
  }

  // Finds before which message each event stands, and what events know of messages.
  #place(events: readonly SampleEvent[]): void {
    const index = new MessageIndex(this.#messages);
    // Compactions by the agent whose next call shows what they kept.
    const compactions = new Map<string | undefined, SampleEvent>();
    let at = 0;
    for (const event of events) {
      this.#spans.see(event.value);
      const kind = stringAt(event.value, 'event');
      const found =
        kind === 'model' ? this.#modelCall(event, index) : kind === 'tool' ? this.#toolCall(event, index) : null;
      if (found !== null) at = Math.max(at, found);
      event.at = at;
      const agent = this.#agentOf(event);
      const compaction = kind === 'model' ? compactions.get(agent) : undefined;
      if (kind === 'compaction') compactions.set(agent, event);
      else if (compaction) compactions.delete(agent);
      if (compaction && found !== null) {
        compaction.nextCall = event;
        compaction.at = at;
      }
      if (found !== null) at = Math.max(at, found + 1);
    }
  }

  #modelCall(event: SampleEvent, index: MessageIndex): number | null {
    const answer = answerOf(this.#text, event, this.#attachments);
    const found = answer ? index.answer(answer) : null;
    this.#extent.model(answer?.meta.model ?? named(event.value, 'model'));
    if (answer && found !== null) {
      this.#metas[found] = { ...this.#metas[found], ...answer.meta };
      const tools = (arrayAt(event.value, 'tools') ?? []).length > 0 ? this.#slice(event, ['tools']) : null;
      if (tools !== null) this.#toolsJson = this.#attachments.resolve(tools);
    }
    const agent = this.#agentOf(event);
    if (agent === undefined) return found;
    const known = this.#conversations.get(agent) ?? { calls: [], inside: event.inside, matched: 0 };
    known.calls.push({ place: event, answer });
    if (found !== null) known.matched++;
    this.#conversations.set(agent, known);
    return found;
  }

  #agentOf({ inside, value }: SampleEvent): string | undefined {
    return inside?.id ?? this.#spans.agentAround(named(value, 'span_id'));
  }

  #toolCall({ value }: SampleEvent, index: MessageIndex): number | null {
    const found = index.result(named(value, 'message_id'), named(value, 'id'));
    const timestamp = isoTime(ownAt(value, 'completed')) ?? isoTime(ownAt(value, 'timestamp'));
    if (found !== null) this.#metas[found] = { ...this.#metas[found], ...defined({ timestamp }) };
    return found;
  }

  // Of the shortest logs only the last output is known.
  #answerWithoutEvents(events: readonly SampleEvent[]): void {
    const last = this.#messages.length - 1;
    const message = this.#messages[last];
    if (!message || events.some(({ value }) => stringAt(value, 'event') === 'model')) return;
    const whole = { value: this.#value, span: { start: 0, end: this.#text.length } };
    const answer = answerOf(this.#text, whole, this.#attachments);
    if (!answer || identityOf(answer.message) !== identityOf(message)) return;
    this.#extent.model(answer.meta.model);
    this.#metas[last] = { ...this.#metas[last], ...answer.meta };
  }

  #meta(): Partial<TranscriptMeta> {
    const value = this.#value;
    const input = ownAt(value, 'input');
    const asked = this.#messages.find(({ value: one }) => isRecord(one) && stringAt(one, 'role') === 'user');
    const content = asked && isRecord(asked.value) ? ownAt(asked.value, 'content') : undefined;
    return defined({
      sessionId: named(value, 'uuid'),
      title: [content, input].map(humanText).find((title) => title !== undefined && !UNRESOLVED.test(title)),
      toolsJson: this.#toolsJson,
      ...this.#extent.meta(),
      startedAt: isoTime(ownAt(value, 'started_at')),
      endedAt: isoTime(ownAt(value, 'completed_at')),
    });
  }

  #messagesUpTo(at: number): void {
    const { sink, record } = this.#context;
    for (let i = sink.length; i < at; i++) {
      const message = this.#messages[i];
      if (message) sink.message({ ...message, meta: this.#metas[i] ?? {}, origins: [originOf(record)] });
    }
  }

  #event(event: SampleEvent): void {
    const { sink, tally, record } = this.#context;
    const name = stringAt(event.value, 'event') ?? 'untyped';
    const isKnown = KNOWN_EVENTS.has(name);
    if (!isKnown) tally.add('import.unknown_record', originOf(record), name);
    const at = sink.length;
    const imported = {
      kind: isKnown ? name : `unknown:${name}`,
      at,
      visibility: 'internal' as const,
      text: titleOf(describeEvent(event.value)) ?? name,
      ...defined({ timestamp: isoTime(ownAt(event.value, 'timestamp')) }),
      json: this.#text.slice(event.span.start, event.span.end),
      origin: originOf(record),
    };
    if (event.nextCall) sink.compaction(imported, this.#compaction(event, event.nextCall, at));
    else sink.event(imported);
  }

  // What the model was sent next is what the compaction kept.
  #compaction({ value }: SampleEvent, nextCall: Placed, at: number): RecordedCompaction {
    const input = this.#input(nextCall).map(({ text }) => text);
    const kept = input.length > 0 ? { kind: 'replacement' as const, replacement: input } : { kind: 'opaque' as const };
    const preTokens = numberAt(value, 'tokens_before');
    const postTokens = numberAt(value, 'tokens_after');
    return { at, ...kept, ...defined({ preTokens, postTokens }) };
  }

  #facts(): void {
    const { sink, record } = this.#context;
    let said = 0;
    const event = (kind: string, text: string, json: string) => {
      said++;
      const at = sink.length;
      sink.event({ kind, at, visibility: 'internal', text, json, origin: originOf(record) });
    };
    for (const name of FACTS) {
      const value = ownAt(this.#value, name);
      if (value === undefined || isEmpty(value)) continue;
      event(
        name,
        titleOf(`${name.replaceAll('_', ' ')} ${factText(value)}`) ?? name,
        sliceAt(this.#text, [name]) ?? '',
      );
    }
    if (said + sink.length === 0) event('sample', 'a sample without messages', this.#text);
  }

  // An agent of its own is one that a tool call started, or none of whose answers is a message of the sample.
  #subagent(id: string, { calls, inside, matched }: Conversation): void {
    const { sink, record, key, run } = this.#context;
    const agent = inside ?? this.#spans.agent(id);
    if (agent.callId === undefined && matched > 0) return;
    const keyOf = (index: number) => `${key} ${agent.id}${index === 0 ? '' : ` ${index + 1}`}`;
    const outer = inside ? undefined : this.#spans.parentOf(id);
    const parentKey = outer !== undefined && this.#keys.includes(`${key} ${outer}`) ? `${key} ${outer}` : key;
    const names = { title: agent.name, agentId: agent.id, parentKey, parentCallId: agent.callId };
    const meta = { format: ID, ...run, ...defined(names) };
    const folder = new RequestFolder(sink, { format: ID, identity: identityOf, answer: identityOf }, keyOf);
    for (const { place, answer } of calls) {
      const input = this.#input(place);
      if (input.length > 0 && answer) {
        folder.request(input, meta, record, ({ value }) => idOf(value));
        folder.response(answer.message, answer.meta, meta, [originOf(record)]);
      }
    }
    folder.end();
    if (folder.begun > 0 && agent.callId !== undefined) {
      sink.begin(parentKey, { format: ID });
      sink.spawn({ callId: agent.callId, agentId: agent.id });
    }
    for (let i = 0; i < folder.begun; i++) this.#keys.push(keyOf(i));
  }

  #input({ value, span }: Placed): readonly FoldMessage[] {
    const own = placedAt(this.#text, value, ['input'], span.start);
    const places = own.length > 0 ? own : this.#referred(arrayAt(value, 'input_refs') ?? []);
    return places.map((place) => messageOf(this.#text, place, this.#attachments));
  }

  // Ranges [start, end) of the sample's pool of messages.
  #referred(refs: readonly unknown[]): readonly Placed[] {
    return refs.flatMap((ref) => {
      const [start, end] = Array.isArray(ref) ? ref : [];
      return typeof start === 'number' && typeof end === 'number' ? this.#pool.slice(start, end) : [];
    });
  }

  #slice({ span }: Placed, path: readonly string[]): string | null {
    const place = spanAt(this.#text, path, span.start);
    return place && this.#text.slice(place.start, place.end);
  }
}

/** Finds messages of a sample by what events say of them; each is found once. */
class MessageIndex {
  readonly #ids = new Map<string, number>();
  readonly #answers = new Map<string, number[]>();
  readonly #results = new Map<string, number[]>();

  constructor(messages: readonly FoldMessage[]) {
    for (const [i, message] of messages.entries()) {
      const fields = isRecord(message.value) ? message.value : {};
      const id = named(fields, 'id');
      const role = stringAt(fields, 'role');
      const call = named(fields, 'tool_call_id');
      if (id !== undefined) this.#ids.set(id, i);
      else if (role === 'assistant') push(this.#answers, identityOf(message), i);
      if (role === 'tool' && call !== undefined) push(this.#results, call, i);
    }
  }

  answer({ id, message }: Answer): number | null {
    const byId = id === undefined ? undefined : this.#ids.get(id);
    return byId ?? this.#answers.get(identityOf(message))?.shift() ?? null;
  }

  result(id: string | undefined, callId: string | undefined): number | null {
    const byId = id === undefined ? undefined : this.#ids.get(id);
    return byId ?? (callId === undefined ? undefined : this.#results.get(callId)?.shift()) ?? null;
  }
}

function push(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function idOf(message: unknown): MessageMeta {
  return isRecord(message) ? defined({ id: named(message, 'id') }) : {};
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

/** What a fact of a sample says, in a few words: `includes: C`, an error's message, a target. */
function factText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map((one) => (isRecord(one) ? factText(one) : shortText(one))).join(', ');
  if (!isRecord(value)) return '';
  const message = named(value, 'message') ?? named(value, 'type');
  if (message !== undefined) return message;
  return Object.entries(value)
    .map(([name, score]) => `${name}: ${shortText(isRecord(score) ? ownAt(score, 'value') : score)}`)
    .join(', ');
}

function shortText(value: unknown): string {
  return typeof value === 'object' && value !== null ? '…' : String(value);
}
