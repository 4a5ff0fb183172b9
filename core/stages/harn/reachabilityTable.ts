// What reachability needs to know of a transcript, whatever the parameters: the identifiers of each result and the
// tokens of each root, as small integers. Read once per message, so that moving a slider only compares integers.
import type { Part } from '../../model/message.ts';
import { formatPath, type TranscriptSource } from '../../model/transcript.ts';
import { scalarCount } from '../../util/chars.ts';
import type { Sha256 } from '../../util/hash.ts';
import { grownInts } from '../../util/ints.ts';
import { compactJson, isJsonText, locate, parseString, stringAtPath, valueTextAt } from '../../util/json/index.ts';
import type { RedactionPointer, StageContext } from '../../view/types.ts';
import { CallIndex } from './callIndex.ts';
import { replacementText } from './redaction.ts';
import { identifiersInJson, rootTokensInJson, withoutPayloads } from './references.ts';
import { identifiersIn, type TokenSink, tokensIn } from './tokens.ts';
import { WordTable } from './wordTable.ts';

/** A tool result of the raw transcript as reachability sees it. */
export interface ResultInfo {
  /** Its number among the results of the table, from 0 on. */
  readonly number: number;
  /** The part of the message that it is. */
  readonly part: number;
  /** Its identifiers, ascending, without duplicates. */
  readonly ids: Int32Array;
  /** Unicode scalars of its content. */
  readonly chars: number;
  /** UTF-16 units of what would be in place of the content. */
  readonly replacementChars: number;
  /** Made each time it is asked for, as the replacement is. */
  readonly pointer: RedactionPointer;
  /** What would be in place of the content. */
  readonly replacement: string;
}

// A transcript has tens of thousands of these, alive as long as it is open, and few are ever looked at: a pointer kept with
// each, and its text, would be a sixth of all objects that a collection goes through.
class ReadResult implements ResultInfo {
  readonly #source: TranscriptSource;
  readonly #index: number;
  readonly #hash: string;
  readonly number: number;
  readonly part: number;
  readonly ids: Int32Array;
  readonly chars: number;
  readonly replacementChars: number;

  /** `hash` = SHA-256 of the content, in hex. */
  constructor(
    source: TranscriptSource,
    index: number,
    hash: string,
    info: Pick<ResultInfo, 'number' | 'part' | 'ids' | 'chars'>,
  ) {
    this.#source = source;
    this.#index = index;
    this.#hash = hash;
    this.number = info.number;
    this.part = info.part;
    this.ids = info.ids;
    this.chars = info.chars;
    this.replacementChars = this.replacement.length;
  }

  get pointer(): RedactionPointer {
    const { path, callId, name } = this.#source.facts(this.#index).parts[this.part]!;
    const block = path[1];
    return {
      policy: 'reachability_gc',
      source: formatPath(this.#index, [...path, 'content']),
      source_index: this.#index,
      source_block_index: typeof block === 'number' ? block : null,
      content_hash: `sha256:${this.#hash}`,
      content_chars: this.chars,
      estimated_tokens_reclaimed: Math.floor(this.chars / 4),
      tool_call_id: callId ?? null,
      tool_name: name ?? null,
      reason: 'stale_tool_result_unreachable',
    };
  }

  get replacement(): string {
    return replacementText(this.pointer);
  }
}

/** The version of roots that no result read later changes. */
const FINAL = -1;

/** Messages read before others get their turn. */
const GATHER_STEP = 16;

// Of the members of a message or block these name the protocol: every result has them, so they distinguish none.
const PROTOCOL: ReadonlySet<string> = new Set(['role', 'type']);
const PROTOCOL_AND_CONTENT: ReadonlySet<string> = new Set(['role', 'type', 'content']);

/** The table of a transcript, kept in its memo. */
export function reachabilityTable({ memo, source, sha256 }: TableContext): ReachabilityTable {
  return memo.get('harn.reachability', () => new ReachabilityTable(source, sha256));
}

type TableContext = Pick<StageContext, 'memo' | 'source' | 'sha256'>;

/** Per-transcript table; filled as it is asked. */
export class ReachabilityTable {
  readonly #source: TranscriptSource;
  readonly #sha256: Sha256;
  readonly #words = new WordTable();
  /** For each word the collection that met it last: a set without hashing. */
  #seen = new Int32Array(1024);
  #collections = 0;
  readonly #collected: number[] = [];
  readonly #results: ((ResultInfo | null | undefined)[] | undefined)[] = [];
  readonly #byNumber: ResultInfo[] = [];
  #namedBy = new Int32Array(0);
  /** For each word 1 + the first message with a result that holds it, 0 = none was read. */
  #firstHolder = new Int32Array(1024);
  /** How often reading a result may have changed what the roots before it name. */
  #version = 0;
  /** All results of the messages before this one were read. */
  #gatheredTo = 0;
  readonly #roots: ({ readonly version: number; readonly ids: Int32Array } | undefined)[] = [];
  readonly #calls: CallIndex;
  #holds = new Uint8Array(0);

