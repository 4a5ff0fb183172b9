import { payloadText, readAsset, type TranscriptAsset } from '../../../model/asset.ts';
import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import { compactionOf } from '../../../model/lineage.ts';
import type { ImportedEvent, Origin, TranscriptMeta, Visibility } from '../../../model/transcript.ts';
import { removeMember } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, Extent, humanText, isoTime, originOf, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt, spanAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { AgentLog, harnEntry } from './agentLog.ts';
import { TRANSCRIPT_PLACES } from './places.ts';
import { HARN_VERSION, newerThanKnown } from './version.ts';

const ID = 'harn';
const MAIN = 'main';

// Events of a transcript value are derived from its messages, in order: these stand for one each and give the others
// their place.
const DERIVED = new Set(['message', 'tool_result']);

interface Progress {
  /** Number of derived events seen. */
  derived: number;
  titled: boolean;
  readonly extent: Extent;
}

/** Reads any of Harn's files; `newer` = the version of a transcript too new to be read, null for the known ones. */
export class HarnReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #newer: string | null;
  readonly #progress = new Map<string, Progress>();
  readonly #logs = new Map<string, AgentLog>();
  readonly #tally = new Tally();
  #refusalSaid = false;

  constructor(sink: ImportSink, newer: string | null) {
    this.#sink = new TrackingSink(sink);
    this.#newer = newer;
  }

  record(record: SourceRecord): void {
    const { value, path } = record;
    if (this.#newer !== null) {
      this.#refuse(record, this.#newer);
      return;
    }
    const list = path.at(-2);
    if (list === 'messages' || list === 'events' || list === 'assets') this.#element(record, list, MAIN);
    else if (list === 'stages') this.#stage(record);
    else if (isRecord(value)) this.#object(record, value);
    else if (!record.error) this.#unknown(record, 'untyped');
  }

  settle(): void {
    const key = this.#sink.key;
    for (const log of this.#logs.values()) log.settle();
    if (key !== null) this.#enter(key);
  }

  end(): void {
    for (const log of this.#logs.values()) log.flush();
    for (const [key, progress] of this.#progress) {
      const meta = progress.extent.meta();
      if (Object.keys(meta).length === 0) continue;
      this.#enter(key);
      this.#sink.meta(meta);
    }
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #object(record: SourceRecord, fields: Fields): void {
    const type = stringAt(fields, '_type');
    if (type === 'transcript') this.#transcript(record, fields);
    else if (type === 'run_record') this.#run(record, fields);
    else if (type !== undefined && holderOf(fields) !== null) this.#holder(record, fields);
    else if (numberAt(fields, 'emitted_at_ms') !== undefined || stringAt(fields, 'session_id') !== undefined)
      this.#agentEvent(record, fields);
    else if (stringAt(fields, 'match') !== undefined) this.#tape(record, fields);
    else if (holderOf(fields) !== null) this.#holder(record, fields);
    else this.#unknown(record, type ?? stringAt(fields, 'type') ?? 'untyped');
  }

  #refuse(record: SourceRecord, version: string): void {
    this.#sink.ignored(record, `part of a transcript of version ${version}`);
    if (this.#refusalSaid) return;
    this.#refusalSaid = true;
    const text = `This Harn transcript has version ${version}; versions up to ${HARN_VERSION} are read. Nothing was imported, so that nothing is misread.`;
    this.#sink.problem({ code: 'import.newer_version', severity: 'error', text, where: { line: record.line } });
  }

  // A document's remainder, or a whole transcript value on a line: then its lists are read from its text.
  #transcript(record: SourceRecord, fields: Fields): void {
    const newer = newerThanKnown(ownAt(fields, 'version'));
    const nothingYet = this.#sink.length === 0;
    if (newer !== null && (nothingYet || record.path.length > 0)) {
      this.#refuse(record, newer);
      return;
    }
    const hasLists = ['messages', 'events', 'assets'].some((key) => (arrayAt(fields, key)?.length ?? 0) > 0);
    const key = hasLists ? (stringAt(fields, 'id') ?? `line ${record.line}`) : MAIN;
    this.#enter(key);
    this.#lists(record, [], key);
    this.#sink.meta(transcriptMeta(record.text, fields, []));
  }

  #lists(record: SourceRecord, path: readonly string[], key: string): void {
    for (const list of ['messages', 'events', 'assets'] as const) {
      const span = spanAt(record.text, [...path, list]);
      if (!span || record.text[span.start] !== '[') continue;
      for (const { start, end } of elementSpans(record.text, span.start)) {
        const text = record.text.slice(start, end);
        const value: unknown = JSON.parse(text);
        this.#element({ ...record, text, value }, list, key);
      }
    }
  }

  #element(record: SourceRecord, list: 'messages' | 'events' | 'assets', key: string): void {
    const progress = this.#enter(key);
    const origin = originOf(record);
    if (list === 'messages') {
      if (!progress.titled && isRecord(record.value) && record.value.role === 'user')
        this.#title(progress, ownAt(record.value, 'content'));
      this.#sink.message({ text: record.text, value: record.value, meta: {}, origins: [origin] });
      return;
    }
    const fields = isRecord(record.value) ? record.value : {};
    const at = list === 'assets' ? this.#sink.length : this.#eventPlace(progress);
    if (list !== 'assets') this.#event(record, fields, at, progress);
    else {
      this.#sink.event(assetEvent(record, fields, origin, at));
      this.#archive(record, key);
    }
  }

  // What a compaction archived is a separate transcript: it belongs to the one that continues.
  #archive(record: SourceRecord, key: string): void {
    const asset = readAsset(record.text);
    const found = asset === null ? null : archivedIn(asset);
    if (asset === null || found === null) return;
    const own = `${key === MAIN ? '' : `${key} / `}snapshot ${asset.id}`;
    const inner = { ...record, text: found.text, value: found.fields };
    this.#enter(own, { parentKey: key, archivedAs: asset.id });
    this.#lists(inner, [], own);
    this.#enter(own);
    this.#sink.meta(transcriptMeta(found.text, found.fields, []));
    this.#enter(key);
  }

  #eventPlace(progress: Progress): number {
    return this.#sink.length > 0 ? Math.min(progress.derived, this.#sink.length) : progress.derived;
  }

  #event(record: SourceRecord, fields: Fields, at: number, progress: Progress): void {
    const kind = stringAt(fields, 'kind') ?? 'unknown:untyped';
    if (DERIVED.has(kind)) progress.derived++;
    const timestamp = isoTime(ownAt(fields, 'timestamp') ?? ownAt(fields, 'created_at'));
    progress.extent.time(timestamp);
    const event: ImportedEvent = {
      kind,
      at,
      visibility: visibilityOf(fields),
      text: titleOf(stringAt(fields, 'text') ?? '') ?? kind,
      json: record.text,
      origin: originOf(record),
      ...defined({ timestamp }),
    };
    if (kind !== 'compaction') {
      this.#sink.event(event);
      return;
    }
    this.#sink.compaction(event, compactionOf(record.text, at));
  }

  #run(record: SourceRecord, fields: Fields): void {
    this.#enter(MAIN);
    const inner = recordAt(fields, 'transcript');
    if (inner) {
      this.#lists(record, ['transcript'], MAIN);
      this.#sink.meta(transcriptMeta(record.text, inner, ['transcript']));
    }
    for (const stage of this.#stagesOf(record)) this.#stage(stage);
    this.#enter(MAIN);
    this.#sink.meta({
      format: ID,
      ...defined({
        sessionId: stringAt(fields, 'id'),
        title: titleOf(stringAt(fields, 'task') ?? stringAt(fields, 'workflow_name') ?? ''),
        startedAt: isoTime(ownAt(fields, 'started_at')),
        endedAt: isoTime(ownAt(fields, 'finished_at')),
      }),
    });
    const text = `run ${stringAt(fields, 'workflow_name') ?? ''}: ${stringAt(fields, 'status') ?? 'no status'}`;
    this.#sink.event({
      kind: 'run_record',
      at: this.#sink.length,
      visibility: 'internal',
      text,
      json: record.text,
      origin: originOf(record),
    });
  }

  // A snapshot of a worker carries the transcript it works on: what stands around it is one event.
  #holder(record: SourceRecord, fields: Fields): void {
    const path = holderOf(fields);
    const inner = path === null ? null : recordIn(fields, path);
    if (path === null || inner === null) return;
    this.#enter(MAIN);
    this.#lists(record, path, MAIN);
    this.#sink.meta(transcriptMeta(record.text, inner, path));
    const kind = stringAt(fields, '_type') ?? stringAt(fields, 'type') ?? 'snapshot';
    this.#sink.event({
      kind,
      at: this.#sink.length,
      visibility: 'internal',
      text: titleOf(stringAt(fields, 'task') ?? stringAt(fields, 'name') ?? stringAt(fields, 'id') ?? '') ?? kind,
      json: record.text,
      origin: originOf(record),
    });
  }

  #stagesOf(record: SourceRecord): SourceRecord[] {
    const span = spanAt(record.text, ['stages']);
    if (!span || record.text[span.start] !== '[') return [];
    return elementSpans(record.text, span.start).map(({ start, end }) => {
      const text = record.text.slice(start, end);
      return { ...record, text, value: JSON.parse(text) };
    });
  }

  // A stage may hold its own transcript: a separate one, started by the run.
  #stage(record: SourceRecord): void {
    const fields = isRecord(record.value) ? record.value : {};
    this.#enter(MAIN);
    const text = titleOf(stringAt(fields, 'visible_text') ?? stringAt(fields, 'id') ?? '') ?? 'stage';
    const timestamp = isoTime(ownAt(fields, 'started_at'));
    const inner = recordAt(fields, 'transcript');
    this.#sink.event({
      kind: 'stage',
      at: this.#sink.length,
      visibility: 'public',
      text,
      json: record.text,
      origin: originOf(record),
      ...defined({ timestamp }),
    });
    if (!inner) return;
    const key = `stage ${stringAt(fields, 'id') ?? record.byteStart}`;
    this.#enter(key, { parentKey: MAIN });
    this.#lists(record, ['transcript'], key);
    this.#sink.meta({ ...transcriptMeta(record.text, inner, ['transcript']), parentKey: MAIN });
  }

  #agentEvent(record: SourceRecord, fields: Fields): void {
    const session = stringAt(fields, 'session_id');
    const key = session ?? MAIN;
    const enter = (): void => {
      this.#enter(key, defined({ sessionId: session }));
    };
    const log = this.#logs.get(key) ?? new AgentLog(this.#sink, enter);
    this.#logs.set(key, log);
    log.record(record, harnEntry(fields));
    const progress = this.#progress.get(key);
    progress?.extent.time(isoTime(ownAt(fields, 'emitted_at_ms')));
  }

  // A tape holds answers to be replayed, each for the prompt it matches: messages of the assistant, the pattern beside.
  #tape(record: SourceRecord, fields: Fields): void {
    this.#enter(MAIN);
    const origin = originOf(record);
    const text = titleOf(stringAt(fields, 'match') ?? '') ?? 'tape';
    const said = sliceAt(record.text, ['text']);
    const calls = sliceAt(record.text, ['tool_calls']);
    const members = [
      '"role":"assistant"',
      `"content":${said ?? 'null'}`,
      ...(calls === null ? [] : [`"tool_calls":${calls}`]),
    ];
    this.#sink.event({ kind: 'tape', at: this.#sink.length, visibility: 'internal', text, json: record.text, origin });
    if (said === null && calls === null) return;
    const message = `{${members.join(',')}}`;
    const model = stringAt(fields, 'model');
    this.#sink.message({ text: message, value: JSON.parse(message), meta: defined({ model }), origins: [origin] });
  }

  #unknown(record: SourceRecord, type: string): void {
    this.#tally.add('import.unknown_record', originOf(record), type);
    this.#enter(MAIN);
    const text = 'a record of an unknown kind';
    this.#sink.event({
      kind: `unknown:${type}`,
      at: this.#sink.length,
      visibility: 'internal',
      text,
      json: record.text,
      origin: originOf(record),
    });
  }

  #title(progress: Progress, content: unknown): void {
    const title = humanText(content);
    if (title === undefined) return;
    progress.titled = true;
    this.#sink.meta({ title });
  }

  #enter(key: string, meta: Partial<TranscriptMeta> = {}): Progress {
    if (this.#sink.key !== key) this.#sink.begin(key, { format: ID, ...meta });
    const known = this.#progress.get(key);
    if (known) return known;
    const fresh: Progress = { derived: 0, titled: false, extent: new Extent() };
    this.#progress.set(key, fresh);
    return fresh;
  }
}

