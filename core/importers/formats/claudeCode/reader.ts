import { anthropicDiagnosis } from '../../../model/cacheDiagnosis.ts';
import { compactionLine } from '../../../model/compactionWords.ts';
import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import { inputTransformations } from '../../../model/inputTransformations.ts';
import type { MessageMeta } from '../../../model/message.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, boolAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { branchProblem } from '../../reading/branchProblem.ts';
import {
  anthropicSpeed,
  anthropicUsage,
  appliedEdits,
  defined,
  humanText,
  isoTime,
  originOf,
} from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import type { FormatReader } from '../../types.ts';
import { AgentCalls, spawnIn } from './agents.ts';
import { attachedPiece, queuedPiece } from './asidePieces.ts';
import { readAttachment } from './attachment.ts';
import { Chain, type ChainOwner, type Piece } from './chain.ts';
import { describeRecord, type EventFace } from './describe.ts';
import { isCommand, isWrapped } from './injected.ts';
import { PromptQueue } from './queue.ts';
import { KnownUuids, type NodeKind, parentOf, SCRUBBED } from './tree.ts';

const MAIN = 'main';
/** Events before the first message wait for the chain they belong to; so many at most. */
const MAX_EARLY = 1000;

/** Reads session lines: messages into their chains, everything else into the audit. */
export class ClaudeCodeReader implements FormatReader, ChainOwner {
  readonly #sink: ImportSink;
  readonly #chains = new Map<string, Chain>();
  readonly #rootOf = new Map<string, string>();
  readonly #uuids = new KnownUuids();
  readonly #agents = new AgentCalls();
  readonly #titles = new Map<string, string>();
  readonly #tally = new Tally();
  readonly #queue = new PromptQueue();
  #primary: Chain | null = null;
  #current: string | null = null;
  #early: SourceRecord[] = [];
  #afterBoundary = false;

  constructor(sink: ImportSink) {
    this.#sink = sink;
  }

  record(record: SourceRecord): void {
    const fields = isRecord(record.value) ? record.value : {};
    const type = stringAt(fields, 'type');
    this.#queue.see(fields);
    if (type === 'user' || type === 'assistant') {
      this.#message(record, fields, fields, type, ['message']);
      return;
    }
    if (type !== undefined) this.#noteInTree(fields, type);
    const data = type === 'progress' ? recordAt(fields, 'data') : undefined;
    const nested = data && stringAt(data, 'type') === 'agent_progress' ? recordAt(data, 'message') : undefined;
    const nestedType = nested && stringAt(nested, 'type');
    if (nested && (nestedType === 'user' || nestedType === 'assistant')) {
      this.#message(record, fields, nested, nestedType, ['data', 'message', 'message']);
      return;
    }
    this.#note(record);
  }

