import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta } from '../../../model/message.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { canonicalJson } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { type FoldMessage, type FoldRules, messagesAt, RequestFolder } from '../../reading/requestFolder.ts';
import { settingsAt } from '../../reading/requestSettings.ts';
import { defined, isoTime, originOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import { TranscriptHeads } from '../../reading/transcriptHeads.ts';
import type { FormatReader } from '../../types.ts';
import { candidateOf, geminiUsage, hasContents, humanPart, isContent, pendingParts } from '../gemini.ts';
import { type Chunk, joinCandidates } from './candidate.ts';

type Found = { readonly path: readonly string[]; readonly fields: Fields };

const ID = 'gemini-contents';
const BODY_PATHS = [[], ['request', 'body'], ['request'], ['body']];
const RESPONSE_PATHS = [[], ['response', 'body'], ['response']];

function findAt(fields: Fields, paths: readonly (readonly string[])[], fits: (at: Fields) => boolean): Found | null {
  for (const path of paths) {
    let at: unknown = fields;
    for (const step of path) at = isRecord(at) ? ownAt(at, step) : undefined;
    if (isRecord(at) && fits(at)) return { path, fields: at };
  }
  return null;
}

/** A request's body in a record, itself or under the names logs give it. */
export function bodyOf(fields: Fields): Found | null {
  return findAt(fields, BODY_PATHS, (at) => hasContents(ownAt(at, 'contents')));
}

/** A response in a record. */
export function responseOf(fields: Fields): Found | null {
  return findAt(fields, RESPONSE_PATHS, (at) => candidateOf(at) !== null);
}

const RULES: FoldRules = {
  format: ID,
  identity: (message) => identityOf(message, new Set()),
  // Clients add ids and drop signatures when they send an answer back.
  answer: (message) => identityOf(message, new Set(['id', 'thoughtSignature', 'thought_signature'])),
};

function identityOf({ text, value }: FoldMessage, leftOut: ReadonlySet<string>): string {
  if (!isContent(value)) return text;
  if (leftOut.size === 0) return canonicalJson(text);
  const kept = JSON.stringify(value, (key, inner: unknown) => (leftOut.has(key) ? undefined : inner));
  return canonicalJson(kept);
}

/** Reads contents, requests and responses; chunks in a row are one answer. */
export class GeminiContentsReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #folder: RequestFolder;
  readonly #tally = new Tally();
  readonly #heads: TranscriptHeads;
  #transcripts = 0;
  #elements = 0;
  #chunks: { readonly record: SourceRecord; readonly chunk: Chunk }[] = [];

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
    this.#heads = new TranscriptHeads(this.#sink);
    this.#folder = new RequestFolder(this.#sink, RULES, () => String(this.#transcripts++));
  }

  record(record: SourceRecord): void {
    const { value, path } = record;
    if (path.length > 0) this.#elements++;
    const fields = isRecord(value) ? value : {};
    const isChunk = candidateOf(fields) !== null || (this.#chunks.length > 0 && recordAt(fields, 'usageMetadata'));
    // Elements of a list and events of a stream are chunks of one answer; a document is one whole answer.
    if (isChunk && this.#isOfAnother(fields)) this.#endAnswer();
    if (isChunk) this.#chunks.push({ record, chunk: { text: record.text, value: fields } });
    else {
      this.#endAnswer();
      this.#other(record, value, fields);
    }
    const finished = stringAt(candidateOf(fields) ?? {}, 'finishReason') !== undefined;
    if (isChunk && path.length === 0 && finished) this.#endAnswer();
  }

  #isOfAnother(response: Fields): boolean {
    const [first] = this.#chunks;
    return first !== undefined && stringAt(first.chunk.value, 'responseId') !== stringAt(response, 'responseId');
  }

  settle(): void {
    this.#folder.settle();
  }

  end(): void {
    this.#endAnswer();
    this.#folder.end();
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  // Where an event stands that comes now.
  get #at(): number {
    return this.#sink.length - this.#folder.ahead(this.#sink.key);
  }

  #other(record: SourceRecord, value: unknown, fields: Fields): void {
    const pending = record.path.length > 0 ? pendingParts(record.text, value) : null;
    if (isContent(value)) this.#single(record, record.text, value);
    else if (pending !== null) this.#pending(record, pending);
    else if (hasContents(value)) this.#request(record, value, [], {});
    else if (record.path.length === 0 && this.#elements > 0) this.#envelope(record, fields);
    else if (bodyOf(fields) || responseOf(fields)) this.#exchange(record, fields);
    else if (hasContents(ownAt(fields, 'history'))) this.#request(record, fields.history, ['history'], fields);
    else this.#unknown(record);
  }

  // Beside a history stands what is to be sent next: the client has not made a content of it yet.
  #pending(record: SourceRecord, parts: string): void {
    const text = `{"role":"user","parts":${parts}}`;
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) this.#single(record, text, value);
  }

  #single(record: SourceRecord, text: string, content: Fields): void {
    if (this.#sink.key === null) this.#sink.begin(String(this.#transcripts++), { format: ID });
    this.#title(content);
    this.#sink.message({ text, value: content, meta: {}, origins: [originOf(record)] });
  }

  #envelope(record: SourceRecord, fields: Fields): void {
    if (this.#sink.key !== null) this.#sink.meta(requestMeta(record.text, fields, []));
  }

  #exchange(record: SourceRecord, fields: Fields): void {
    const asked = bodyOf(fields);
    if (asked) this.#request(record, asked.fields.contents, [...asked.path, 'contents'], asked.fields, asked.path);
    const answered = responseOf(fields);
    if (!answered) return;
    const text = sliceAt(record.text, answered.path) ?? record.text;
    this.#answer([{ record, chunk: { text, value: answered.fields } }]);
  }

  #request(
    record: SourceRecord,
    values: unknown,
    listPath: readonly string[],
    body: Fields,
    bodyPath: readonly string[] = [],
  ): void {
    const messages = messagesAt(record.text, listPath, Array.isArray(values) ? values : []);
    const meta = requestMeta(record.text, body, bodyPath);
    const { newMessages } = this.#folder.request(messages, meta, record, ({ value }) => {
      this.#title(value);
      return {};
    });
    if (newMessages === 0) this.#sink.ignored(record, 'the request repeats a history read before');
  }

  #endAnswer(): void {
    const chunks = this.#chunks;
    this.#chunks = [];
    if (chunks.length > 0) this.#answer(chunks);
  }

  #answer(chunks: readonly { readonly record: SourceRecord; readonly chunk: Chunk }[]): void {
    const message = joinCandidates(chunks.map(({ chunk }) => chunk));
    const meta = answerMeta(chunks.map(({ chunk }) => chunk.value));
    const origins: Origin[] = chunks.map(({ record }) => originOf(record));
    if (message) this.#folder.response(message, meta, { format: ID }, origins);
    else for (const { record } of chunks) this.#note(record, 'response', `no content: ${meta.stopReason ?? 'unknown'}`);
    this.#heads.see(meta);
    if (message) for (const { record, chunk } of chunks) this.#others(record, chunk.value);
  }

  #others(record: SourceRecord, response: Fields): void {
    const candidates = arrayAt(response, 'candidates') ?? [];
    if (candidates.length < 2) return;
    this.#tally.add('import.other_choices', originOf(record));
    this.#note(record, 'candidates', `${candidates.length} candidates, the first taken`);
  }

  #unknown(record: SourceRecord): void {
    this.#tally.add('import.unknown_record', originOf(record), 'untyped');
    this.#note(record, 'unknown:untyped', 'a record without contents');
  }

  #note(record: SourceRecord, kind: string, text: string): void {
    if (this.#sink.key === null) this.#sink.begin(String(this.#transcripts++), { format: ID });
    const at = this.#at;
    this.#sink.event({ kind, at, visibility: 'internal', text, json: record.text, origin: originOf(record) });
  }

  #title(value: unknown): void {
    if (!isRecord(value) || stringAt(value, 'role') === 'model') return;
    this.#heads.title(() => humanPart(ownAt(value, 'parts')));
  }
}

// Of chunks the last word counts: usage grows, and only the last one knows why it ended.
function answerMeta(responses: readonly Fields[]): MessageMeta {
  const metas = responses.map((response) =>
    defined({
      timestamp: isoTime(ownAt(response, 'createTime')),
      model: stringAt(response, 'modelVersion'),
      usage: geminiUsage(ownAt(response, 'usageMetadata')),
      stopReason: stringAt(candidateOf(response) ?? {}, 'finishReason'),
      id: stringAt(response, 'responseId'),
    }),
  );
  return Object.assign({}, ...metas);
}

function requestMeta(text: string, body: Fields, path: readonly string[]): TranscriptMeta {
  const model = stringAt(body, 'model');
  const systemKey = ['systemInstruction', 'system_instruction'].find((key) => Object.hasOwn(body, key));
  return {
    format: ID,
    ...defined({
      models: model === undefined ? undefined : [model],
      systemJson: systemKey === undefined ? undefined : (sliceAt(text, [...path, systemKey]) ?? undefined),
      toolsJson: arrayAt(body, 'tools') ? (sliceAt(text, [...path, 'tools']) ?? undefined) : undefined,
      settingsJson: settingsAt(ID, text, path, body),
    }),
  };
}
