// A picture with nothing on it, of a given size: what replaces one that was taken out, so that it costs as much.
import { base64Head } from '../tokens/base64Head.ts';
import { imageSize } from '../util/imageSize.ts';

const MOST_SIDE = 20_000;

/** An empty PNG of the size of the picture whose base64 is given, as base64; of 1 × 1 where the size cannot be read. */
export function blankLike(base64: string): string {
  const size = imageSize(base64Head(base64));
  const isSound = size !== null && size.width > 0 && size.height > 0 && Math.max(size.width, size.height) <= MOST_SIDE;
  return base64Of(isSound ? blankPng(size.width, size.height) : blankPng(1, 1));
}

/** A grey PNG of one bit a pixel (w3.org/TR/png). */
export function blankPng(width: number, height: number): Uint8Array {
  const line = 1 + Math.ceil(width / 8);
  const header = [...word(width), ...word(height), 1, 0, 0, 0, 0];
  const parts = [
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    chunk('IHDR', header),
    chunk('IDAT', deflatedZeros(line * height)),
    chunk('IEND', []),
  ];
  return Uint8Array.from(parts.flat());
}

function word(value: number): number[] {
  return [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

function chunk(name: string, data: readonly number[]): number[] {
  const body = [...[...name].map((letter) => letter.charCodeAt(0)), ...data];
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
  let left = count;
  if (left > 0) {
    bits.putCode(0x30, 8);
    left--;
  }
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

function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
