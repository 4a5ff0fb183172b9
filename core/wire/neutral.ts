// Parts of messages of all shapes, read for being written in another: calls, results, reasoning, media, texts. Texts
// are JSON literals as they stood, arguments the JSON text they were.
import { assetIdOf } from '../model/asset.ts';
import type { Part } from '../model/message.ts';
import { readBlock, reasoningText } from '../model/readBlock.ts';
import { isRecord, ownAt, stringAt } from '../util/unknown.ts';
import type { JsonNode } from './jsonNode.ts';

/** A part and its JSON. */
export interface PartNode {
  readonly part: Part;
  readonly node: JsonNode;
}

/** Arguments: the JSON text of an object, or a text that is none (the literal). */
export type Arguments =
  | { readonly kind: 'object'; readonly json: string }
  | { readonly kind: 'text'; readonly literal: string };

/** A call; `used` = the keys that were read. */
export interface CallRead {
  readonly args: Arguments;
  /** The call takes a text on purpose (custom tools), not for being broken. */
  readonly isCustom: boolean;
  readonly used: ReadonlySet<string>;
}

const ARGUMENT_KEYS = ['input', 'arguments', 'args', 'partialJson', 'action', 'operation'];
const CALL_KEYS = ['type', 'id', 'call_id', 'tool_call_id', 'toolCallId', 'name', 'toolName', 'function', 'custom'];

/** Reads a call's arguments. */
export function readCallNode(node: JsonNode): CallRead {
  const inner = node.get('function') ?? node.get('custom');
  const holder = inner?.isRecord === true ? inner : node;
  const key = ARGUMENT_KEYS.find((each) => holder.get(each) !== null);
  const value = key === undefined ? null : holder.get(key);
  const used = new Set([...CALL_KEYS, ...(key === undefined ? [] : [key])]);
  const type = node.string('type') ?? '';
  const isCustom = type === 'custom_tool_call' || type === 'custom';
  return { args: argumentsOf(value, isCustom), isCustom, used };
}

function argumentsOf(value: JsonNode | null, isCustom: boolean): Arguments {
  if (value === null || value.value === null || value.value === '') return { kind: 'object', json: '{}' };
  if (value.isRecord) return { kind: 'object', json: value.text };
  if (typeof value.value !== 'string') return { kind: 'text', literal: JSON.stringify(value.text) };
  if (isCustom || !isObjectText(value.value)) return { kind: 'text', literal: value.text };
  return { kind: 'object', json: value.value.trim() };
}

function isObjectText(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** The literal of a text part; a block's text, or the string itself. */
export function textLiteral(node: JsonNode): string {
  if (node.isString) return node.text;
  const inner = [node.get('text'), node.get('refusal')].find((each) => each?.isString === true);
  return inner?.text ?? JSON.stringify(node.text);
}

/** What a result says: one text, blocks, or JSON that is not a list of blocks. `key` = where it stands. */
export type ResultBody =
  | { readonly kind: 'text'; readonly literal: string; readonly key: string }
  | { readonly kind: 'blocks'; readonly blocks: readonly JsonNode[]; readonly key: string }
  | { readonly kind: 'json'; readonly node: JsonNode; readonly key: string };

/** Reads the body of a result: its `content`, or the `response` of Gemini's. */
export function readResultNode(node: JsonNode): ResultBody {
  const isOwn = ['content', 'role', 'type'].some((key) => node.get(key) !== null);
  const key = isOwn ? 'content' : 'response';
  const body = node.get(key);
  if (body === null || body.value === null) return { kind: 'text', literal: '""', key };
  if (body.isString) return { kind: 'text', literal: body.text, key };
  const isBlocks = body.isArray && body.elements.every((each) => each.string('type') !== undefined);
  return isBlocks ? { kind: 'blocks', blocks: body.elements, key } : { kind: 'json', node: body, key };
}

/** JSON of a result as a text: of `{"output": "…"}` the text itself, else the JSON as it stands. */
export function jsonAsText(node: JsonNode): string {
  const [[key, only] = ['', null], ...others] = [...node.members];
  const isSole = others.length === 0 && ['output', 'error', 'result', 'content'].includes(key);
  return isSole && only?.isString === true ? only.text : JSON.stringify(node.text);
}

/** A block inside a result. */
export function innerPart(node: JsonNode): PartNode {
  const part = readBlock(node.value, [], { message: {}, category: 'tool_result', holdsResults: false });
  return { part, node };
}

/** Something that is not text: its payload, a place to fetch it from, the id of an uploaded file, or plain text. */
export type Media = {
  readonly what: 'image' | 'audio' | 'file';
  readonly name: string | null;
} & (
  | { readonly kind: 'base64'; readonly mime: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string; readonly mime: string }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'text'; readonly literal: string }
  /** Kept apart from the messages, but not to be had. */
  | { readonly kind: 'asset'; readonly id: string; readonly why: string }
);