  settle(): void {
    for (const chain of this.#chains.values()) chain.settle();
  }

  end(): void {
    if (!this.#primary) this.#setPrimary(this.#chain(MAIN, { format: 'claude-code' }));
    for (const chain of this.#chains.values()) {
      chain.end();
    }
    this.#endBranches();
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  enter(chain: Chain, key: string): void {
    if (this.#current === key) return;
    this.#current = key;
    this.#sink.begin(key, key === chain.key ? chain.start : { format: 'claude-code' });
  }

  late(chain: Chain, origin: Origin): void {
    this.#tally.add('import.late_block', origin, chain.key);
  }

  // What a person or the tool called it goes before the first words.
  titleOf(chain: Chain): string | undefined {
    const first = chain.tree.path.words;
    if (chain !== this.#primary || chain.key !== MAIN) return first;
    const given = ['custom-title', 'ai-title', 'summary'].map((source) => this.#titles.get(source));
    return given.find((title) => title !== undefined) ?? first;
  }
  // How much a branch shares with the active one is known only now: that may have gone back again.
  #endBranches(): void {
    const path = this.#chains.get(MAIN)?.tree.path;
    path?.reportShared(this.#sink, 'claude-code');
    if (path && path.branches + path.refused > 0) this.#sink.problem(branchProblem(path));
  }

  // `outer` = the line's own fields, `inner` = the fields of the message record (nested in a sub-agent's progress).
  #message(record: SourceRecord, outer: Fields, inner: Fields, type: string, path: readonly string[]): void {
    const message = recordAt(inner, 'message');
    const contentText =
      message && Object.hasOwn(message, 'content') ? sliceAt(record.text, [...path, 'content']) : null;
    const origin = originOf(record);
    if (!message || contentText === null) {
      this.#tally.add('import.message_without_content', origin, type);
      this.#noteInTree(inner, type);
      this.#eventIn(this.#primary, record, `unknown:${type}`, `a ${type} record without message content`);
      return;
    }
    const uuid = stringAt(inner, 'uuid');
    const seen = uuid === undefined ? 'new' : this.#uuids.seen(uuid, contentText);
    if (seen === 'same') {
      this.#sink.ignored(record, 'a record with the same uuid and content was read before');
      return;
    }
    if (seen === 'changed') this.#tally.add('import.uuid_reused', origin, uuid ?? '');
    const chain = this.#chainOf(outer, inner, uuid, message.content);
    if (!this.#primary) this.#setPrimary(chain);
    const kind = kindOf(inner, message, type);
    const injected = kind !== 'answer' && kind !== 'result' && isWrapped(message.content);
    const piece: Piece = {
      contentText,
      content: message.content,
      origin,
      uuid,
      parentUuid: parentOf(inner),
      session: stringAt(inner, 'sessionId'),
      kind: injected && kind === 'person' ? 'note' : kind,
      words: kind === 'person' || kind === 'command' ? humanText(message.content) : undefined,
      meta: messageMeta(outer, inner, message, { type, side: chain !== this.#mainChain(), injected }),
    };
    const line = {
      role: stringAt(message, 'role') ?? type,
      key: type === 'assistant' ? joinKey(inner, message) : null,
    };
    this.#hand(record, chain, line, piece);
    const spawn = type === 'user' ? spawnIn(outer, message.content) : undefined;
    if (spawn && !SCRUBBED.test(spawn.agentId) && !SCRUBBED.test(spawn.callId)) chain.spawn(spawn);
  }

  #hand(record: SourceRecord, chain: Chain, line: { role: string; key: string | null }, piece: Piece): void {
    if (piece.meta.compactSummary && !this.#afterBoundary)
      chain.compaction(heldEvent(record, 'compaction', 'compaction'), {});
    this.#afterBoundary = false;
    if (piece.kind === 'answer') this.#agents.answer(piece.content, chain.key);
    // A text that was taken out of the queue, and has a record after all, is one message.
    if (line.role === 'user') for (const text of textsOf(piece.content)) chain.claimQueued(text);
    chain.message(line.role, line.key, piece);
  }

  #mainChain(): Chain | undefined {
    return this.#chains.get(MAIN);
  }

  #chainOf(outer: Fields, inner: Fields, uuid: string | undefined, content?: unknown): Chain {
    const nested = outer !== inner;
    const data = nested ? recordAt(outer, 'data') : undefined;
    const agentId = (data && stringAt(data, 'agentId')) ?? stringAt(outer, 'agentId');
    if (!nested && boolAt(outer, 'isSidechain') !== true) return this.#chain(MAIN, sessionMeta(outer));
    const key = agentId ?? this.#sidechainRoot(inner, uuid);
    const known = this.#chains.get(key);
    if (known) return known;
    const call = content === undefined ? undefined : this.#agents.claim(content);
    const parentCallId = (nested ? stringAt(outer, 'parentToolUseID') : undefined) ?? call?.callId;
    const parentKey = call?.key ?? (this.#mainChain() ? MAIN : undefined);
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
    const chain = new Chain(key, start, this.#sink, this, key === MAIN);
    this.#chains.set(key, chain);
    return chain;
  }

  #setPrimary(chain: Chain): void {
    this.#primary = chain;
    const early = this.#early;
    this.#early = [];
    for (const record of early) {
      const fields = isRecord(record.value) ? record.value : {};
      this.#noteInTree(fields, stringAt(fields, 'type') ?? '');
      this.#note(record);
    }
  }

  // A boundary names no parent, but what comes after it continues from where the conversation was.
  #noteInTree(fields: Fields, type: string): void {
    const isBoundary = type === 'system' && stringAt(fields, 'subtype') === 'compact_boundary';
    const chain = boolAt(fields, 'isSidechain') === true ? null : this.#mainChain();
    chain?.tree.note(stringAt(fields, 'uuid'), isBoundary ? null : parentOf(fields));
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
    if (fields && face.kind === 'title') this.#titles.set(type, face.text);
    const chain =
      fields && boolAt(fields, 'isSidechain') === true ? this.#chainOf(fields, fields, undefined) : this.#primary;
    const compacts = fields && type === 'system' ? stringAt(fields, 'subtype') : undefined;
    if (fields && compacts === 'compact_boundary') this.#compaction(record, fields, chain);
    else if (fields && compacts === 'microcompact_boundary') this.#cleared(record, fields, chain, face.text);
    else if (fields && type === 'attachment') this.#attachment(record, fields, chain);
    else if (fields && type === 'queue-operation') this.#queueOperation(record, fields, face);
    else this.#eventIn(chain, record, face.kind, face.text);
  }

  #attachment(record: SourceRecord, fields: Fields, chain: Chain): void {
    const attachment = readAttachment(record, fields);
    const said = stringAt(recordAt(fields, 'attachment') ?? {}, 'prompt');
    if (said !== undefined && !chain.claimQueued(said)) this.#queue.attach(said);
    if (attachment.as === 'event') {
      this.#eventIn(chain, record, describeRecord('attachment', fields).kind, attachment.text);
      return;
    }
    const uuid = stringAt(fields, 'uuid');
    if (uuid !== undefined && this.#uuids.seen(uuid, attachment.contentText) === 'same') {
      this.#sink.ignored(record, 'a record with the same uuid and content was read before');
      return;
    }
    chain.aside(attachment.role, attachedPiece(record, fields, attachment, chain !== this.#mainChain()));
  }

  // What was taken up in mid-turn, and has no record of itself, is what the record that takes it out says.
  #queueOperation(record: SourceRecord, fields: Fields, { kind, text }: EventFace): void {
    const chain = this.#mainChain() ?? this.#primary;
    const taken = this.#queue.operate(fields);
    if (taken === null || chain === null) this.#eventIn(this.#primary, record, kind, text);
    else chain.queued(queuedPiece(record, fields, taken), { text: taken, event: heldEvent(record, kind, text) });
  }

  #compaction(record: SourceRecord, fields: Fields, chain: Chain): void {
    const facts = recordAt(fields, 'compactMetadata') ?? {};
    this.#afterBoundary = true;
    const known = defined({
      trigger: stringAt(facts, 'trigger'),
      preTokens: numberAt(facts, 'preTokens'),
      postTokens: numberAt(facts, 'postTokens'),
    });
    const uuids = arrayAt(recordAt(facts, 'preservedMessages') ?? {}, 'uuids');
    const preservedUuids = uuids?.filter((uuid) => typeof uuid === 'string');
    chain.compaction(
      heldEvent(record, 'compaction', compactionLine('compaction', known)),
      defined({ ...known, preservedUuids }),
    );
  }

  #cleared(record: SourceRecord, fields: Fields, chain: Chain, text: string): void {
    const facts = recordAt(fields, 'microcompactMetadata') ?? {};
    const ids = arrayAt(facts, 'compactedToolIds') ?? [];
    const preTokens = numberAt(facts, 'preTokens');
    const saved = numberAt(facts, 'tokensSaved');
    const postTokens = preTokens === undefined || saved === undefined ? undefined : preTokens - saved;
    const known = defined({ trigger: stringAt(facts, 'trigger'), preTokens, postTokens });
    const clearedCallIds = ids.filter((id) => typeof id === 'string');
    chain.cleared(heldEvent(record, 'compaction', text), { ...known, clearedCallIds });
  }

  #eventIn(chain: Chain | null, record: SourceRecord, kind: string, text: string): void {
    const target = chain ?? this.#chain(MAIN, { format: 'claude-code' });
    if (!this.#primary) this.#setPrimary(target);
    target.event(heldEvent(record, kind, text));
  }
}

function joinKey(fields: Fields, message: Fields): string | null {
  const id = stringAt(message, 'id');
  if (id !== undefined && id !== '' && !SCRUBBED.test(id)) return id;
  const request = stringAt(fields, 'requestId');
  return request !== undefined && request !== '' && !SCRUBBED.test(request) ? `request ${request}` : null;
}

function kindOf(fields: Fields, message: Fields, type: string): NodeKind {
  const isTrue = (key: string): boolean => boolAt(fields, key) === true;
  if (type === 'assistant') return isTrue('isApiErrorMessage') ? 'note' : 'answer';
  const { content } = message;
  if (Array.isArray(content) && content.some((block) => isRecord(block) && block.type === 'tool_result'))
    return 'result';
  if (isTrue('isMeta') || isTrue('isCompactSummary')) return 'note';
  return isCommand(content) ? 'command' : 'person';
}

function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return (arrayAt({ content }, 'content') ?? []).flatMap((block) => {
    const text = isRecord(block) ? stringAt(block, 'text') : undefined;
    return text === undefined ? [] : [text];
  });
}

interface About {
  readonly type: string;
  /** In a sub-agent's chain. */
  readonly side: boolean;
  /** All it says is in the client's own tags. */
  readonly injected: boolean;
}

function messageMeta(outer: Fields, inner: Fields, message: Fields, about: About): MessageMeta {
  const agent = recordAt(outer, 'data');
  const isTrue = (key: string): true | undefined => (boolAt(inner, key) === true ? true : undefined);
  const assistant = about.type === 'assistant';
  return defined({
    timestamp: isoTime(ownAt(inner, 'timestamp')) ?? isoTime(ownAt(outer, 'timestamp')),
    model: assistant ? stringAt(message, 'model') : undefined,
    usage: assistant ? anthropicUsage(ownAt(message, 'usage')) : undefined,
    appliedEdits: assistant ? appliedEdits(ownAt(message, 'context_management')) : undefined,
    stopReason: assistant ? stringAt(message, 'stop_reason') : undefined,
    cacheDiagnosis: assistant ? anthropicDiagnosis(message) : undefined,
    inputTransformations: assistant ? inputTransformations(message) : undefined,
    effort: assistant ? stringAt(inner, 'effort') : undefined,
    speed: assistant ? anthropicSpeed(ownAt(message, 'usage')) : undefined,
    id: (assistant ? stringAt(message, 'id') : undefined) ?? stringAt(inner, 'uuid'),
    requestId: assistant ? stringAt(inner, 'requestId') : undefined,
    injected: isTrue('isMeta') ?? (about.injected ? true : undefined),
    compactSummary: isTrue('isCompactSummary'),
    apiError: isTrue('isApiErrorMessage'),
    sidechain: about.side ? true : undefined,
    agentId: about.side ? ((agent && stringAt(agent, 'agentId')) ?? stringAt(outer, 'agentId')) : undefined,
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

function jsonType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
