// Bytes that arrive in pieces, and their text. Pieces are kept in a list and joined once, so a line of hundreds
// of megabytes costs its own size and no more.

/** Collects pieces of bytes; what is added is copied, so the caller may reuse its buffer. */
export class ByteCollector {
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** Number of bytes collected. */
  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    // Not slice(): that of a Buffer copies nothing.
    this.#pieces.push(new Uint8Array(piece));
    this.#length += piece.length;
  }

  /** All bytes, `last` appended without being copied first; the collector is empty afterwards. */
  take(last?: Uint8Array): Uint8Array {
    if (this.#length === 0 && last) return last;
    const joined = new Uint8Array(this.#length + (last?.length ?? 0));
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    if (last) joined.set(last, at);
    this.clear();
    return joined;
  }

  clear(): void {
    this.#pieces = [];
    this.#length = 0;
  }
}

/** A decoded text; `badAt` is the offset of the first byte that is no UTF-8 (its text reads U+FFFD), else null. */
export interface DecodedText {
  readonly text: string;
  readonly badAt: number | null;
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes UTF-8; invalid bytes become U+FFFD and are pointed out. A byte order mark is kept as U+FEFF. */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  try {
    return { text: STRICT.decode(bytes), badAt: null };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: LENIENT.decode(bytes), badAt: firstInvalidUtf8(bytes) };
  }
}

/** Offset of the first byte that begins no valid UTF-8 sequence, -1 if there is none. RFC 3629, table 3-7 of Unicode. */
export function firstInvalidUtf8(bytes: Uint8Array): number {
  let i = 0;
  while (i < bytes.length) {
    const length = sequenceLength(bytes, i);
    if (length === 0) return i;
    i += length;
  }
  return -1;
}

function sequenceLength(bytes: Uint8Array, i: number): number {
  const lead = bytes[i] ?? 0;
  if (lead < 0x80) return 1;
  const second = bytes[i + 1] ?? 0;
  if (lead >= 0xc2 && lead <= 0xdf) return isContinuation(second) ? 2 : 0;
  const third = isContinuation(bytes[i + 2] ?? 0);
  if (lead >= 0xe0 && lead <= 0xef) {
    const low = lead === 0xe0 ? 0xa0 : 0x80;
    const high = lead === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && third ? 3 : 0;
  }
  if (lead < 0xf0 || lead > 0xf4) return 0;
  const low = lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high && third && isContinuation(bytes[i + 3] ?? 0) ? 4 : 0;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}

/** A few bytes as `ff fe 00`, for problem texts. */
export function hexBytes(bytes: Uint8Array, from: number, count: number): string {
  return [...bytes.subarray(from, from + count)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
