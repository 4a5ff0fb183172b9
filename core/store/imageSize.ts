/** What a payload's first bytes tell: its type, and for images their size in pixels. */
export interface SniffedBytes {
  readonly mime: string | null;
  readonly width: number | null;
  readonly height: number | null;
}

/** Recognises PNG, JPEG, GIF, WebP and PDF by their magic numbers; nothing is guessed beyond that. */
export function sniffBytes(bytes: Uint8Array): SniffedBytes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47])) return sized('image/png', bytes.length >= 24, view, pngSize);
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return { mime: 'image/jpeg', ...jpegSize(view) };
  if (startsWith(bytes, [0x47, 0x49, 0x46, 0x38])) return sized('image/gif', bytes.length >= 10, view, gifSize);
  if (startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && ascii(bytes, 8, 12) === 'WEBP') {
    return sized('image/webp', bytes.length >= 30, view, (v) => webpSize(v, ascii(bytes, 12, 16)));
  }
  if (startsWith(bytes, [0x25, 0x50, 0x44, 0x46])) return { mime: 'application/pdf', ...NO_SIZE };
  return { mime: null, ...NO_SIZE };
}

interface Size {
  readonly width: number | null;
  readonly height: number | null;
}

const NO_SIZE: Size = { width: null, height: null };

function sized(mime: string, long: boolean, view: DataView, read: (view: DataView) => Size): SniffedBytes {
  return { mime, ...(long ? read(view) : NO_SIZE) };
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

function pngSize(view: DataView): Size {
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): Size {
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webpSize(view: DataView, chunk: string): Size {
  if (chunk === 'VP8X') return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (chunk === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk !== 'VP8L') return NO_SIZE;
  const bits = view.getUint32(21, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** Walks the segments to the first start-of-frame (SOF0..SOF15 without DHT, JPG and DAC). */
function jpegSize(view: DataView): Size {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return NO_SIZE;
}