const DATA_URL = /^data:([^;,]*);base64,/;

/** Reads an image, a document, a file, a sound; null if nothing in the block can be sent. */
export function readMedia(node: JsonNode): Media | null {
  const { value } = node;
  if (!isRecord(value)) return null;
  const name = mediaName(value);
  for (const key of ['inlineData', 'inline_data', 'fileData', 'file_data']) {
    const inner = node.get(key);
    if (inner?.isRecord === true) return geminiMedia(inner, name);
  }
  const source = node.get('source');
  const type = stringAt(value, 'type') ?? '';
  const what = type.includes('image') ? 'image' : type.includes('audio') ? 'audio' : 'file';
  if (source?.isRecord === true) return sourceMedia(source, what, name);
  return plainMedia(node, value, what, name);
}

function mediaName(value: Readonly<Record<string, unknown>>): string | null {
  const file = ownAt(value, 'file');
  return stringAt(isRecord(file) ? file : value, 'filename') ?? stringAt(value, 'title') ?? null;
}

function geminiMedia(inner: JsonNode, name: string | null): Media | null {
  const mime = inner.string('mimeType') ?? inner.string('mime_type') ?? '';
  const data = inner.string('data');
  const own = inner.string('displayName') ?? name;
  if (data !== undefined) return { what: whatOf(mime), name: own, kind: 'base64', mime, data };
  const url = inner.string('fileUri') ?? inner.string('file_uri');
  return url === undefined ? null : { what: whatOf(mime), name: own, kind: 'url', url, mime };
}

function sourceMedia(source: JsonNode, what: Media['what'], name: string | null): Media | null {
  const data = source.get('data');
  const url = source.string('url');
  const id = source.string('file_id');
  if (url !== undefined) return { what, name, kind: 'url', url, mime: source.string('media_type') ?? '' };
  if (id !== undefined) return { what, name, kind: 'id', id };
  if (data === null || typeof data.value !== 'string') return null;
  if (source.string('type') === 'text') return { what, name, kind: 'text', literal: data.text };
  return { what, name, kind: 'base64', mime: source.string('media_type') ?? '', data: data.value };
}

function plainMedia(
  node: JsonNode,
  value: Readonly<Record<string, unknown>>,
  what: Media['what'],
  name: string | null,
): Media | null {
  const mime = stringAt(value, 'mimeType') ?? stringAt(value, 'mediaType') ?? '';
  const data = stringAt(value, 'data');
  if (data !== undefined && mime !== '') return { what: whatOf(mime), name, kind: 'base64', mime, data };
  const audio = node.get('input_audio');
  const sound = audio?.string('data');
  if (sound !== undefined) {
    return { what: 'audio', name, kind: 'base64', mime: `audio/${audio?.string('format') ?? 'wav'}`, data: sound };
  }
  const holder = node.get('file')?.isRecord === true ? (node.get('file') ?? node) : node;
  const nested = node.get('image_url');
  const link = nested?.isRecord === true ? nested.string('url') : nested?.value;
  const url = [link, value.image, holder.string('file_data'), holder.string('file_url')].find(
    (each) => typeof each === 'string',
  );
  if (typeof url === 'string') return linked(url, what, name);
  const id = holder.string('file_id');
  if (id !== undefined) return { what, name, kind: 'id', id };
  const asset = assetIdOf(value);
  const why = stringAt(value, 'asset_error') ?? 'it was not opened';
  return asset === null ? null : { what, name, kind: 'asset', id: asset, why };
}

function linked(url: string, what: Media['what'], name: string | null): Media {
  const head = DATA_URL.exec(url);
  if (head === null) return { what, name, kind: 'url', url, mime: '' };
  const mime = head[1] ?? '';
  return { what: mime === '' ? what : whatOf(mime), name, kind: 'base64', mime, data: url.slice(head[0].length) };
}

function whatOf(mime: string): Media['what'] {
  if (mime.startsWith('image/')) return 'image';
  return mime.startsWith('audio/') ? 'audio' : 'file';
}

/** Reasoning: its readable text, and what only its provider can read. */
export interface ThinkingRead {
  readonly text: string;
  readonly signature: string | null;
}

/** Reads a reasoning block, a thought part, or a field beside the content. */
export function readThinking(node: JsonNode): ThinkingRead {
  const { value } = node;
  if (!isRecord(value)) return { text: typeof value === 'string' ? value : '', signature: null };
  const signature = ['signature', 'thinkingSignature', 'thoughtSignature', 'thought_signature'].find(
    (key) => (node.string(key) ?? '') !== '',
  );
  return { text: reasoningText(value), signature: signature === undefined ? null : (node.string(signature) ?? null) };
}