function visibilityOf(fields: Fields): Visibility {
  const visibility = stringAt(fields, 'visibility');
  return visibility === 'public' || visibility === 'private' ? visibility : 'internal';
}

function assetEvent(record: SourceRecord, fields: Fields, origin: Origin, at: number): ImportedEvent {
  const text = [stringAt(fields, 'kind') ?? 'asset', stringAt(fields, 'id') ?? '', stringAt(fields, 'mime_type') ?? ''];
  return {
    kind: 'asset',
    at,
    visibility: visibilityOf(fields),
    text: text.join(' ').trim(),
    json: record.text,
    origin,
  };
}

function transcriptMeta(text: string, fields: Fields, path: readonly string[]): TranscriptMeta {
  const metadata = recordAt(fields, 'metadata') ?? {};
  return {
    format: ID,
    ...defined({
      sessionId: stringAt(fields, 'id'),
      state: stringAt(fields, 'state'),
      summary: stringAt(fields, 'summary'),
      title: stringAt(metadata, 'title'),
      cwd: stringAt(metadata, 'cwd'),
      systemJson: systemJsonOf(text, metadata, path),
      metadataJson: metadataJsonOf(text, metadata, path),
    }),
  };
}

// The prompt itself, or with its fingerprint: `{content, sha256, bytes}`.
function systemJsonOf(text: string, metadata: Fields, path: readonly string[]): string | undefined {
  const prompt = ownAt(metadata, 'system_prompt');
  if (prompt === undefined || prompt === null) return undefined;
  const own = isRecord(prompt) && ownAt(prompt, 'content') !== undefined ? ['content'] : [];
  return sliceAt(text, [...path, 'metadata', 'system_prompt', ...own]) ?? undefined;
}

