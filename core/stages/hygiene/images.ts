// Images inside messages: where they are, what their first bytes say, and the plan by which a host makes them smaller.

import type { JsonPath } from '../../model/message.ts';
import { base64Head } from '../../tokens/base64Head.ts';
import { sniffBytes } from '../../util/imageSize.ts';
import { arrayAt, isRecord, ownAt, recordAt, stringAt } from '../../util/unknown.ts';

/** How an image's payload is written in its block. */
export type ImageShape = 'inline' | 'anthropic' | 'data_url' | 'gemini';

/** An image with its payload in the message. Sizes are null where the payload does not give them. */
export interface ImageRef {
  /** The block that holds it. */
  readonly path: JsonPath;
  /** The value that holds the payload: the block, its `source`, its `inlineData`, or the URL's holder. */
  readonly holder: JsonPath;
  readonly shape: ImageShape;
  readonly mime: string;
  /** By the first bytes; null if they do not say. */
  readonly sniffed: string | null;
  readonly width: number | null;
  readonly height: number | null;
  /** Decoded bytes. */
  readonly bytes: number;
  /** `empty` and `invalid` payloads cannot be sent. */
  readonly payload: 'good' | 'empty' | 'invalid';
  /** White space stands around the payload. */
  readonly padded: boolean;
}

/** A payload and where it is written. */
interface Payload {
  readonly holder: JsonPath;
  readonly shape: ImageShape;
  readonly mime: string;
  readonly data: string;
}

/** All images of a parsed message whose payload is in it: in its content or parts, and inside its results. */
export function imagesIn(message: Readonly<Record<string, unknown>>): readonly ImageRef[] {
  const found: ImageRef[] = [];
  for (const key of ['content', 'parts']) {
    for (const [at, block] of (arrayAt(message, key) ?? []).entries()) {
      collect(block, [key, at], found);
      if (!isRecord(block)) continue;
      for (const [inner, child] of (arrayAt(block, 'content') ?? []).entries()) {
        collect(child, [key, at, 'content', inner], found);
      }
    }
  }
  return found;
}

function collect(block: unknown, path: JsonPath, found: ImageRef[]): void {
  const payload = isRecord(block) ? payloadOf(block, path) : null;
  if (payload !== null) found.push(describe(payload, path));
}

/** The payload of an image block; null if the block is none, or refers to an image elsewhere. */
export function payloadOf(block: Readonly<Record<string, unknown>>, path: JsonPath): Payload | null {
  const inline = recordAt(block, 'inlineData') ?? recordAt(block, 'inline_data');
  if (inline !== undefined) {
    const mime = stringAt(inline, 'mimeType') ?? stringAt(inline, 'mime_type') ?? '';
    const key = Object.hasOwn(block, 'inlineData') ? 'inlineData' : 'inline_data';
    const data = stringAt(inline, 'data');
    return data === undefined || !mime.startsWith('image/')
      ? null
      : { holder: [...path, key], shape: 'gemini', mime, data };
  }
  const type = stringAt(block, 'type');
  if (type === 'image') return imageBlock(block, path);
  if (type === 'image_url' || type === 'input_image') return dataUrl(block, path);
  return null;
}

function imageBlock(block: Readonly<Record<string, unknown>>, path: JsonPath): Payload | null {
  const data = stringAt(block, 'data');
  const mime = stringAt(block, 'mimeType');
  if (data !== undefined && mime !== undefined) return { holder: path, shape: 'inline', mime, data };
  const source = recordAt(block, 'source');
  if (source === undefined || stringAt(source, 'type') !== 'base64') return null;
  const own = stringAt(source, 'data');
  if (own === undefined) return null;
  return { holder: [...path, 'source'], shape: 'anthropic', mime: stringAt(source, 'media_type') ?? '', data: own };
}

const DATA_URL = /^data:([^;,]*);base64,/;

function dataUrl(block: Readonly<Record<string, unknown>>, path: JsonPath): Payload | null {
  const given = ownAt(block, 'image_url');
  const nested = isRecord(given);
  const url = nested ? stringAt(given, 'url') : typeof given === 'string' ? given : undefined;
  const head = url === undefined ? null : DATA_URL.exec(url);
  if (url === undefined || head === null) return null;
  const holder = nested ? [...path, 'image_url'] : path;
  return { holder, shape: 'data_url', mime: head[1] ?? '', data: url.slice(head[0].length) };
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function describe(payload: Payload, path: JsonPath): ImageRef {
  const { holder, shape, mime } = payload;
  const data = payload.data.trim();
  const known = { path, holder, shape, mime, padded: data !== payload.data };
  if (data === '') return { ...known, sniffed: null, width: null, height: null, bytes: 0, payload: 'empty' };
  const valid = BASE64.test(data.includes('\n') ? data.replace(/\s+/g, '') : data);
  const { mime: sniffed, width, height } = sniffBytes(base64Head(data));
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  const bytes = Math.floor((data.length * 3) / 4) - padding;
  return { ...known, sniffed, width, height, bytes, payload: valid ? 'good' : 'invalid' };
}

/** The payload's base64 text, trimmed. */
export function payloadText(message: unknown, image: ImageRef): string {
  let block: unknown = message;
  for (const step of image.path) {
    block =
      Array.isArray(block) && typeof step === 'number'
        ? block[step]
        : isRecord(block)
          ? ownAt(block, String(step))
          : null;
  }
  const payload = isRecord(block) ? payloadOf(block, image.path) : null;
  return payload === null ? '' : payload.data.trim();
}

/** True if the image is over a limit, or does not give its size. Unknown sizes are made smaller too, to be sure. */
export function isOverLimits(image: ImageRef, maxSide: number, maxBytes: number): boolean {
  if (image.payload !== 'good') return false;
  const side = image.width === null || image.height === null ? null : Math.max(image.width, image.height);
  return side === null || side > maxSide || image.bytes > maxBytes;
}

const SIDES = [1800, 1600, 1400, 1200, 1000, 800];
/** JPEG qualities tried for each side, best first. */
export const JPEG_QUALITIES: readonly number[] = [85, 75, 65, 55, 45, 35];

/**
 * The longest sides to try, in pixels, descending: as large as the limit allows, never larger than the image.
 * `longest` = its longest side, null if unknown.
 */
export function resizeSides(longest: number | null, limit: number): readonly number[] {
  const first = Math.min(limit, longest ?? limit);
  const sides = [first, ...SIDES.filter((side) => side <= limit && (longest === null || side <= longest))];
  return [...new Set(sides)].sort((a, b) => b - a);
}
