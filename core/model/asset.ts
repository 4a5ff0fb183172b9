// browser-safe
// A Harn transcript's asset: a descriptor of what is too large, or no text, for the prompt history. Source:
// seeds/harn-transcript-architecture.txt.
import { valueTextAt } from '../util/json/index.ts';
import { isRecord, ownAt, recordAt, stringAt } from '../util/unknown.ts';

/** Kind of the event that stands for a descriptor. */
export const ASSET_EVENT = 'asset';

/** An asset's descriptor. */
export interface TranscriptAsset {
  readonly id: string;
  /** `image`, `transcript_snapshot`, … as recorded. */
  readonly kind: string;
  readonly mime: string | null;
  readonly name: string | null;
  /** Where the host keeps it: relative to the folder of the transcript. */
  readonly path: string | null;
  /** What is in the descriptor itself. */
  readonly payload: AssetPayload | null;
}

/** An inline payload: JSON text as it stands, base64, or plain text. */
export type AssetPayload =
  | { readonly form: 'json'; readonly text: string }
  | { readonly form: 'base64'; readonly base64: string; readonly mime: string | null }
  | { readonly form: 'text'; readonly text: string };

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;
const PAYLOAD_PLACES = [['data'], ['storage', 'data'], ['base64'], ['content'], ['text']] as const;

/** Reads a descriptor's JSON text; null if it is not one with an id. */
export function readAsset(json: string): TranscriptAsset | null {
  const value: unknown = JSON.parse(json);
  const id = isRecord(value) ? stringAt(value, 'id') : undefined;
  if (!isRecord(value) || id === undefined) return null;
  const storage = recordAt(value, 'storage');
  const mime = stringAt(value, 'mime_type') ?? stringAt(value, 'mimeType') ?? stringAt(value, 'media_type') ?? null;
  return {
    id,
    kind: stringAt(value, 'kind') ?? 'asset',
    mime,
    name: stringAt(value, 'title') ?? stringAt(value, 'name') ?? stringAt(value, 'filename') ?? null,
    path: (storage && stringAt(storage, 'path')) ?? stringAt(value, 'path') ?? null,
    payload: payloadOf(json, value, mime),
  };
}

function payloadOf(json: string, fields: Readonly<Record<string, unknown>>, mime: string | null): AssetPayload | null {
  for (const path of PAYLOAD_PLACES) {
    const [first, second] = path;
    const outer = ownAt(fields, first);
    const value = second === undefined ? outer : isRecord(outer) ? ownAt(outer, second) : undefined;
    if (typeof value === 'string') return textPayload(value, mime, first === 'content' || first === 'text');
    if (isRecord(value) || Array.isArray(value)) return { form: 'json', text: valueTextAt(json, [...path]) ?? '' };
  }
  return null;
}

function textPayload(value: string, mime: string | null, isText: boolean): AssetPayload {
  const head = DATA_URL.exec(value);
  if (head !== null) return { form: 'base64', base64: value.slice(head[0].length), mime: head[1] || mime };
  if (isText || (mime !== null && /^text\/|json/.test(mime)) || /^\s*[{[]/.test(value))
    return { form: 'text', text: value };
  return { form: 'base64', base64: value, mime };
}

/** The ids of the assets that a block, or a message's own fields, names. */
export function assetIdOf(block: unknown): string | null {
  return isRecord(block) ? (stringAt(block, 'asset_id') ?? stringAt(block, 'assetId') ?? null) : null;
}

/** The text of a payload; null if it is bytes that are none. */
export function payloadText(payload: AssetPayload): string | null {
  if (payload.form !== 'base64') return payload.text;
  const bytes = decodeBase64(payload.base64);
  return bytes === null ? null : textOf(bytes);
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The bytes that a base64 text stands for; null if it is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const plain = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain) || plain.replace(/=+$/, '').length % 4 === 1) return null;
  return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0));
}

/** Bytes of one piece of an encoding: a multiple of three, so that pieces join. */
const PIECE = 3 * 8192;

/** Bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))));
  return pieces.join('');
}
