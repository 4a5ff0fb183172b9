// Chat Completions messages in the wrappers they are found in: a bare array, a request body, fine-tuning lines, logs of
// growing requests with or without responses, tau-bench results, the dashboard's export.

import type { ImportSink, SourceRecord } from '../../model/importSink.ts';
import type { MessageMeta } from '../../model/message.ts';
import { contentText } from '../../model/readResult.ts';
import type { Origin, TranscriptMeta } from '../../model/transcript.ts';
import { canonicalJson, replaceAt } from '../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { type FoldMessage, type FoldRules, messagesAt, RequestFolder } from '../reading/requestFolder.ts';
import { settingsAt } from '../reading/requestSettings.ts';
import { defined, humanText, isoTime, openaiUsage, originOf } from '../reading/shared.ts';
import { eachMember, sliceAt, spanAt } from '../reading/slices.ts';
import { Tally } from '../reading/tally.ts';
import { TrackingSink } from '../reading/trackingSink.ts';
import { TranscriptHeads } from '../reading/transcriptHeads.ts';
import type { Detection, Format, FormatReader, Sniff } from '../types.ts';

const ID = 'openai-chat';
const LOOKS_FOR =
  'messages with role and content: a JSON array, {"messages": […]}, JSON lines of these, or a log of requests';
const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
const ANTHROPIC_BLOCKS = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'server_tool_use']);

/** Every wrapper gives its messages with their exact texts; histories repeated in a log are read once. */
export const openaiChat: Format = {
  id: ID,
  title: 'OpenAI Chat Completions messages',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'errors', 'thinking', 'images', 'usage', 'models', 'times'],
  detect,
  elements: [['*'], ['messages', '*']],
  open: (sink) => new OpenaiChatReader(sink),
};

