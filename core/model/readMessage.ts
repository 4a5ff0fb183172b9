// Messages of every provider and runtime are read alike, here and nowhere else: the rest of the program knows parts.
import { scalarCount } from '../util/chars.ts';
import { arrayAt, type Fields, isRecord, ownAt, stringAt } from '../util/unknown.ts';
import { cacheMarkOf, ownCacheMark } from './cacheMark.ts';
import type { Category } from './category.ts';
import type { MessageFacts, MessageMeta, Part } from './message.ts';
import { isFromPerson } from './provenance.ts';
import { type BlockContext, isResultBlock, present, readBlock, readCall } from './readBlock.ts';
import { partsOf, readGeminiPart } from './readGeminiPart.ts';
import {
  answeredByBlock,
  answeredByMessage,
  contentText,
  isErrorResult,
  isResultRole,
  resultNameOf,
} from './readResult.ts';

/**
 * The version of what {@link readMessage} gives. Raise it whenever the same JSON gives other facts: libraries keep facts
 * and read those of older versions again.
 */
export const FACTS_VERSION = 9;

/**
 * Reads a message's parsed JSON into parts: calls (OpenAI `tool_calls`, legacy `function_call`, Anthropic `tool_use`,
 * `toolCall`/`toolUse`/`functionCall` blocks), results, reasoning, text, images, files. Never throws: what it does
 * not know becomes a part of kind `other`. Source: the projection spec, "Reading a message".
 */
export function readMessage(value: unknown): MessageFacts {
  if (!isRecord(value)) return unreadable(value);
  const role = roleOf(value);
  // Not spread: that leaves room for seventeen in each list, and facts are kept by the hundred thousand.
  const parts = readReasoningFields(value).concat(readContent(value, role), readCallFields(value));
  markLast(parts, value);
  const signed = parts.some((part) => part.signed === true) || present(value, 'thinking_signature');
  const beginsTurn = role === 'user' && saysMore(parts);
  return { role, parts, signed, beginsTurn };
}

/**
 * As {@link readMessage}, for a message with what is recorded beside it: what a client put there, though a user message,
 * is not a turn of the person's.
 */
export function readRecorded(value: unknown, meta: Pick<MessageMeta, 'provenance'>): MessageFacts {
  const facts = readMessage(value);
  const isAside = meta.provenance !== undefined && !isFromPerson(meta.provenance);
  return isAside ? withoutTurn(facts) : facts;
}

/**
 * As {@link readMessage}, for a message that stages made of others: where none of these began a turn, though each says
 * more than results, it begins none either.
 */
export function readEdited(value: unknown, made: readonly MessageFacts[]): MessageFacts {
  const facts = readMessage(value);
  const isAside = ({ role, beginsTurn, parts }: MessageFacts) => role === 'user' && !beginsTurn && saysMore(parts);
  return made.length > 0 && made.every(isAside) ? withoutTurn(facts) : facts;
}

function withoutTurn(facts: MessageFacts): MessageFacts {
  return facts.beginsTurn ? { ...facts, beginsTurn: false } : facts;
}

function saysMore(parts: readonly Part[]): boolean {
  return parts.length === 0 || parts.some((part) => part.kind !== 'tool_result');
}

// Gemini's name for the assistant.
function roleOf(message: Fields): string {
  const role = stringAt(message, 'role') ?? '';
  return role === 'model' && partsOf(message) ? 'assistant' : role;
}

function unreadable(value: unknown): MessageFacts {
  const chars = scalarCount(contentText(value));
  return { role: '', parts: [{ kind: 'other', category: 'user', path: [], chars }], signed: false, beginsTurn: false };
}

/** The category of plain text in a message of this role. */
function categoryOf(role: string): Category {
  if (role === 'system' || role === 'developer') return 'system';
  if (role === 'assistant') return 'assistant';
  return isResultRole(role) ? 'tool_result' : 'user';
}