function metadataJsonOf(text: string, metadata: Fields, path: readonly string[]): string | undefined {
  const others = Object.keys(metadata).filter((key) => key !== 'system_prompt');
  const slice = others.length === 0 ? null : sliceAt(text, [...path, 'metadata']);
  return slice === null ? undefined : removeMember(slice, [], 'system_prompt');
}

/** Where the transcript is in a value that carries one; null if none does. */
function holderOf(fields: Fields): readonly string[] | null {
  return TRANSCRIPT_PLACES.find((path) => stringAt(recordIn(fields, path) ?? {}, '_type') === 'transcript') ?? null;
}

function recordIn(fields: Fields, path: readonly string[]): Fields | null {
  let found: Fields | undefined = fields;
  for (const key of path) found = found === undefined ? undefined : recordAt(found, key);
  return found ?? null;
}

/** The archived transcript that an asset holds; null if it holds none. */
function archivedIn(asset: TranscriptAsset): { readonly text: string; readonly fields: Fields } | null {
  const text = asset.payload === null ? null : payloadText(asset.payload);
  if (text === null || !/^\s*[{[]/.test(text)) return null;
  const value = parsed(text);
  const isNamed = /snapshot|transcript/.test(asset.kind);
  if (Array.isArray(value) && isNamed) return { text: `{"messages":${text}}`, fields: { messages: value } };
  if (!isRecord(value) || arrayAt(value, 'messages') === undefined) return null;
  return isNamed || stringAt(value, '_type') === 'transcript' ? { text, fields: value } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
