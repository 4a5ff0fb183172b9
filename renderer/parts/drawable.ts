// Whether an image of a transcript may be given to the browser, read from its header before anything is decoded: a small
// file can say that it is 60,000 pixels wide, and decoding it takes gigabytes.

import { base64Head } from '../../core/tokens/base64Head.ts';
import { imageSize } from '../../core/util/imageSize.ts';
import { formatBytes, formatCount } from '../ui/format.ts';

/** What is decoded at most. */
export interface DrawBounds {
  readonly bytes: number;
  readonly pixels: number;
}

/** What an image of a message may have. */
export const WHOLE: DrawBounds = { bytes: 40_000_000, pixels: 50_000_000 };

/** What a row's small picture may have: many are in sight at once, and each is decoded whole. */
export const SMALL: DrawBounds = { bytes: 8_000_000, pixels: 12_000_000 };

/** `image/png 116×88 · 1.2 kB`: an image as its row says it. */
export function imageWords(mime: string, base64: string, bytes: number): string {
  const size = sizeOf(base64Head(base64, HEAD));
  const pixels = size === null ? '' : ` ${formatCount(size.width)}×${formatCount(size.height)}`;
  return `${mime}${pixels} · ${formatBytes(bytes)}`;
}

/**
 * True if an image moves, by its header: GIF with a second picture or a loop, PNG with `acTL` (before its data), WebP with the
 * flag of its extended header, AVIF as a sequence.
 */
export function isAnimated(base64: string): boolean {
  const head = base64Head(base64, HEAD);
  const text = String.fromCharCode(...head.subarray(0, 2048));
  if (text.startsWith('GIF8'))
    return text.includes('NETSCAPE2.0') || text.indexOf('!\xf9\x04') !== text.lastIndexOf('!\xf9\x04');
  if (text.startsWith('\x89PNG')) return text.includes('acTL');
  if (text.startsWith('RIFF') && text.startsWith('WEBPVP8X', 8)) return ((head[20] ?? 0) & 2) !== 0;
  return text.startsWith('ftyp', 4) && text.slice(8, 32).includes('avis');
}

/** A size comes late in a JPEG that holds a large profile or thumbnail. */
const HEAD = 262_144;

// SVG could carry its own scripts and links: it is never drawn.
const RASTER = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

/** Why an image is not drawn, as half a sentence; null = it may be. */
export function whyNotDrawn(mime: string, base64: string, bounds: DrawBounds): string | null {
  if (!RASTER.test(mime)) return 'not drawn';
  if ((base64.length * 3) / 4 > bounds.bytes) return 'too large to be drawn';
  // Some encoders write lines.
  const text = base64.replaceAll(/\s+/g, '');
  const size = isBase64(text) ? sizeOf(base64Head(text, HEAD)) : null;
  if (size === null || size.width === 0 || size.height === 0) return 'its bytes are not an image that can be drawn';
  if (size.width * size.height <= bounds.pixels) return null;
  return `not drawn: ${formatCount(size.width)} × ${formatCount(size.height)} pixels`;
}

/** What a data URL may hold (infra.spec.whatwg.org, forgiving-base64 decode). */
function isBase64(text: string): boolean {
  const pattern = text.length % 4 === 0 ? /^[A-Za-z0-9+/]*={0,2}$/ : /^[A-Za-z0-9+/]*$/;
  return text.length % 4 !== 1 && pattern.test(text);
}

function sizeOf(head: Uint8Array): { readonly width: number; readonly height: number } | null {
  return imageSize(head) ?? bmpSize(head) ?? avifSize(head);
}

/** BMP: the second header comes right after the first (BITMAPINFOHEADER; a negative height = from the top). */
function bmpSize(head: Uint8Array): { readonly width: number; readonly height: number } | null {
  if (head.length < 26 || head[0] !== 0x42 || head[1] !== 0x4d) return null;
  const data = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (data.getUint32(14, true) < 40) return null;
  return { width: Math.abs(data.getInt32(18, true)), height: Math.abs(data.getInt32(22, true)) };
}

/** AVIF: the largest of the spatial extents (ISO/IEC 23008-12, `ispe`): those of a grid's pieces are smaller than its own. */
function avifSize(head: Uint8Array): { readonly width: number; readonly height: number } | null {
  const name = (at: number) => String.fromCharCode(...head.subarray(at, at + 4));
  if (name(4) !== 'ftyp') return null;
  const data = new DataView(head.buffer, head.byteOffset, head.byteLength);
  let width = 0;
  let height = 0;
  for (let at = 8; at + 16 <= head.length; at++) {
    if (head[at] !== 0x69 || name(at) !== 'ispe') continue;
    width = Math.max(width, data.getUint32(at + 8));
    height = Math.max(height, data.getUint32(at + 12));
  }
  return width === 0 ? null : { width, height };
}
