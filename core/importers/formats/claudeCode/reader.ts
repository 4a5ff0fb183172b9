import type { MessageMeta } from '../../../model/message.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, boolAt, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { sliceAt } from '../../slices.ts';
import type { FormatReader, ImportSink, SourceRecord } from '../../types.ts';
import { anthropicUsage, defined, humanText, isoTime, originOf } from '../shared.ts';
import { Tally } from '../tally.ts';
import { Chain, type Piece } from './chain.ts';
import { describeRecord } from './describe.ts';
import { UuidTree } from './tree.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAIN = 'main';
/** Events before the first message wait for the chain they belong to; so many at most. */
const MAX_EARLY = 1000;
/** Values a scrubber left where an id was: they name nothing. */
const SCRUBBED = /^(<.*>|REDACTED|\[.*\])$/i;

/** Reads session lines: messages into their chains, everything else into the audit. */
export class ClaudeCodeReader implements FormatReader {
  readonly #sink: ImportSink;
  readonly #chains = new Map<string, Chain>();
  readonly #rootOf = new Map<string, string>();
  readonly #tree = new UuidTree();
  readonly #titles = new Map<string, string>();
  readonly #tally = new Tally();
  #primary: Chain | null = null;
  #current: Chain | null = null;
  #early: SourceRecord[] = [];

  constructor(sink: ImportSink) {
    this.#sink = sink;
  }

  record(record: SourceRecord): void {
    const fields = isRecord(record.value) ? record.value : {};
    const type = stringAt(fields, 'type');
    if (type === 'user' || type === 'assistant') {
      this.#message(record, fields, fields, type, ['message']);
      return;
    }
    const data = type === 'progress' ? recordAt(fields, 'data') : undefined;
    const nested = data && stringAt(data, 'type') === 'agent_progress' ? recordAt(data, 'message') : undefined;
    const nestedType = nested && stringAt(nested, 'type');
    if (nested && (nestedType === 'user' || nestedType === 'assistant')) {
      this.#message(record, fields, nested, nestedType, ['data', 'message', 'message']);
      return;
    }
    if (type !== undefined) this.#tree.addNote(stringAt(fields, 'uuid'), stringAt(fields, 'parentUuid'));
    this.#note(record);
  }