function detect(sniff: Sniff): Detection {
  let score = 0;
  for (const value of sniff.values.slice(0, 10)) score = Math.max(score, scoreOf(value));
  return { score, why: score > 0 ? 'chat messages with role and content' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (isMessage(value)) return 0.4;
  if (isRecord(value) && responseOf(value)) return 0.5;
  const simulation = Array.isArray(value) ? value[0] : value;
  if (isRecord(simulation) && hasMessages(arrayAt(simulation, 'traj'))) return 0.9;
  if (Array.isArray(value) && isRecord(value[0]) && bodyOf(value[0])) return scoreOf(value[0]);
  const messages = Array.isArray(value) ? value : isRecord(value) ? bodyOf(value)?.messages : undefined;
  if (!hasMessages(messages)) return 0;
  const own = messages.some((message) => isRecord(message) && hasOwnMarks(message));
  const foreign = messages.some((message) => isRecord(message) && hasAnthropicBlocks(message));
  return foreign ? 0.2 : own ? 0.7 : 0.6;
}

function hasOwnMarks(message: Fields): boolean {
  return message.role === 'tool' || message.role === 'system' || arrayAt(message, 'tool_calls') !== undefined;
}

function hasAnthropicBlocks(message: Fields): boolean {
  const blocks = arrayAt(message, 'content') ?? [];
  return blocks.some((block) => isRecord(block) && ANTHROPIC_BLOCKS.has(stringAt(block, 'type') ?? ''));
}

function isMessage(value: unknown): value is Fields {
  if (!isRecord(value) || !ROLES.has(stringAt(value, 'role') ?? '')) return false;
  return ['content', 'tool_calls', 'function_call'].some((key) => Object.hasOwn(value, key));
}

function hasMessages(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && isMessage(value[0]);
}

/** A request body in a record: itself or under one of the names logs give it. */
function bodyOf(
  fields: Fields,
): { readonly path: readonly string[]; readonly body: Fields; readonly messages: readonly unknown[] } | null {
  for (const path of [[], ['request_params'], ['request'], ['body'], ['request', 'body'], ['kwargs']]) {
    let body: unknown = fields;
    for (const step of path) body = isRecord(body) ? ownAt(body, step) : undefined;
    const messages = isRecord(body) ? arrayAt(body, 'messages') : undefined;
    if (isRecord(body) && messages) return { path, body, messages };
  }
  return null;
}

/** A response in a record, with its path. */
function responseOf(fields: Fields): { readonly path: readonly string[]; readonly response: Fields } | null {
  for (const path of [[], ['response'], ['response', 'body']]) {
    let response: unknown = fields;
    for (const step of path) response = isRecord(response) ? ownAt(response, step) : undefined;
    const first = isRecord(response) ? arrayAt(response, 'choices')?.[0] : undefined;
    if (isRecord(response) && isRecord(first) && recordAt(first, 'message')) return { path, response };
  }
  return null;
}

const RULES: FoldRules = { format: ID, identity: identityOf, answer: identityOf };

/** Equal for messages that say the same: null, "" and [] are the same as absent (a response writes what a request omits). */
function identityOf(message: FoldMessage): string {
  if (!isRecord(message.value)) return message.text;
  const said: string[] = [];
  const start = spanAt(message.text, [])?.start ?? 0;
  eachMember(message.text, start, (key, { start: from, end }) => {
    const text = message.text.slice(from, end);
    if (text !== 'null' && text !== '""' && text !== '[]') said.push(`${JSON.stringify(key)}:${canonicalJson(text)}`);
  });
  return said.sort().join(',');
}

class OpenaiChatReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #folder: RequestFolder;
  readonly #tally = new Tally();
  readonly #heads: TranscriptHeads;
  #transcripts = 0;
  #elements = 0;
  #continued = 0;
  readonly #restarts: Origin[] = [];

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
    this.#heads = new TranscriptHeads(this.#sink);
    this.#folder = new RequestFolder(this.#sink, RULES, () => String(this.#transcripts++));
  }

  record(record: SourceRecord): void {
    const { value, path } = record;
    if (path.length > 0) this.#elements++;
    if (isMessage(value) || path[0] === 'messages') {
      this.#single(record);
    } else if (isRecord(value) && arrayAt(value, 'traj')) {
      this.#simulation(record, value);
    } else if (path.length === 0 && this.#elements > 0) {
      this.#envelope(record);
    } else if (Array.isArray(value) && hasMessages(value)) {
      this.#request(record, value, [], {});
    } else if (isRecord(value) && (bodyOf(value) || responseOf(value))) {
      this.#exchange(record, value);
    } else {
      this.#unknown(record);
    }
  }

  settle(): void {
    this.#folder.settle();
  }

  end(): void {
    this.#folder.end();
    const [first] = this.#restarts;
    if (this.#continued > 0 && first) {
      for (const origin of this.#restarts) this.#tally.add('import.history_rewritten', origin);
    }
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  // Where an event stands that comes now.
  get #at(): number {
    return this.#sink.length - this.#folder.ahead(this.#sink.key);
  }

  // A message that stands alone: an element of the one list the document is, or a line that is a message.
  #single(record: SourceRecord): void {
    if (this.#sink.key === null) this.#begin({ format: ID });
    this.#title(record.value);
    const meta = isRecord(record.value) ? defined({ timestamp: isoTime(ownAt(record.value, 'timestamp')) }) : {};
    this.#sink.message({ text: record.text, value: record.value, meta, origins: [originOf(record)] });
  }

  #begin(meta: TranscriptMeta): void {
    this.#sink.begin(String(this.#transcripts++), meta);
  }

  #simulation(record: SourceRecord, fields: Fields): void {
    const task = ownAt(fields, 'task_id');
    const trial = ownAt(fields, 'trial');
    const sessionId =
      task === undefined
        ? undefined
        : `task ${contentText(task)}${trial === undefined ? '' : ` trial ${contentText(trial)}`}`;
    this.#begin({ format: ID, ...defined({ sessionId }) });
    for (const message of messagesAt(record.text, ['traj'], arrayAt(fields, 'traj') ?? [])) {
      this.#title(message.value);
      this.#sink.message({ text: message.text, value: message.value, meta: {}, origins: [originOf(record)] });
    }
    this.#note(
      record,
      'tau-bench',
      `result of ${sessionId ?? 'a simulation'}: reward ${JSON.stringify(ownAt(fields, 'reward') ?? null)}`,
      replaceAt(record.text, ['traj'], '[]'),
    );
  }

  // What stands around the messages of a document: tools, model, and in the dashboard's export the answer.
  #envelope(record: SourceRecord): void {
    if (!isRecord(record.value)) return;
    if (this.#sink.key === null) return;
    this.#sink.meta(requestMeta(record.text, record.value, []));
    const found = responseOf(record.value);
    if (!found) return;
    const answer = this.#answer(record, found.path, found.response);
    this.#sink.message({
      text: answer.message.text,
      value: answer.message.value,
      meta: answer.meta,
      origins: [originOf(record)],
    });
  }

  #exchange(record: SourceRecord, fields: Fields): void {
    const found = bodyOf(fields);
    if (found) this.#request(record, found.messages, found.path, found.body);
    const answered = responseOf(fields);
    if (!answered) return;
    const { message, meta } = this.#answer(record, answered.path, answered.response);
    this.#folder.response(message, meta, { format: ID }, [originOf(record)]);
    this.#heads.see(meta);
  }

  #request(record: SourceRecord, values: readonly unknown[], path: readonly string[], body: Fields): void {
    const listPath = Array.isArray(record.value) ? path : [...path, 'messages'];
    const meta = requestMeta(record.text, body, path);
    const { newMessages, continued } = this.#folder.request(
      messagesAt(record.text, listPath, values),
      meta,
      record,
      (message) => {
        this.#title(message.value);
        return {};
      },
    );
    if (continued) this.#continued++;
    else if (this.#folder.begun > 1) this.#restarts.push(originOf(record));
    if (newMessages === 0) this.#sink.ignored(record, 'the request repeats a history read before');
    const time = isRecord(record.value) ? isoTime(ownAt(record.value, 'timestamp')) : undefined;
    this.#heads.see(defined({ timestamp: time, model: stringAt(body, 'model') }));
  }

  #answer(
    record: SourceRecord,
    path: readonly string[],
    response: Fields,
  ): { message: FoldMessage; meta: MessageMeta } {
    const choices = arrayAt(response, 'choices') ?? [];
    const choice = isRecord(choices[0]) ? choices[0] : {};
    if (choices.length > 1) {
      this.#tally.add('import.other_choices', originOf(record));
      this.#note(
        record,
        'choices',
        `${choices.length} choices, the first taken`,
        sliceAt(record.text, [...path, 'choices']) ?? '',
      );
    }
    const text = sliceAt(record.text, [...path, 'choices', 0, 'message']) ?? '{}';
    const outer = isRecord(record.value) ? record.value : {};
    const meta = defined({
      timestamp: isoTime(ownAt(outer, 'timestamp')) ?? isoTime(ownAt(response, 'created')),
      model: stringAt(response, 'model'),
      usage: openaiUsage(ownAt(response, 'usage')),
      stopReason: stringAt(choice, 'finish_reason'),
      id: stringAt(response, 'id'),
    });
    return { message: { text, value: ownAt(choice, 'message') }, meta };
  }

  #unknown(record: SourceRecord): void {
    const type = (isRecord(record.value) ? stringAt(record.value, 'type') : undefined) ?? 'untyped';
    this.#tally.add('import.unknown_record', originOf(record), type);
    if (this.#sink.key === null) this.#begin({ format: ID });
    this.#note(record, `unknown:${type}`, 'a record without messages');
  }

  #note(record: SourceRecord, kind: string, text: string, json = record.text): void {
    this.#sink.event({ kind, at: this.#at, visibility: 'internal', text, json, origin: originOf(record) });
  }

  #title(value: unknown): void {
    if (isRecord(value) && value.role === 'user') this.#heads.title(() => humanText(ownAt(value, 'content')));
  }
}

function requestMeta(text: string, body: Fields, path: readonly string[]): TranscriptMeta {
  const model = stringAt(body, 'model');
  const metadata = recordAt(body, 'metadata');
  return {
    format: ID,
    ...defined({
      models: model === undefined ? undefined : [model],
      toolsJson: arrayAt(body, 'tools') ? (sliceAt(text, [...path, 'tools']) ?? undefined) : undefined,
      settingsJson: settingsAt(ID, text, path, body),
      sessionId: metadata && (stringAt(metadata, 'instance_id') ?? stringAt(metadata, 'session_id')),
    }),
  };
}