  constructor(source: TranscriptSource, sha256: Sha256) {
    this.#source = source;
    this.#sha256 = sha256;
    this.#calls = new CallIndex(source);
  }

  /** Reads the results of the messages [0, to), a few at a time; those read before are passed over. */
  *gatherResults(to: number): Generator<void, void, void> {
    for (let index = this.#gatheredTo; index < to; index++) {
      if (index % GATHER_STEP === 0) yield;
      if (this.holdsResult(index)) {
        for (const [at, part] of this.#source.facts(index).parts.entries()) {
          if (part.kind === 'tool_result') this.result(index, at);
        }
      }
      // Another run may have got further meanwhile.
      this.#gatheredTo = Math.max(this.#gatheredTo, index + 1);
    }
  }

  /** Whether the results of the messages [0, to) were all read. */
  hasGathered(to: number): boolean {
    return this.#gatheredTo >= to;
  }

  /** Reads all that may be asked of the messages [0, to), a few at a time: whoever asks afterwards need not wait. */
  *gather(to: number): Generator<void, void, void> {
    yield* this.gatherResults(to);
    for (let index = 0; index < to; index++) {
      if (index % GATHER_STEP === 0) yield;
      this.rootIds(index);
    }
  }

  /** Number of results read so far; their numbers are below it. */
  get resultCount(): number {
    return this.#byNumber.length;
  }

  /** The result with a number that is below the count. */
  resultAt(number: number): ResultInfo {
    return this.#byNumber[number]!;
  }

