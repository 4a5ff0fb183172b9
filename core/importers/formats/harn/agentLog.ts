// Rebuilds a conversation from an agent's event log. The log streams chunks and calls; messages are put together from
// the records' own values: chunks of one kind in a row are one block, a call is a tool_use block, and what a finished
// call gave is a tool_result message. Every line is kept as an event as well.

import type { SourceRecord } from '../../../model/importSink.ts';
import { compactionOf, PROJECTION_EVENT } from '../../../model/lineage.ts';
import type { ImportedMessage, Origin } from '../../../model/transcript.ts';
import { entryOf, type Fields, isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime, originOf, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import type { TrackingSink } from '../../reading/trackingSink.ts';

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
/** What the log calls the events of a transcript's lifecycle. */
const LIFECYCLE: Readonly<Record<string, string>> = {
  transcript_projected: PROJECTION_EVENT,
  transcript_compacted: 'compaction',
};
const FINISHED = new Set(['completed', 'failed', 'rejected', 'error', 'cancelled', 'denied']);

/** Where a log's entry holds what messages are made of: paths below `base`; of several the first that is there. */
interface LogKeys {
  readonly callId: string;
  readonly names: readonly string[];
  readonly input: string;
  readonly output: string;
}

const HARN_KEYS: LogKeys = {
  callId: 'tool_call_id',
  names: ['tool_name', 'title'],
  input: 'raw_input',
  output: 'raw_output',
};
/** Names of the Agent Client Protocol, https://agentclientprotocol.com/protocol/schema. */
const ACP_KEYS: LogKeys = { callId: 'toolCallId', names: ['title', 'kind'], input: 'rawInput', output: 'rawOutput' };

/** One entry of a log: an update in its record. */
export interface LogEntry {
  readonly type: string;
  /** The update's own fields. */
  readonly fields: Fields;
  /** Where the update is in the record. */
  readonly base: readonly string[];
  readonly keys: LogKeys;
  readonly timestamp: string | undefined;
}

/** An event line of the runtime's own log. */
export function harnEntry(fields: Fields): LogEntry {
  return { type: stringAt(fields, 'type') ?? 'untyped', fields, base: [], keys: HARN_KEYS, timestamp: timeOf(fields) };
}

/** A session update of ACP. */
export function acpEntry(fields: Fields, base: readonly string[], timestamp: string | undefined): LogEntry {
  return { type: stringAt(fields, 'sessionUpdate') ?? 'untyped', fields, base, keys: ACP_KEYS, timestamp };
}

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

  record(record: SourceRecord, entry: LogEntry): void {
    this.#enter();
    const { type, fields, timestamp } = entry;
    const chunk = entryOf(CHUNKS, type);
    if (chunk) this.#chunk(record, entry, chunk[0], chunk[1]);
    else if (type === 'tool_call') this.#call(record, entry);
    else if (type === 'tool_call_update') this.#update(record, entry);
    else if (type === 'turn_start' || type === 'turn_end' || entryOf(LIFECYCLE, type) !== undefined) this.flush();
    const text = titleOf(stringAt(fields, 'tool_name') ?? stringAt(fields, 'content') ?? type) ?? type;
    this.event(record, entryOf(LIFECYCLE, type) ?? type, text, timestamp);
  }

  /** An event that stands after what was said so far. */
  event(record: SourceRecord, kind: string, text: string, timestamp: string | undefined): void {
    this.#enter();
    const event = {
      kind,
      at: this.#length,
      visibility: 'internal' as const,
      text,
      json: record.text,
      origin: originOf(record),
      ...defined({ timestamp }),
    };
    if (kind === 'compaction') this.#sink.compaction(event, compactionOf(record.text, this.#length));
    else this.#sink.event(event);
  }

  /** A message that is in the record as a list of blocks. */
  said(record: SourceRecord, role: Turn['role'], path: readonly string[], timestamp: string | undefined): void {
    const content = sliceAt(record.text, path);
    if (content === null) return;
    this.flush();
    this.#enter();
    const message = messageOf(`{"role":"${role}","content":${content}}`, [originOf(record)], timestamp);
    this.#length = this.#sink.message(message) + 1;
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

  #open(role: Turn['role'], record: SourceRecord, timestamp: string | undefined): Turn {
    if (this.#turn && this.#turn.role !== role) this.flush();
    this.#turn ??= { role, blocks: [], origins: [], timestamp, openChunk: null, index: null };
    this.#turn.origins.push(originOf(record));
    return this.#turn;
  }

  #chunk(record: SourceRecord, { fields, base, timestamp }: LogEntry, role: Turn['role'], type: ChunkType): void {
    const content = ownAt(fields, 'content');
    const isText = typeof content === 'string' || (isRecord(content) && typeof ownAt(content, 'text') === 'string');
    const path = typeof content === 'string' || !isText ? ['content'] : ['content', 'text'];
    const slice = sliceAt(record.text, [...base, ...path]);
    if (slice === null || (!isText && !isRecord(content))) return;
    const turn = this.#open(role, record, timestamp);
    if (!isText) {
      closeChunk(turn);
      turn.blocks.push(slice);
      return;
    }
    if (turn.openChunk?.type !== type) {
      closeChunk(turn);
      turn.openChunk = { type, inner: '' };
    }
    turn.openChunk.inner += slice.slice(1, -1);
  }

  #call(record: SourceRecord, entry: LogEntry): void {
    const { fields, base, keys, timestamp } = entry;
    const turn = this.#open('assistant', record, timestamp);
    closeChunk(turn);
    const at = (key: string) => sliceAt(record.text, [...base, key]);
    const id = at(keys.callId) ?? 'null';
    const name = firstOf(keys.names, at) ?? 'null';
    const input = ownAt(fields, keys.input) === undefined ? '{}' : (at(keys.input) ?? '{}');
    turn.blocks.push(`{"type":"tool_use","id":${id},"name":${name},"input":${input}}`);
    // A call may be announced when it has run already.
    if (ownAt(fields, keys.output) !== undefined || Array.isArray(ownAt(fields, 'content')))
      this.#update(record, entry);
  }

  // Updates on the way (pending, in_progress) are events only; the last one is the result.
  #update(record: SourceRecord, { fields, base, keys, timestamp }: LogEntry): void {
    const status = stringAt(fields, 'status') ?? '';
    if (!FINISHED.has(status)) return;
    this.flush();
    const error = ownAt(fields, 'error');
    const failed = status !== 'completed' || (error !== undefined && error !== null);
    const at = (key: string) => sliceAt(record.text, [...base, key]);
    const isSaid = error !== undefined && error !== null;
    const body = isSaid ? at('error') : (at(keys.output) ?? shownBlocks(at('content'), fields));
    const name = keys === HARN_KEYS ? at('tool_name') : null;
    const members = [
      '"role":"tool_result"',
      `"tool_use_id":${at(keys.callId) ?? 'null'}`,
      ...(name === null ? [] : [`"name":${name}`]),
      `"content":${body ?? '""'}`,
      ...(failed ? ['"is_error":true'] : []),
    ];
    this.#length = this.#sink.message(messageOf(`{${members.join(',')}}`, [originOf(record)], timestamp)) + 1;
  }
}

function firstOf(names: readonly string[], at: (name: string) => string | null): string | null {
  for (const name of names) {
    const found = at(name);
    if (found !== null) return found;
  }
  return null;
}

// What a call gave to be shown: content blocks, each in a wrapper; others (diffs, terminals) as they are.
function shownBlocks(list: string | null, fields: Fields): string | null {
  if (list === null || !Array.isArray(ownAt(fields, 'content'))) return null;
  const blocks = elementSpans(list, 0).map(({ start, end }) => list.slice(start, end));
  return `[${blocks.map((block) => sliceAt(block, ['content']) ?? block).join(',')}]`;
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
