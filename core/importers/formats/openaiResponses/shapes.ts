// Where requests, responses and items are in the documents and lines they are found in.

import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { isKnownItem, itemKind } from '../../reading/responsesItems.ts';

/** A body and where it is in its record. */
export interface Found {
  readonly path: readonly string[];
  readonly body: Fields;
}

const BODY_PATHS = [[], ['request', 'body'], ['request'], ['body'], ['responses_create_params'], ['kwargs']];
const RESPONSE_PATHS = [[], ['response', 'body'], ['response']];
/** Fields that distinguish a request with a bare text from one of another API. */
const MARKS = ['instructions', 'previous_response_id', 'max_output_tokens', 'store', 'include', 'reasoning'];
/** Blocks that Chat Completions do not have. */
const OWN_BLOCKS = new Set(['input_text', 'output_text', 'input_image', 'input_file']);

function follow(fields: Fields, path: readonly string[]): Fields | null {
  let at: unknown = fields;
  for (const step of path) at = isRecord(at) ? ownAt(at, step) : undefined;
  return isRecord(at) ? at : null;
}

/** A request in a record, or null. */
export function bodyOf(fields: Fields): Found | null {
  for (const path of BODY_PATHS) {
    const body = follow(fields, path);
    if (body && isRequest(body)) return { path, body };
  }
  return null;
}

function isRequest(body: Fields): boolean {
  const input = ownAt(body, 'input');
  if (body.type === 'response.create') return true;
  const marked = MARKS.some((key) => Object.hasOwn(body, key));
  if (typeof input === 'string') return marked;
  if (!Array.isArray(input) || arrayAt(body, 'messages')) return false;
  const first: unknown = input[0];
  return first === undefined ? marked : isRecord(first) && isItem(first);
}

/** A response in a record, or null. */
export function responseOf(fields: Fields): Found | null {
  for (const path of RESPONSE_PATHS) {
    const body = follow(fields, path);
    if (body && isResponse(body)) return { path, body };
  }
  return null;
}

function isResponse(body: Fields): boolean {
  if (body.object === 'response') return true;
  const first = arrayAt(body, 'output')?.[0];
  return isRecord(first) && stringAt(first, 'type') !== undefined && isItem(first);
}

/** True for an item of a known type, or a message without one. */
export function isItem(value: Fields): boolean {
  return itemKind(value) !== 'none';
}

const ITEM_SCORE = 0.7;

/** How surely a document or line is of this API, 0 to 1. */
export function scoreOf(value: unknown): number {
  if (Array.isArray(value)) return scoreOfItems(value, 0.85);
  if (!isRecord(value)) return 0;
  const packets = arrayAt(value, 'packets');
  if (packets) return packets.some((packet) => isRecord(packet) && isPacket(packet)) ? 0.95 : 0;
  if (responseOf(value)) return 0.95;
  if ((stringAt(value, 'type') ?? '').startsWith('response.')) return 0.95;
  if (bodyOf(value)) return 0.9;
  if (value.object === 'list') return scoreOfItems(arrayAt(value, 'data') ?? [], 0.9);
  return isOwnItem(value) ? ITEM_SCORE : 0;
}

function scoreOfItems(values: readonly unknown[], score: number): number {
  const [first] = values;
  if (isRecord(first) && (bodyOf(first) || responseOf(first))) return 0.9;
  return values.some((value) => isRecord(value) && isOwnItem(value)) ? score : 0;
}

/** How surely lines are of this API: items alone count only if most of the lines are items. */
export function scoreOfLines(values: readonly unknown[]): number {
  const score = values.slice(0, 10).reduce<number>((best, value) => Math.max(best, scoreOf(value)), 0);
  const items = values.filter((value) => isRecord(value) && isKnownItem(value));
  return score > ITEM_SCORE || items.length * 2 >= values.length ? score : 0;
}

// A message of plain text says nothing of its API; a typed one, or any other item, does.
function isOwnItem(value: Fields): boolean {
  if (!isItem(value) || recordAt(value, 'message')) return false;
  const type = stringAt(value, 'type');
  if (type === 'reasoning') return arrayAt(value, 'summary') !== undefined || Object.hasOwn(value, 'encrypted_content');
  if (type !== undefined && type !== 'message') return isCallItem(value, type);
  const blocks = arrayAt(value, 'content') ?? [];
  return blocks.some((block) => isRecord(block) && OWN_BLOCKS.has(stringAt(block, 'type') ?? ''));
}

// What the provider runs itself has an `id` alone; nobody else's `tool_call` is one of these.
function isCallItem(value: Fields, type: string): boolean {
  if (!/_call(_output)?$/.test(type) || /^tool_call/.test(type)) return false;
  return ['call_id', 'id'].some((key) => stringAt(value, key) !== undefined);
}

function isPacket(packet: Fields): boolean {
  return /\/responses\b/.test(stringAt(packet, 'path') ?? '') || bodyOf(packet) !== null;
}
