// Logs of the Agent Client Protocol: what an agent and its host (an editor) send each other, one JSON-RPC message per line.
// Source: https://agentclientprotocol.com/protocol/schema (July 2026); Harn's own updates: spec of the projection.

import type { ImportSink, SourceRecord } from '../../model/importSink.ts';
import type { TranscriptMeta } from '../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { bestScore, Extent, humanText, isoTime } from '../reading/shared.ts';
import { TrackingSink } from '../reading/trackingSink.ts';
import type { Detection, Format, FormatReader, Sniff } from '../types.ts';
import { AgentLog, acpEntry } from './harn/agentLog.ts';

const LOOKS_FOR = 'JSON-RPC lines of ACP (method session/update, session/prompt), or bare updates with sessionUpdate';

/** Session logs of the Agent Client Protocol. */
export const acp: Format = {
  id: 'acp',
  title: 'ACP session log',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'errors', 'thinking', 'images', 'folder', 'times', 'compactions'],
  detect,
  grows: true,
  open: (sink) => new AcpReader(sink),
};

function detect({ values }: Sniff): Detection {
  const score = bestScore(values.slice(0, 20), scoreOf);
  return score > 0 ? { score, why: 'session updates of ACP' } : { score: 0, why: `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (!isRecord(value)) return 0;
  const update = updateIn(value);
  if (update !== null) return stringAt(update.fields, 'sessionUpdate') === undefined ? 0 : 0.9;
  return stringAt(value, 'jsonrpc') === '2.0' && (stringAt(value, 'method') ?? '').startsWith('session/') ? 0.9 : 0;
}

interface Update {
  readonly fields: Fields;
  readonly base: readonly string[];
  readonly sessionId: string | undefined;
}

/** The update in a line: in a notification, in its parameters alone, or by itself. */
function updateIn(value: Fields): Update | null {
  const params = recordAt(value, 'params');
  const [holder, base] = params === undefined ? [value, []] : [params, ['params']];
  const inner = recordAt(holder, 'update');
  const sessionId = stringAt(holder, 'sessionId');
  if (inner !== undefined) return { fields: inner, base: [...base, 'update'], sessionId };
  return stringAt(value, 'sessionUpdate') === undefined ? null : { fields: value, base: [], sessionId };
}

interface Session {
  readonly log: AgentLog;
  readonly extent: Extent;
  titled: boolean;
}

const MAIN = 'main';

class AcpReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #sessions = new Map<string, Session>();
  /** Sessions that are asked for, by the request's id: the answer names them. */
  readonly #asked = new Map<string, Fields>();
  /** Lines before any session is named: they belong to the first one. */
  #waiting: { readonly record: SourceRecord; readonly value: Fields }[] = [];
  #last: string | null = null;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    const value = isRecord(record.value) ? record.value : {};
    const update = updateIn(value);
    if (update !== null) this.#update(record, value, update);
    else this.#message(record, value);
  }

  settle(): void {
    const key = this.#sink.key;
    for (const { log } of this.#sessions.values()) log.settle();
    if (key !== null) this.#enter(key);
  }

  end(): void {
    if (this.#waiting.length > 0) this.#session(MAIN);
    for (const [key, { log, extent }] of this.#sessions) {
      log.flush();
      const meta = extent.meta();
      if (Object.keys(meta).length === 0) continue;
      this.#enter(key);
      this.#sink.meta(meta);
    }
  }

  #update(record: SourceRecord, value: Fields, { fields, base, sessionId }: Update): void {
    const session = this.#session(sessionId ?? this.#last ?? MAIN);
    const timestamp = timeOf(value) ?? timeOf(fields);
    session.extent.time(timestamp);
    if (stringAt(fields, 'sessionUpdate') === 'user_message_chunk') this.#title(session, [ownAt(fields, 'content')]);
    session.log.record(record, acpEntry(fields, base, timestamp));
  }

  // Requests and their answers: a prompt is what the person says; the rest is kept as events.
  #message(record: SourceRecord, value: Fields): void {
    const method = stringAt(value, 'method');
    const params = recordAt(value, 'params') ?? {};
    const result = recordAt(value, 'result') ?? {};
    const id = String(ownAt(value, 'id') ?? '');
    const started = stringAt(result, 'sessionId');
    const key = stringAt(params, 'sessionId') ?? started ?? this.#last;
    if (method === 'session/new' || method === 'session/load') this.#asked.set(id, params);
    if (key === null) {
      this.#waiting.push({ record, value });
      return;
    }
    const session = this.#session(key);
    const timestamp = timeOf(value);
    session.extent.time(timestamp);
    const cwd = stringAt(this.#asked.get(id) ?? params, 'cwd');
    if (cwd !== undefined && (started !== undefined || method === 'session/load')) this.#sink.meta({ cwd });
    if (method === 'session/prompt') {
      this.#title(session, arrayAt(params, 'prompt') ?? []);
      session.log.said(record, 'user', ['params', 'prompt'], timestamp);
    } else if (stringAt(result, 'stopReason') !== undefined) session.log.flush();
    const kind = method ?? (ownAt(value, 'error') === undefined ? 'response' : 'error');
    session.log.event(record, kind, stringAt(result, 'stopReason') ?? kind, timestamp);
  }

  #title(session: Session, blocks: readonly unknown[]): void {
    const title = session.titled ? undefined : humanText(blocks);
    if (title === undefined) return;
    session.titled = true;
    this.#sink.meta({ title });
  }

  #session(key: string): Session {
    this.#last = key;
    this.#enter(key, key === MAIN ? {} : { sessionId: key });
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const log = new AgentLog(this.#sink, () => this.#enter(key));
    const session = { log, extent: new Extent(), titled: false };
    this.#sessions.set(key, session);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { record, value } of waiting) this.#message(record, value);
    return session;
  }

  #enter(key: string, meta: Partial<TranscriptMeta> = {}): void {
    if (this.#sink.key !== key) this.#sink.begin(key, { format: 'acp', ...meta });
  }
}

function timeOf(value: Fields): string | undefined {
  return isoTime(
    ownAt(value, 'timestamp') ?? ownAt(value, 'ts') ?? ownAt(value, 'time') ?? ownAt(value, 'emitted_at_ms'),
  );
}
