// What replaces a picture that was taken out: of the same kind, size in pixels and number of bytes, so that it costs as much and
// is cut where it was; a PNG shows an empty picture.
import { base64Head } from '../tokens/base64Head.ts';
import { type ImageHeader, imageSize } from '../util/imageSize.ts';

const MOST_SIDE = 20_000;

/** The beginning of a stand-in for the picture whose base64 is given, as base64 without padding; '' = its size cannot be read. */
export function blankHead(base64: string): string {
  const size = imageSize(base64Head(base64));
  if (size === null || size.width < 1 || size.height < 1 || Math.max(size.width, size.height) > MOST_SIDE) return '';
  const whole = size.format === 'png' ? base64Of(blankPng(size.width, size.height)) : '';
  const head = whole !== '' && whole.length <= base64.length ? whole : base64Of(headerOf(size));
  return head.length <= base64.length ? head : '';
}

function headerOf({ format, width, height }: ImageHeader): readonly number[] {
  switch (format) {
    case 'png':
      return pngHeader(width, height);
    case 'gif':
      return [...ascii('GIF89a'), width & 255, width >>> 8, height & 255, height >>> 8, 0, 0];
    case 'jpeg':
      // A start of frame with one component (ITU T.81, B.2.2).
      return [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, height >>> 8, height & 255, width >>> 8, width & 255, 1, 1, 0x11, 0];
    case 'webp': {
      const [w, h] = [width - 1, height - 1];
      const sizes = [w & 255, (w >>> 8) & 255, w >>> 16, h & 255, (h >>> 8) & 255, h >>> 16];
      return [...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WEBPVP8X'), 10, 0, 0, 0, 0, 0, 0, 0, ...sizes];
    }
  }
}

function pngHeader(width: number, height: number): number[] {
  const header = [...word(width), ...word(height), 1, 0, 0, 0, 0];
  return [0x89, ...ascii('PNG\r\n\x1a\n'), ...chunk('IHDR', header)];
}

/** A PNG of one bit a pixel, empty (w3.org/TR/png). */
export function blankPng(width: number, height: number): readonly number[] {
  const line = 1 + Math.ceil(width / 8);
  return [...pngHeader(width, height), ...chunk('IDAT', deflatedZeros(line * height)), ...chunk('IEND', [])];
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

function word(value: number): number[] {
  return [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

function chunk(name: string, data: readonly number[]): number[] {
  const body = [...ascii(name), ...data];
  return [...word(data.length), ...body, ...word(crc32(body))];
}

function crc32(bytes: readonly number[]): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

// zlib with one block of fixed codes (RFC 1951, 3.2.6): a zero, then copies of it.
function deflatedZeros(count: number): number[] {
  const bits = new Bits();
  bits.put(0b011, 3);
  bits.putCode(0x30, 8);
  let left = count - 1;
  for (; left >= 258; left -= 258) {
    // Length 258 is code 285, distance 1 is code 0.
    bits.putCode(0b11000101, 8);
    bits.putCode(0, 5);
  }
  for (; left > 0; left--) bits.putCode(0x30, 8);
  bits.putCode(0, 7);
  return [0x78, 0x01, ...bits.bytes(), ...adlerOfZeros(count)];
}

function adlerOfZeros(count: number): number[] {
  const b = count % 65521;
  return [(b >>> 8) & 255, b & 255, 0, 1];
}

class Bits {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;

  put(value: number, length: number): void {
    for (let bit = 0; bit < length; bit++) this.#bit((value >>> bit) & 1);
  }

  // Codes go in from their highest bit.
  putCode(code: number, length: number): void {
    for (let bit = length - 1; bit >= 0; bit--) this.#bit((code >>> bit) & 1);
  }

  #bit(bit: number): void {
    this.#held |= bit << this.#count++;
    if (this.#count < 8) return;
    this.#bytes.push(this.#held);
    this.#held = 0;
    this.#count = 0;
  }

  bytes(): readonly number[] {
    return this.#count === 0 ? this.#bytes : [...this.#bytes, this.#held];
  }
}

// Bytes to a multiple of three, so that more base64 may follow.
function base64Of(bytes: readonly number[]): string {
  const padded = [...bytes, ...Array.from({ length: (3 - (bytes.length % 3)) % 3 }, () => 0)];
  let text = '';
  for (let at = 0; at < padded.length; at += 3_000) text += btoa(String.fromCharCode(...padded.slice(at, at + 3_000)));
  return text;
}
