// browser-safe
// What the first bytes of a payload say: its type, and for images their size in pixels. Nothing is guessed.

/** An image's format and size in pixels, as its header states them. */
export interface ImageHeader {
  readonly format: 'png' | 'jpeg' | 'gif' | 'webp';
  readonly width: number;
  readonly height: number;
}

/** A payload's media type, and for images their size in pixels; null what the bytes do not say. */
export interface SniffedBytes {
  readonly mime: string | null;
  readonly width: number | null;
  readonly height: number | null;
}

function hasAscii(bytes: Uint8Array, at: number, text: string): boolean {
  if (bytes.length < at + text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** PNG: the IHDR chunk comes first (w3.org/TR/png, 11.2.1). */
function pngSize(bytes: Uint8Array, data: DataView): ImageHeader | null {
  if (bytes.length < 24 || bytes[0] !== 0x89 || !hasAscii(bytes, 1, 'PNG\r\n\x1a\n') || !hasAscii(bytes, 12, 'IHDR')) {
    return null;
  }
  return { format: 'png', width: data.getUint32(16), height: data.getUint32(20) };
}

/** GIF: the logical screen (GIF89a, 18). */
function gifSize(bytes: Uint8Array, data: DataView): ImageHeader | null {
  if (bytes.length < 10 || !(hasAscii(bytes, 0, 'GIF87a') || hasAscii(bytes, 0, 'GIF89a'))) return null;
  return { format: 'gif', width: data.getUint16(6, true), height: data.getUint16(8, true) };
}

/** WebP: VP8 key frame, VP8L or VP8X canvas (developers.google.com/speed/webp/docs/riff_container). */
function webpSize(bytes: Uint8Array, data: DataView): ImageHeader | null {
  if (bytes.length < 30 || !hasAscii(bytes, 0, 'RIFF') || !hasAscii(bytes, 8, 'WEBP')) return null;
  if (hasAscii(bytes, 12, 'VP8X')) {
    const width = 1 + (data.getUint32(24, true) & 0xffffff);
    return { format: 'webp', width, height: 1 + (data.getUint32(26, true) >>> 8) };
  }
  if (hasAscii(bytes, 12, 'VP8L')) {
    const bits = data.getUint32(21, true);
    return { format: 'webp', width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (!hasAscii(bytes, 12, 'VP8 ')) return null;
  return { format: 'webp', width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff };
}

function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** JPEG: segment by segment to the first start of frame (ITU T.81, B.2.2). */
function jpegSize(bytes: Uint8Array, data: DataView): ImageHeader | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
    } else if (isFrameMarker(marker)) {
      return { format: 'jpeg', width: data.getUint16(at + 7), height: data.getUint16(at + 5) };
    } else {
      at += 2 + data.getUint16(at + 2);
    }
  }
  return null;
}

/** Size and format from the first bytes of a PNG, JPEG, GIF or WebP; null if they are none of these or cut short. */
export function imageSize(bytes: Uint8Array): ImageHeader | null {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return pngSize(bytes, data) ?? gifSize(bytes, data) ?? jpegSize(bytes, data) ?? webpSize(bytes, data);
}

function magicMime(bytes: Uint8Array): string | null {
  if (bytes[0] === 0x89 && hasAscii(bytes, 1, 'PNG')) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (hasAscii(bytes, 0, 'GIF8')) return 'image/gif';
  if (hasAscii(bytes, 0, 'RIFF') && hasAscii(bytes, 8, 'WEBP')) return 'image/webp';
  return hasAscii(bytes, 0, '%PDF') ? 'application/pdf' : null;
}

/** Recognises PNG, JPEG, GIF, WebP and PDF by their magic numbers, also where they are cut short. */
export function sniffBytes(bytes: Uint8Array): SniffedBytes {
  const size = imageSize(bytes);
  return { mime: magicMime(bytes), width: size?.width ?? null, height: size?.height ?? null };
}
