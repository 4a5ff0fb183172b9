// Rebuilds a conversation from an agent's event log. The log streams chunks and calls; messages are put together from
// the records' own values: chunks of one kind in a row are one block, a call is a tool_use block, and what a finished
// call gave is a tool_result message. Every line is kept as an event as well.

import type { ImportedMessage, Origin } from '../../../model/transcript.ts';
import { isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import { sliceAt } from '../../slices.ts';
import type { SourceRecord } from '../../types.ts';
import { isoTime, originOf, titleOf } from '../shared.ts';
import type { TrackingSink } from '../trackingSink.ts';

type Fields = Readonly<Record<string, unknown>>;
type ChunkType = 'text' | 'thinking';

interface Turn {
  readonly role: 'assistant' | 'user';
  readonly blocks: string[];
  readonly origins: Origin[];
  readonly timestamp: string | undefined;
  openChunk: { readonly type: ChunkType; inner: string } | null;
  /** Source index, if it was handed over as it stands. */
  index: number | null;
}

const CHUNKS: Readonly<Record<string, readonly [Turn['role'], ChunkType]>> = {
  agent_message_chunk: ['assistant', 'text'],
  agent_thought_chunk: ['assistant', 'thinking'],
  user_message_chunk: ['user', 'text'],
};
const FINISHED = new Set(['completed', 'failed', 'rejected', 'error', 'cancelled', 'denied']);

/** One session's log. Feed records in order, then flush(). */
export class AgentLog {
  readonly #sink: TrackingSink;
  readonly #enter: () => void;
  #turn: Turn | null = null;
  #length = 0;

  constructor(sink: TrackingSink, enter: () => void) {
    this.#sink = sink;
    this.#enter = enter;
  }

  record(record: SourceRecord, fields: Fields): void {
    this.#enter();
    const type = stringAt(fields, 'type') ?? 'untyped';
    const chunk = CHUNKS[type];
    if (chunk) this.#chunk(record, fields, chunk[0], chunk[1]);
    else if (type === 'tool_call') this.#call(record, fields);
    else if (type === 'tool_call_update') this.#update(record, fields);
    else if (type === 'turn_start' || type === 'turn_end') this.flush();
    const timestamp = timeOf(fields);
    const text = titleOf(stringAt(fields, 'tool_name') ?? stringAt(fields, 'content') ?? type) ?? type;
    const event = {
      kind: type,
      at: this.#length,
      visibility: 'internal' as const,
      text,
      json: record.text,
      origin: originOf(record),
    };
    this.#sink.event(timestamp === undefined ? event : { ...event, timestamp });
  }

  /** Hands over the message being put together as it stands; what is added to it amends it. */
  settle(): void {
    const turn = this.#turn;
    if (turn) this.#handOver(turn, [...turn.blocks, ...(turn.openChunk ? [blockOf(turn.openChunk)] : [])]);
  }

  /** Hands over the message being put together. */
  flush(): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#turn = null;
    closeChunk(turn);
    this.#handOver(turn, turn.blocks);
    if (turn.index !== null) this.#length = turn.index + 1;
  }

  #handOver(turn: Turn, blocks: readonly string[]): void {
    if (blocks.length === 0) return;
    this.#enter();
    const text = `{"role":"${turn.role}","content":[${blocks.join(',')}]}`;
    const message = messageOf(text, [...turn.origins], turn.timestamp);
    if (turn.index === null) turn.index = this.#sink.message(message);
    else this.#sink.amend(turn.index, message);
  }

  #open(role: Turn['role'], record: SourceRecord, fields: Fields): Turn {
    if (this.#turn && this.#turn.role !== role) this.flush();
    this.#turn ??= { role, blocks: [], origins: [], timestamp: timeOf(fields), openChunk: null, index: null };
    this.#turn.origins.push(originOf(record));
    return this.#turn;
  }

  #chunk(record: SourceRecord, fields: Fields, role: Turn['role'], type: ChunkType): void {
    const path = typeof ownAt(fields, 'content') === 'string' ? ['content'] : ['content', 'text'];
    const literal = sliceAt(record.text, path);
    if (!literal?.startsWith('"')) return;
    const turn = this.#open(role, record, fields);
    if (turn.openChunk?.type !== type) {
      closeChunk(turn);
      turn.openChunk = { type, inner: '' };
    }
    turn.openChunk.inner += literal.slice(1, -1);
  }

  #call(record: SourceRecord, fields: Fields): void {
    const turn = this.#open('assistant', record, fields);
    closeChunk(turn);
    const id = sliceAt(record.text, ['tool_call_id']) ?? 'null';
    const name = sliceAt(record.text, ['tool_name']) ?? sliceAt(record.text, ['title']) ?? 'null';
    const input = ownAt(fields, 'raw_input') === undefined ? '{}' : (sliceAt(record.text, ['raw_input']) ?? '{}');
    turn.blocks.push(`{"type":"tool_use","id":${id},"name":${name},"input":${input}}`);
  }

  // Updates on the way (pending, in_progress) are events only; the last one is the result.
  #update(record: SourceRecord, fields: Fields): void {
    const status = stringAt(fields, 'status') ?? '';
    if (!FINISHED.has(status)) return;
    this.flush();
    const error = ownAt(fields, 'error');
    const failed = status !== 'completed' || (error !== undefined && error !== null);
    const source = error !== undefined && error !== null ? 'error' : 'raw_output';
    const id = sliceAt(record.text, ['tool_call_id']) ?? 'null';
    const name = sliceAt(record.text, ['tool_name']);
    const members = [
      '"role":"tool_result"',
      `"tool_use_id":${id}`,
      ...(name === null ? [] : [`"name":${name}`]),
      `"content":${sliceAt(record.text, [source]) ?? '""'}`,
      ...(failed ? ['"is_error":true'] : []),
    ];
    this.#length = this.#sink.message(messageOf(`{${members.join(',')}}`, [originOf(record)], timeOf(fields))) + 1;
  }
}

function closeChunk(turn: Turn): void {
  const chunk = turn.openChunk;
  if (!chunk) return;
  turn.openChunk = null;
  turn.blocks.push(blockOf(chunk));
}

function blockOf({ type, inner }: { readonly type: ChunkType; readonly inner: string }): string {
  return `{"type":"${type}","${type}":"${inner}"}`;
}

function messageOf(text: string, origins: readonly Origin[], timestamp: string | undefined): ImportedMessage {
  const value: unknown = JSON.parse(text);
  return { text, value, meta: timestamp === undefined ? {} : { timestamp }, origins };
}

function timeOf(fields: Fields): string | undefined {
  return isRecord(fields) ? isoTime(ownAt(fields, 'emitted_at_ms')) : undefined;
}