  /** By number of a result 1 + the identifier that it was found named by last, in any run: the first to try; 0 = none. */
  get namedBy(): Int32Array {
    const { length } = this.#byNumber;
    if (this.#namedBy.length < length) this.#namedBy = grownInts(this.#namedBy, length);
    return this.#namedBy;
  }

  /** Number of identifiers known so far; ids are below it. */
  get size(): number {
    return this.#words.size;
  }

  /** The identifier behind an id. */
  word(id: number): string {
    return this.#words.word(id);
  }

  /** Whether a raw message holds a tool result. Kept as a byte a message, so that most messages cost no more. */
  holdsResult(index: number): boolean {
    if (index >= this.#holds.length) this.#holds = grown(this.#holds, this.#source.length);
    const known = this.#holds[index] ?? UNKNOWN;
    if (known !== UNKNOWN) return known === YES;
    const holds = this.#source.facts(index).parts.some((part) => part.kind === 'tool_result');
    this.#holds[index] = holds ? YES : NO;
    return holds;
  }

  /** A result of the raw transcript; null if it has no content to reclaim. */
  result(index: number, part: number): ResultInfo | null {
    // Of exact length: one that grows has room for seventeen.
    const row = this.#results[index] ?? new Array<ResultInfo | null | undefined>(part + 1);
    this.#results[index] = row;
    const known = row[part];
    if (known !== undefined) return known;
    const info = this.#readResult(index, part);
    row[part] = info;
    return info;
  }

  /**
   * Tokens of a raw message that are identifiers of some result before it that was read so far: roots are the last
   * messages, and keep nothing alive that is behind them. Ask after the results before it were read.
   */
  rootIds(index: number): Int32Array {
    const known = this.#roots[index];
    if (known !== undefined && (known.version === this.#version || known.version === FINAL)) return known.ids;
    const all = this.rootIdsOfJson(this.#source.text(index));
    // In place: every message becomes a root once, and most of what it names was held before it.
    let held = 0;
    for (let at = 0; at < all.length; at++) if (this.#firstHolder[all[at]!]! <= index) all[held++] = all[at]!;
    const ids = held === all.length ? all : all.slice(0, held);
    this.#roots[index] = { version: this.#gatheredTo >= index ? FINAL : this.#version, ids };
    return ids;
  }

  /** As rootIds, for the JSON text of an edited or synthetic message. */
  rootIdsOfJson(json: string): Int32Array {
    return this.#collectKnown((sink) => rootTokensInJson(json, sink));
  }

  /** The tokens of a caller's text, all of them: a result read later may hold them. */
  idsOfText(text: string): Int32Array {
    return this.#collect((sink) => tokensIn(text, sink), this.#addWord);
  }

  #readResult(index: number, partAt: number): ResultInfo | null {
    const part = this.#source.facts(index).parts[partAt];
    if (part === undefined) return null;
    const node = valueTextAt(this.#source.text(index), part.path);
    const span = node === null ? null : locate(node, ['content']);
    if (node === null || span === null) return null;
    const isString = node[span.start] === '"';
    const content = isString ? parseString(node, span.start, span.end) : compactJson(node.slice(span.start, span.end));
    const ids = this.#collectNew(index, (sink) => {
      identifiersIn(isString ? content : withoutPayloads(content), sink);
      identifiersInJson(node, sink, isString ? PROTOCOL_AND_CONTENT : PROTOCOL);
      this.#callIdentifiers(index, part, sink);
    });
    const chars = scalarCount(content);
    const number = this.#byNumber.length;
    const hash = this.#sha256().update(content).hex();
    const info = new ReadResult(this.#source, index, hash, { number, part: partAt, ids, chars });
    this.#byNumber.push(info);
    return info;
  }

  #callIdentifiers(index: number, result: Part, sink: TokenSink): void {
    this.#calls.readTo(index);
    const call = this.#calls.callBefore(index, result);
    const node = call === null ? null : valueTextAt(this.#source.text(call.index), call.part.path);
    if (node === null) return;
    identifiersInJson(node, sink, PROTOCOL);
    if (!mayHave(node, 'arguments')) return;
    const written = stringAtPath(node, ['function', 'arguments']) ?? stringAtPath(node, ['arguments']);
    if (written !== null && isJsonText(written)) identifiersInJson(written, sink);
  }

  #collectNew(index: number, collect: (sink: TokenSink) => void): Int32Array {
    const ids = this.#collect(collect, this.#addWord).sort();
    if (this.size > this.#firstHolder.length) this.#firstHolder = grownInts(this.#firstHolder, this.size);
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at]!;
      const first = this.#firstHolder[id]!;
      if (first !== 0 && first <= index + 1) continue;
      this.#firstHolder[id] = index + 1;
      this.#version++;
    }
    return ids;
  }

  #collectKnown(collect: (sink: TokenSink) => void): Int32Array {
    return this.#collect(collect, this.#findWord);
  }

  /** The numbers of the tokens, each once. */
  #collect(collect: (sink: TokenSink) => void, sink: TokenSink): Int32Array {
    this.#collections++;
    this.#collected.length = 0;
    collect(sink);
    return new Int32Array(this.#collected);
  }

  // Made once: every token of the transcript comes by one of the two.
  readonly #addWord: TokenSink = (text, from, to, hash) => this.#take(this.#words.add(text, from, to, hash));
  readonly #findWord: TokenSink = (text, from, to, hash) => {
    const id = this.#words.find(text, from, to, hash);
    if (id >= 0) this.#take(id);
  };

  #take(id: number): void {
    if (this.#seen[id] === this.#collections) return;
    if (id >= this.#seen.length) this.#seen = grownInts(this.#seen, id + 1);
    this.#seen[id] = this.#collections;
    this.#collected.push(id);
  }
}

// Most calls have no such member, and to find that out by reading them takes longer.
function mayHave(json: string, key: string): boolean {
  return json.includes(key) || json.includes('\\u');
}

const UNKNOWN = 0;
const NO = 1;
const YES = 2;

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
