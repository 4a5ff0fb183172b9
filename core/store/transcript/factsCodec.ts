// Facts of many messages as one short JSON text, and back. Strings that repeat (roles, names, paths) become one
// object again on reading, so that the facts of 100,000 messages fit in a few dozen MB.

import type { CacheTtl } from '../../model/cacheMark.ts';
import { CATEGORIES } from '../../model/category.ts';
import type { JsonPath, MessageFacts, Part, PartKind } from '../../model/message.ts';
import { readStored } from '../library/storeProblem.ts';

/** Fixed: stored libraries depend on the order. Only append. */
const KINDS: readonly PartKind[] = ['text', 'thinking', 'tool_call', 'tool_result', 'image', 'file', 'opaque', 'other'];
const TOOL_RESULT = KINDS.indexOf('tool_result');

const SIGNED = 1;
const BEGINS_TURN = 2;
const HAS_ERROR = 4;
const IS_ERROR = 8;
const HAS_SIGNED = 16;
const CACHE_MARK = 32;
const CACHE_HOUR = 64;

/** 0 = the field is absent, 1 = it is null. */
type PackedText = string | 0 | 1;
/** kind, category, flags, path, chars, callId, name; trailing zeros left out. */
type PackedPart = [number, number, number, JsonPath, number, PackedText?, PackedText?];
/** role, flags, parts. */
type PackedFacts = [string, number, ...PackedPart[]];
/** Where the parts of packed facts begin. */
const FIRST_PART = 2;

/** One JSON text for a run of messages. */
export function packFacts(all: readonly MessageFacts[]): string {
  return JSON.stringify(all.map(packOne));
}

function packOne(facts: MessageFacts): PackedFacts {
  const flags = (facts.signed ? SIGNED : 0) | (facts.beginsTurn ? BEGINS_TURN : 0);
  return [facts.role, flags, ...facts.parts.map(packPart)];
}

function packPart(part: Part): PackedPart {
  const flags =
    (part.signed === undefined ? 0 : HAS_SIGNED | (part.signed ? SIGNED : 0)) |
    (part.isError === undefined ? 0 : HAS_ERROR | (part.isError ? IS_ERROR : 0)) |
    (part.cacheMark === undefined ? 0 : CACHE_MARK | (part.cacheMark === '1h' ? CACHE_HOUR : 0));
  const head: PackedPart = [KINDS.indexOf(part.kind), CATEGORIES.indexOf(part.category), flags, part.path, part.chars];
  const callId = packText(part.callId);
  const name = packText(part.name);
  if (callId === 0 && name === 0) return head;
  head.push(callId);
  if (name !== 0) head.push(name);
  return head;
}

function packText(text: string | null | undefined): PackedText {
  if (text === undefined) return 0;
  return text === null ? 1 : text;
}

/**
 * What is asked of all messages at once when a transcript is opened, without their facts: who speaks (a byte of
 * ASSISTANT, TURN, SIGNED_MESSAGE, SYSTEM and RESULTS a message), of each part, in order, `category slot << 29 | chars`, and the parts
 * (numbered through the transcript) that carry a mark of the prompt cache, ascending.
 */
export interface FactsDigest {
  readonly roles: Uint8Array<ArrayBuffer>;
  readonly sizes: Uint32Array<ArrayBuffer>;
  readonly cacheMarks: Map<number, CacheTtl>;
}

/** The message is an assistant's: a call point stands before it. */
export const ASSISTANT = 1;
/** The message begins a turn. */
export const TURN = 2;
/** The message carries signed reasoning. */
export const SIGNED_MESSAGE = 4;
/** The message is a system message. */
export const SYSTEM = 8;
/** The message carries results of tools. */
export const RESULTS = 16;
/** A part is shorter than this: lines of more than 400 MiB are not read. */
export const SIZE_BITS = 29;
const MOST_CHARS = 2 ** SIZE_BITS - 1;

/** Puts the digest of packed facts into `into`, from message `message` and part `part` on. */
export function digestFacts(packed: string, into: FactsDigest, message: number, part: number): void {
  const rows: PackedFacts[] = readStored(packed);
  let at = part;
  // By index: an opening runs this before it is compiled, when iterators cost most.
  for (let nth = 0; nth < rows.length; nth++) {
    const row = rows[nth]!;
    let role = row[0] === 'assistant' ? ASSISTANT : row[0] === 'system' ? SYSTEM : 0;
    if ((row[1] & BEGINS_TURN) !== 0) role |= TURN;
    if ((row[1] & SIGNED) !== 0) role |= SIGNED_MESSAGE;
    for (let place = FIRST_PART; place < row.length; place++) {
      const packedPart = row[place] as PackedPart;
      if (packedPart[0] === TOOL_RESULT) role |= RESULTS;
      const flags = packedPart[2];
      if ((flags & CACHE_MARK) !== 0) into.cacheMarks.set(at, (flags & CACHE_HOUR) === 0 ? '5m' : '1h');
      into.sizes[at++] = sizeOf(packedPart[1], packedPart[4]);
    }
    into.roles[message + nth] = role;
  }
}

/** A part's entry in a digest. */
export function sizeOf(slot: number, chars: number): number {
  return ((slot << SIZE_BITS) | Math.min(chars, MOST_CHARS)) >>> 0;
}

/** Whether packed facts are as this program packs them, as far as reading them asks. */
export function arePackedFacts(packed: string): boolean {
  const rows: unknown = readStored(packed);
  return Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.slice(2).every(Array.isArray));
}

/** Reads packed facts. One unpacker per transcript: it remembers what repeats. */
export class FactsUnpacker {
  readonly #strings = new Map<string, string>();
  readonly #paths = new Map<string, JsonPath>();

  unpack(packed: string): MessageFacts[] {
    const rows: PackedFacts[] = readStored(packed);
    return rows.map((row) => this.#one(row));
  }

  #one([role, flags, ...parts]: PackedFacts): MessageFacts {
    return {
      role: this.#shared(role),
      parts: parts.map((part) => this.#part(part)),
      signed: (flags & SIGNED) !== 0,
      beginsTurn: (flags & BEGINS_TURN) !== 0,
    };
  }

  #part([kind, category, flags, path, chars, callId = 0, name = 0]: PackedPart): Part {
    return {
      kind: KINDS[kind] ?? 'other',
      category: CATEGORIES[category] ?? 'user',
      path: this.#path(path),
      chars,
      ...(callId === 0 ? {} : { callId: callId === 1 ? null : callId }),
      ...(name === 0 ? {} : { name: name === 1 ? null : this.#shared(name) }),
      ...((flags & HAS_ERROR) === 0 ? {} : { isError: (flags & IS_ERROR) !== 0 }),
      ...((flags & HAS_SIGNED) === 0 ? {} : { signed: (flags & SIGNED) !== 0 }),
      ...((flags & CACHE_MARK) === 0 ? {} : { cacheMark: (flags & CACHE_HOUR) === 0 ? '5m' : '1h' }),
    };
  }

  #shared(text: string): string {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, text);
    return text;
  }

  #path(path: JsonPath): JsonPath {
    const key = path.join('\n');
    const known = this.#paths.get(key);
    // `['a', '0']` and `['a', 0]` join alike; only number steps are shared under their key.
    if (known?.every((step, i) => step === path[i])) return known;
    if (known === undefined) this.#paths.set(key, path);
    return path;
  }
}