  end(): void {
    if (!this.#primary) this.#setPrimary(this.#chain(MAIN, { format: 'claude-code' }));
    for (const chain of this.#chains.values()) {
      chain.flush();
      this.#enter(chain);
      const title = this.#titleOf(chain);
      this.#sink.meta({ ...chain.extent.meta(), ...(title === undefined ? {} : { title }) });
    }
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
    if (this.#tree.forks > 0) this.#sink.problem(branchProblem(this.#tree.forks));
  }

  // `outer` = the line's own fields, `inner` = the fields of the message record (nested in a sub-agent's progress).
  #message(record: SourceRecord, outer: Fields, inner: Fields, type: string, path: readonly string[]): void {
    const message = recordAt(inner, 'message');
    const contentText =
      message && Object.hasOwn(message, 'content') ? sliceAt(record.text, [...path, 'content']) : null;
    const origin = originOf(record);
    if (!message || contentText === null) {
      this.#tally.add('import.message_without_content', origin, type);
      this.#eventIn(this.#primary, record, `unknown:${type}`, `a ${type} record without message content`);
      return;
    }
    const uuid = stringAt(inner, 'uuid');
    const seen = uuid === undefined ? 'new' : this.#tree.seen(uuid, contentText);
    if (seen === 'same') {
      this.#sink.ignored(record, 'a record with the same uuid and content was read before');
      return;
    }
    if (seen === 'changed') this.#tally.add('import.uuid_reused', origin, uuid ?? '');
    const chain = this.#chainOf(outer, inner, uuid);
    if (!this.#primary) this.#setPrimary(chain);
    this.#branch(inner, message, type, uuid);
    const piece: Piece = {
      contentText,
      content: message.content,
      origin,
      uuid,
      meta: messageMeta(outer, inner, message, type, chain !== this.#mainChain()),
    };
    if (piece.meta.compactSummary && !this.#afterBoundary)
      chain.compaction(heldEvent(record, 'compaction', 'compaction'), {});
    this.#afterBoundary = false;
    if (type === 'user' && !this.#titles.has(`first:${chain.key}`) && piece.meta.injected !== true) {
      this.#noteTitle(`first:${chain.key}`, piece.meta.compactSummary ? undefined : humanText(message.content));
    }
    const role = stringAt(message, 'role') ?? type;
    chain.message(role, type === 'assistant' ? joinKey(inner, message) : null, piece);
  }

  #afterBoundary = false;

  #branch(inner: Fields, message: Fields, type: string, uuid: string | undefined): void {
    const isNote = boolAt(inner, 'isMeta') === true || boolAt(inner, 'isCompactSummary') === true;
    const identity =
      type === 'assistant' ? joinKey(inner, message) : isNote || onlyResults(message.content) ? null : uuid;
    this.#tree.add({ parentUuid: stringAt(inner, 'parentUuid'), identity: identity ?? null });
  }

  #mainChain(): Chain | undefined {
    return this.#chains.get(MAIN);
  }

  #chainOf(outer: Fields, inner: Fields, uuid: string | undefined): Chain {
    const nested = outer !== inner;
    const data = nested ? recordAt(outer, 'data') : undefined;
    const agentId = (data && stringAt(data, 'agentId')) ?? stringAt(outer, 'agentId');
    if (!nested && boolAt(outer, 'isSidechain') !== true) return this.#chain(MAIN, sessionMeta(outer));
    const key = agentId ?? this.#sidechainRoot(inner, uuid);
    const parentCallId = nested ? stringAt(outer, 'parentToolUseID') : undefined;
    const parentKey = this.#mainChain() ? MAIN : undefined;
    return this.#chain(key, { ...sessionMeta(outer), ...defined({ agentId, parentCallId, parentKey }) });
  }

  // Sub-agents of version 1 have no id: their chain is named by its first record.
  #sidechainRoot(fields: Fields, uuid: string | undefined): string {
    const parent = stringAt(fields, 'parentUuid');
    const root = (parent !== undefined ? this.#rootOf.get(parent) : undefined) ?? uuid ?? 'sidechain';
    if (uuid !== undefined) this.#rootOf.set(uuid, root);
    return root;
  }

  #chain(key: string, start: TranscriptMeta): Chain {
    const known = this.#chains.get(key);
    if (known) return known;
    const late = (origin: Origin): void => this.#tally.add('import.late_block', origin, key);
    const chain = new Chain(key, start, this.#sink, (entering) => this.#enter(entering), late);
    this.#chains.set(key, chain);
    return chain;
  }

  #enter(chain: Chain): void {
    if (this.#current === chain) return;
    this.#current = chain;
    this.#sink.begin(chain.key, chain.start);
  }

  #setPrimary(chain: Chain): void {
    this.#primary = chain;
    const early = this.#early;
    this.#early = [];
    for (const record of early) this.#note(record);
  }

  #note(record: SourceRecord): void {
    if (!this.#primary) {
      this.#early.push(record);
      if (this.#early.length > MAX_EARLY) this.#setPrimary(this.#chain(MAIN, { format: 'claude-code' }));
      return;
    }
    const fields = isRecord(record.value) ? record.value : null;
    const type = fields ? (stringAt(fields, 'type') ?? 'untyped') : jsonType(record.value);
    const face = describeRecord(type, fields ?? {});
    if (!face.known) this.#tally.add('import.unknown_record', originOf(record), type);
    if (fields && face.kind === 'title') this.#noteTitle(type, face.text);
    const chain =
      fields && boolAt(fields, 'isSidechain') === true ? this.#chainOf(fields, fields, undefined) : this.#primary;
    if (fields && type === 'system' && stringAt(fields, 'subtype') === 'compact_boundary') {
      const facts = recordAt(fields, 'compactMetadata') ?? {};
      this.#afterBoundary = true;
      chain.compaction(
        heldEvent(record, 'compaction', compactionText(facts)),
        defined({
          trigger: stringAt(facts, 'trigger'),
          preTokens: numberAt(facts, 'preTokens'),
          postTokens: numberAt(facts, 'postTokens'),
          preservedUuids: arrayAt(recordAt(facts, 'preservedMessages') ?? {}, 'uuids')?.filter(
            (uuid) => typeof uuid === 'string',
          ),
        }),
      );
      return;
    }
    this.#eventIn(chain, record, face.kind, face.text);
  }

