import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { ImportedEvent, TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, Extent, humanText, isoTime, originOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { compacted, compactionFacts, describeEvent, type EventMessage, messageOf } from './event.ts';

const ID = 'copilot-cli';
const MAIN = 'main';
/** Values a scrubber left where an id was: they name nothing. */
const SCRUBBED = /^(|<.*>|\[.*\])$|REDACTED/;

/** Reads events as they come; no message is held. */
export class CopilotCliReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #extents = new Map<string, Extent>();
  readonly #titled = new Set<string>();
  /** Agents by the calls that started them. */
  readonly #agentOf = new Map<string, string>();
  /** The transcripts of calls that agents made, for agents that start agents. */
  readonly #callerOf = new Map<string, string>();

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    const fields = isRecord(record.value) ? record.value : {};
    const data = recordAt(fields, 'data') ?? {};
    this.#enter(fields, data);
    this.#learn(record, fields, data);
    const message = messageOf(record.text, fields, data);
    if (stringAt(fields, 'type') === 'session.compaction_complete' && compacted(data)) {
      this.#compaction(record, fields, data, message !== null);
    } else if (!message) {
      this.#sink.event(this.#eventOf(record, fields, data));
    }
    if (message) this.#message(record, data, message);
    this.#extent.time(isoTime(ownAt(fields, 'timestamp')));
  }

  settle(): void {
    if (this.#sink.key !== null) this.#sink.meta(this.#extent.meta());
  }

  end(): void {
    for (const [key, extent] of this.#extents) {
      this.#sink.begin(key, { format: ID });
      this.#sink.meta(extent.meta());
    }
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  get #extent(): Extent {
    const key = this.#sink.key ?? MAIN;
    const extent = this.#extents.get(key) ?? new Extent();
    this.#extents.set(key, extent);
    return extent;
  }

  // An event of a sub-agent carries its agent id, or in older logs only the call that started it.
  #enter(fields: Fields, data: Fields): void {
    const agentId = stringAt(fields, 'agentId');
    const isStart = stringAt(fields, 'type') === 'subagent.started';
    const call = stringAt(data, 'parentToolCallId') ?? (isStart ? stringAt(data, 'toolCallId') : undefined);
    if (agentId !== undefined && call !== undefined && !SCRUBBED.test(call)) this.#agentOf.set(call, agentId);
    const parent = isStart && agentId === undefined ? undefined : call;
    const name = agentId ?? (parent === undefined ? undefined : (this.#agentOf.get(parent) ?? parent));
    if (name === undefined || !this.#extents.has(MAIN)) this.#begin(MAIN, { format: ID });
    if (name === undefined) return;
    const agent = defined({ agentId, parentCallId: parent });
    const parentKey = this.#callerOf.get(parent ?? '') ?? MAIN;
    this.#begin(`agent ${name}`, { format: ID, parentKey, ...agent });
  }

  #begin(key: string, meta: TranscriptMeta): void {
    if (this.#sink.key !== key) this.#sink.begin(key, meta);
    if (!this.#extents.has(key)) this.#extents.set(key, new Extent());
  }

  #learn(record: SourceRecord, fields: Fields, data: Fields): void {
    const type = stringAt(fields, 'type');
    if (type === 'session.start' || type === 'session.resume') {
      const context = recordAt(data, 'context') ?? {};
      const known = {
        sessionId: stringAt(data, 'sessionId'),
        cwd: stringAt(context, 'cwd'),
        gitBranch: stringAt(context, 'branch'),
        toolVersion: stringAt(data, 'copilotVersion'),
      };
      this.#sink.meta(defined(known));
    } else if (type === 'system.message') {
      const systemJson = stringAt(data, 'content') === undefined ? null : sliceAt(record.text, ['data', 'content']);
      if (systemJson !== null) this.#sink.meta({ systemJson });
    } else if (type === 'session.title_changed') {
      const title = stringAt(data, 'title');
      if (title === undefined) return;
      this.#titled.add(this.#sink.key ?? MAIN);
      this.#sink.meta({ title });
    }
  }

  #message(record: SourceRecord, data: Fields, { text, meta }: EventMessage): void {
    const value: unknown = JSON.parse(text);
    this.#extent.model(meta.model);
    const key = this.#sink.key ?? MAIN;
    const side = key === MAIN ? {} : { sidechain: true };
    if (key !== MAIN) this.#noteCalls(data, key);
    this.#sink.message({ text, value, meta: { ...meta, ...side }, origins: [originOf(record)] });
    if (this.#titled.has(key) || meta.injected || meta.compactSummary) return;
    if (!isRecord(value) || value.role !== 'user') return;
    const title = humanText(ownAt(data, 'content'));
    if (title === undefined) return;
    this.#titled.add(key);
    this.#sink.meta({ title });
  }

  #noteCalls(data: Fields, key: string): void {
    for (const request of arrayAt(data, 'toolRequests') ?? []) {
      const id = isRecord(request) ? stringAt(request, 'toolCallId') : undefined;
      if (id !== undefined && !SCRUBBED.test(id)) this.#callerOf.set(id, key);
    }
  }

  #compaction(record: SourceRecord, fields: Fields, data: Fields, hasSummary: boolean): void {
    const at = this.#sink.length;
    const facts = { ...compactionFacts(data), ...defined({ summaryIndex: hasSummary ? at : undefined }) };
    this.#sink.compaction({ ...this.#eventOf(record, fields, data), kind: 'compaction' }, { at, ...facts });
  }

  #eventOf(record: SourceRecord, fields: Fields, data: Fields): ImportedEvent {
    const { kind, text, known } = describeEvent(fields, data);
    const origin = originOf(record);
    if (!known) this.#tally.add('import.unknown_record', origin, kind.replace('unknown:', ''));
    const timestamp = defined({ timestamp: isoTime(ownAt(fields, 'timestamp')) });
    return { kind, at: this.#sink.length, visibility: 'internal', text, ...timestamp, json: record.text, origin };
  }
}
