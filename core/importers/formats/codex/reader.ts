import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta } from '../../../model/message.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { countOf, grouped } from '../../../util/counts.ts';
import { entryOf, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import {
  isInjected,
  isKnownItem,
  itemKind,
  messageOf,
  outputOf,
  type ResponseItem,
  responsesUsage,
  textsOf,
  titleOfItem,
} from '../../reading/responsesItems.ts';
import { defined, isoTime, originOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { describeRecord } from './describe.ts';
import { Echoes } from './echoes.ts';
import { failedCall } from './failures.ts';
import { replacementIn } from './replacement.ts';
import { CodexSession, eventOf } from './session.ts';

const MAIN = 'main';
/** Values a scrubber left where an id was: they name nothing. */
const SCRUBBED = /^(<.*>|REDACTED|\[.*\]|)$/i;
/** Events that repeat what response items say, and where they say it. */
const ECHOES: Readonly<Record<string, string>> = {
  user_message: 'message',
  agent_message: 'message',
  agent_reasoning: 'text',
  agent_reasoning_raw_content: 'text',
};

/** Reads rollout lines: response items into messages, everything else into the audit. */
export class CodexReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #sessions = new Map<string, CodexSession>();
  readonly #spawnedBy = new Map<string, { readonly key: string; readonly callId: string | undefined }>();
  readonly #echoes: Echoes;
  #session: CodexSession | null = null;
  #forkedFrom: string | undefined;
  #lastCount = '';
  #branches = 0;
  // Calls of the tool that starts agents: their output names the agent's session.
  readonly #starting = new Set<string>();

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
    this.#echoes = new Echoes(
      (record) => this.#sink.ignored(record, 'it repeats a response item'),
      (record) => this.#note(record),
    );
  }

  record(record: SourceRecord): void {
    const fields = isRecord(record.value) ? record.value : {};
    const type = stringAt(fields, 'type') ?? 'untyped';
    const payload = recordAt(fields, 'payload');
    if (!payload) this.#note(record);
    else if (type === 'session_meta') this.#sessionMeta(record, payload);
    else if (type === 'response_item') this.#item(record, payload);
    else if (type === 'compacted') this.#compacted(record, payload);
    else if (type === 'turn_context') this.#turnContext(record, payload);
    else if (type === 'event_msg') this.#eventMsg(record, payload);
    else this.#note(record);
  }

  settle(): void {
    this.#session?.settle();
    this.#emitMeta();
  }

  end(): void {
    this.#echoes.end();
    if (!this.#session) this.#enter(MAIN, { format: 'codex' });
    this.#leave();
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
    if (this.#branches === 0) return;
    const left = this.#branches === 1 ? 'what was left' : 'what was left each time';
    const text = `Turns were taken back ${this.#branches === 1 ? 'once' : `${grouped(this.#branches)} times`}: ${left} is a separate transcript.`;
    this.#sink.problem({ code: 'import.branches', severity: 'info', text });
  }

  get #current(): CodexSession {
    return this.#session ?? this.#enter(MAIN, { format: 'codex' });
  }

  #enter(key: string, start: TranscriptMeta): CodexSession {
    const known = this.#sessions.get(key);
    const session = known ?? new CodexSession(key, start, this.#sink);
    this.#sessions.set(key, session);
    this.#session = session;
    this.#sink.begin(key, session.start);
    return session;
  }

  #leave(): void {
    const session = this.#session;
    if (!session) return;
    session.boundary();
    session.flush();
    this.#emitMeta();
    this.#branches += session.path.branches;
  }

  #emitMeta(): void {
    const session = this.#session;
    if (session) this.#sink.meta({ ...session.extent.meta(), ...defined({ title: session.title }) });
  }

  // A fork begins with its own meta and then repeats those of the sessions it was forked from; a resumed session repeats
  // its own. Another id after messages is another session in the same file.
  #sessionMeta(record: SourceRecord, payload: Fields): void {
    const id = named(payload, 'id');
    const session = this.#session;
    const isOther = session !== null && id !== undefined && id !== session.key && id !== this.#forkedFrom;
    if (!session || (isOther && !session.empty)) {
      this.#echoes.end();
      this.#leave();
      this.#lastCount = '';
      this.#forkedFrom = stringAt(payload, 'forked_from_id');
      this.#enter(id ?? MAIN, this.#startOf(record, payload, id));
    } else {
      session.boundary();
    }
    this.#note(record);
  }

  #startOf(record: SourceRecord, payload: Fields, id: string | undefined): TranscriptMeta {
    const git = recordAt(payload, 'git') ?? {};
    const instructions = recordAt(payload, 'base_instructions') ? ['base_instructions', 'text'] : ['instructions'];
    const system = sliceAt(record.text, ['payload', ...instructions]);
    const source = recordAt(payload, 'source') ?? {};
    const spawned = id === undefined ? undefined : this.#spawnedBy.get(id);
    const parent =
      named(payload, 'parent_thread_id') ?? named(recordAt(agentOf(source), 'thread_spawn') ?? {}, 'parent_thread_id');
    const inFile = parent !== undefined && this.#sessions.has(parent);
    return {
      format: 'codex',
      ...defined({
        sessionId: id,
        cwd: stringAt(payload, 'cwd'),
        gitBranch: stringAt(git, 'branch') || undefined,
        toolVersion: stringAt(payload, 'cli_version'),
        systemJson: system?.startsWith('"') ? system : undefined,
        agentId: Object.hasOwn(source, 'subagent') ? id : undefined,
        parentKey: spawned?.key ?? (inFile ? parent : undefined),
        parentCallId: spawned?.callId,
        parentSessionId: parent,
        continuesSessionId: named(payload, 'forked_from_id'),
      }),
    };
  }

  #item(record: SourceRecord, payload: Fields): void {
    const session = this.#current;
    const kind = itemKind(payload);
    if (kind === 'none') {
      const type = stringAt(payload, 'type') ?? 'untyped';
      if (!isKnownItem(payload)) this.#tally.add('import.unknown_record', originOf(record), type);
      const name = isKnownItem(payload) ? type : `unknown:${type}`;
      session.event(eventOf(record, name, type.replaceAll('_', ' '), this.#time(record)));
      return;
    }
    const item: ResponseItem = { text: sliceAt(record.text, ['payload']) ?? '{}', value: payload };
    const timestamp = this.#time(record);
    const origin = originOf(record);
    if (kind === 'output') {
      const message = outputOf(item);
      session.output(message, defined({ timestamp }), origin);
      this.#started(message.value);
      return;
    }
    this.#echoes.said(textsOf(payload));
    if (kind === 'answer') {
      const callId = payload.name === 'spawn_agent' ? named(payload, 'call_id') : undefined;
      if (callId !== undefined) this.#starting.add(callId);
      const id = payload.type === 'message' ? named(payload, 'id') : undefined;
      session.answer(item, defined({ timestamp, model: session.model, id }), origin);
      return;
    }
    const injected = isInjected(payload);
    const meta: MessageMeta = defined({ timestamp, injected: injected ? (true as const) : undefined });
    const isPerson = !injected && payload.role === 'user';
    session.message({ message: messageOf(item), meta, origin, words: titleOfItem(payload), isPerson });
  }

  // The output of the tool that starts an agent: `{"agent_id": …}`, the agent's session.
  #started({ tool_call_id: callId, content }: Fields): void {
    if (typeof callId !== 'string' || !this.#starting.delete(callId) || typeof content !== 'string') return;
    const agent = /^\s*\{"agent_id":\s*"([^"\\]+)"/.exec(content)?.[1];
    if (agent !== undefined && !SCRUBBED.test(agent)) this.#spawn(agent, callId);
  }

  #spawn(sessionId: string, callId: string | undefined): void {
    this.#spawnedBy.set(sessionId, { key: this.#current.key, callId });
    if (callId !== undefined) this.#sink.spawn({ callId, sessionId });
  }

  #compacted(record: SourceRecord, payload: Fields): void {
    const { facts, kept, items } = replacementIn(record.text, payload);
    const text = `compaction: ${countOf(items, 'item')} in place of what came before`;
    this.#current.compaction(eventOf(record, 'compaction', text, this.#time(record)), facts, kept);
  }

  #turnContext(record: SourceRecord, payload: Fields): void {
    const session = this.#current;
    // After a compaction the context is written again, followed by a token count that is not an answer's.
    session.context();
    session.model = stringAt(payload, 'model');
    session.extent.model(session.model);
    const cwd = session.start.cwd === undefined ? stringAt(payload, 'cwd') : undefined;
    if (cwd !== undefined) this.#sink.meta({ cwd });
    this.#note(record);
  }

  #eventMsg(record: SourceRecord, payload: Fields): void {
    const name = stringAt(payload, 'type') ?? 'untyped';
    const session = this.#current;
    const echo = entryOf(ECHOES, name);
    const text = echo === undefined ? undefined : stringAt(payload, echo);
    if (text !== undefined) {
      this.#echoes.echo(text, record);
      return;
    }
    if (name === 'token_count') {
      this.#count(record, payload);
      return;
    }
    if (name === 'task_started') session.extent.window(numberAt(payload, 'model_context_window'));
    if (name === 'thread_name_updated') session.name = stringAt(payload, 'thread_name') ?? session.name;
    const started = name === 'collab_agent_spawn_end' ? named(payload, 'new_thread_id') : undefined;
    if (started !== undefined && !this.#spawnedBy.has(started)) this.#spawn(started, named(payload, 'call_id'));
    const failed = failedCall(name, payload);
    if (failed !== undefined && !SCRUBBED.test(failed)) session.failed(failed);
    if (name === 'thread_rolled_back') {
      session.rollBack(numberAt(payload, 'num_turns') ?? 0, `branch at byte ${record.byteStart}`);
    }
    this.#note(record);
  }

  #count(record: SourceRecord, payload: Fields): void {
    const info = recordAt(payload, 'info');
    if (info !== undefined) this.#current.extent.window(numberAt(info, 'model_context_window'));
    const usage = info && responsesUsage(ownAt(info, 'last_token_usage'));
    if (!info || !usage) {
      this.#note(record);
      return;
    }
    const counts = JSON.stringify(info);
    if (counts === this.#lastCount) {
      this.#sink.ignored(record, 'it repeats the token count before it');
      return;
    }
    this.#lastCount = counts;
    const text = usage.total === undefined ? 'unknown tokens' : countOf(usage.total, 'token');
    this.#current.count(usage, record, eventOf(record, 'token_count', text, this.#time(record)));
  }

  #note(record: SourceRecord): void {
    const fields = isRecord(record.value) ? record.value : {};
    const type = stringAt(fields, 'type') ?? 'untyped';
    const face = describeRecord(type, recordAt(fields, 'payload') ?? {});
    if (!face.known) this.#tally.add('import.unknown_record', originOf(record), face.kind.replace('unknown:', ''));
    this.#current.event(eventOf(record, face.kind, face.text, this.#time(record)));
  }

  #time(record: SourceRecord): string | undefined {
    const time = isRecord(record.value) ? isoTime(ownAt(record.value, 'timestamp')) : undefined;
    this.#session?.extent.time(time);
    return time;
  }
}

// A name, unless a scrubber replaced it.
function named(fields: Fields, key: string): string | undefined {
  const name = stringAt(fields, key);
  return name === undefined || SCRUBBED.test(name) ? undefined : name;
}

function agentOf(source: Fields): Fields {
  return recordAt(source, 'subagent') ?? {};
}