  #eventIn(chain: Chain | null, record: SourceRecord, kind: string, text: string): void {
    const target = chain ?? this.#chain(MAIN, { format: 'claude-code' });
    if (!this.#primary) this.#setPrimary(target);
    target.event(heldEvent(record, kind, text));
  }

  #noteTitle(source: string, title: string | undefined): void {
    if (title !== undefined) this.#titles.set(source, title);
  }

  // What a person or the tool called it goes before the first words.
  #titleOf(chain: Chain): string | undefined {
    const first = this.#titles.get(`first:${chain.key}`);
    if (chain !== this.#primary || chain.key !== MAIN) return first;
    const given = ['custom-title', 'ai-title', 'summary'].map((source) => this.#titles.get(source));
    return given.find((title) => title !== undefined) ?? first;
  }
}

function joinKey(fields: Fields, message: Fields): string | null {
  const id = stringAt(message, 'id');
  if (id !== undefined && id !== '' && !SCRUBBED.test(id)) return id;
  const request = stringAt(fields, 'requestId');
  return request !== undefined && request !== '' && !SCRUBBED.test(request) ? `request ${request}` : null;
}

function onlyResults(content: unknown): boolean {
  if (!Array.isArray(content) || content.length === 0) return false;
  return content.every((block) => isRecord(block) && ownAt(block, 'type') === 'tool_result');
}

function messageMeta(outer: Fields, inner: Fields, message: Fields, type: string, side: boolean): MessageMeta {
  const agent = recordAt(outer, 'data');
  const isTrue = (key: string): true | undefined => (boolAt(inner, key) === true ? true : undefined);
  const assistant = type === 'assistant';
  return defined({
    timestamp: isoTime(ownAt(inner, 'timestamp')) ?? isoTime(ownAt(outer, 'timestamp')),
    model: assistant ? stringAt(message, 'model') : undefined,
    usage: assistant ? anthropicUsage(ownAt(message, 'usage')) : undefined,
    stopReason: assistant ? stringAt(message, 'stop_reason') : undefined,
    id: (assistant ? stringAt(message, 'id') : undefined) ?? stringAt(inner, 'uuid'),
    requestId: assistant ? stringAt(inner, 'requestId') : undefined,
    injected: isTrue('isMeta'),
    compactSummary: isTrue('isCompactSummary'),
    apiError: isTrue('isApiErrorMessage'),
    sidechain: side ? true : undefined,
    agentId: side ? ((agent && stringAt(agent, 'agentId')) ?? stringAt(outer, 'agentId')) : undefined,
  });
}

function sessionMeta(fields: Fields): TranscriptMeta {
  return {
    format: 'claude-code',
    ...defined({
      sessionId: stringAt(fields, 'sessionId'),
      cwd: stringAt(fields, 'cwd'),
      gitBranch: stringAt(fields, 'gitBranch') || undefined,
      toolVersion: stringAt(fields, 'version'),
    }),
  };
}

function heldEvent(record: SourceRecord, kind: string, text: string): Parameters<Chain['event']>[0] {
  const timestamp = isRecord(record.value) ? isoTime(ownAt(record.value, 'timestamp')) : undefined;
  const origin = originOf(record);
  return { kind, visibility: 'internal', text, json: record.text, origin, ...(timestamp ? { timestamp } : {}) };
}

function compactionText(facts: Fields): string {
  const before = numberAt(facts, 'preTokens');
  return `compaction (${stringAt(facts, 'trigger') ?? 'unknown trigger'}${before === undefined ? '' : `, ${before} tokens before`})`;
}

function jsonType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function branchProblem(forks: number): Problem {
  const text = `The conversation was rewound or edited in ${forks} ${forks === 1 ? 'place' : 'places'}; the messages of all branches are kept, in the order of the file.`;
  return { code: 'import.branches', severity: 'info', text };
}