// Reasoning beside the content: DeepSeek and others write `reasoning_content`, OpenRouter `reasoning`.
function readReasoningFields(message: Fields): Part[] {
  const key = ['reasoning_content', 'reasoning'].find((name) => (stringAt(message, name) ?? '') !== '');
  if (key === undefined) return [];
  const signed = present(message, 'thinking_signature');
  const chars = scalarCount(stringAt(message, key) ?? '');
  return [{ kind: 'thinking', category: 'thinking', path: [key], chars, signed }];
}

function readContent(message: Fields, role: string): Part[] {
  const content = ownAt(message, 'content');
  const parts = partsOf(message);
  if (parts) {
    const context = { message, category: categoryOf(role), holdsResults: true };
    return parts.map((part, index) => readGeminiPart(part, ['parts', index], context));
  }
  if (isResultRole(role) && !wrapsResultBlocks(message, content)) return [marked(readResultMessage(message), message)];
  if (content === undefined || content === null || content === '') return [];
  const context: BlockContext = {
    message,
    category: categoryOf(role),
    holdsResults: role === 'user' || isResultRole(role),
  };
  if (!Array.isArray(content)) return [readBlock(content, ['content'], context)];
  return content.map((block: unknown, index) => marked(readBlock(block, ['content', index], context), block));
}

function marked(part: Part, block: unknown): Part {
  const cacheMark = cacheMarkOf(block);
  return cacheMark === null ? part : { ...part, cacheMark };
}

// A mark beside the content stands for the end of the message.
function markLast(parts: Part[], message: Fields): void {
  const cacheMark = ownCacheMark(message);
  const last = parts.at(-1);
  if (cacheMark !== null && last !== undefined) parts[parts.length - 1] = { ...last, cacheMark };
}

// A tool message that names no call itself but holds result blocks that do.
function wrapsResultBlocks(message: Fields, content: unknown): boolean {
  if (!Array.isArray(content) || answeredByMessage(message) !== null) return false;
  return content.some((block: unknown) => isRecord(block) && isResultBlock(block) && answeredByBlock(block) !== null);
}

function readResultMessage(message: Fields): Part {
  return {
    kind: 'tool_result',
    category: 'tool_result',
    path: [],
    chars: scalarCount(contentText(ownAt(message, 'content'))),
    callId: answeredByMessage(message),
    name: resultNameOf(message, message),
    isError: isErrorResult(message),
  };
}

function readCallFields(message: Fields): Part[] {
  const parts: Part[] = [];
  for (const [index, call] of (arrayAt(message, 'tool_calls') ?? []).entries()) {
    parts.push(readCall(isRecord(call) ? call : {}, ['tool_calls', index]));
  }
  const legacy = ownAt(message, 'function_call');
  if (isRecord(legacy)) parts.push(readCall(legacy, ['function_call']));
  return parts;
}

/** A part with its position in MessageFacts.parts. */
export interface PlacedPart {
  readonly at: number;
  readonly part: Part;
}

function placed(facts: MessageFacts, kind: Part['kind']): PlacedPart[] {
  const found: PlacedPart[] = [];
  for (const [at, part] of facts.parts.entries()) if (part.kind === kind) found.push({ at, part });
  return found;
}

/** The message's tool calls in the spec's order: `tool_calls[]` before content blocks. */
export function callsOf(facts: MessageFacts): readonly PlacedPart[] {
  const calls = placed(facts, 'tool_call');
  const inBlocks = (call: PlacedPart): boolean => call.part.path[0] === 'content';
  return [...calls.filter((call) => !inBlocks(call)), ...calls.filter(inBlocks)];
}

/** The message's tool results in order: itself, or each of its result blocks. */
export function resultsOf(facts: MessageFacts): readonly PlacedPart[] {
  return placed(facts, 'tool_result');
}

/** A result answers a call if both ids are there and equal; only if one is missing, if both names are there and equal. */
export function answers(result: Part, call: Part): boolean {
  if (typeof result.callId === 'string' && typeof call.callId === 'string') return result.callId === call.callId;
  return typeof result.name === 'string' && result.name === call.name;
}
