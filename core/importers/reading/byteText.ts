// Bytes that arrive in pieces, and their text. Pieces are kept in a list and joined once, so a line of hundreds
// of megabytes costs its own size and no more.

export const NEWLINE = 0x0a;

/** Longest record taken, in bytes: V8 holds no string above 2^29 units, and a record is parsed as a whole. */
export const MAX_RECORD_BYTES = 400 * 1024 * 1024;

/** Collects pieces of bytes; what is added is copied, so the caller may reuse its buffer. Beyond `limit` it only counts. */
export class ByteCollector {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** Number of bytes added since the last take(). */
  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#length += piece.length;
    if (this.#length > this.#limit) this.#pieces = [];
    else this.#pieces.push(piece.slice());
  }

  /** All bytes, `last` appended without being copied first; null if they are more than the limit. Empty afterwards. */
  take(last: Uint8Array = NONE): Uint8Array | null {
    const pieces = this.#pieces;
    const length = this.#length + last.length;
    this.#pieces = [];
    this.#length = 0;
    if (length > this.#limit) return null;
    if (pieces.length === 0) return last;
    const joined = new Uint8Array(length);
    let at = 0;
    for (const piece of [...pieces, last]) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }
}

const NONE = new Uint8Array(0);

/** A decoded text; `badAt` is the offset of the first byte that is not UTF-8 (its text reads U+FFFD), else null. */
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

/** The byte at which the unit `units` of the decoded text begins; each maximal broken sequence decodes to one unit. */
export function byteOffsetOf(bytes: Uint8Array, units: number): number {
  let seen = 0;
  let i = 0;
  while (seen < units && i < bytes.length) {
    const length = sequenceLength(bytes, i);
    seen += length === 4 ? 2 : 1;
    i += length === 0 ? brokenLength(bytes, i) : length;
  }
  return i;
}

// As the Encoding standard's decoder replaces them: a lead byte and what could still continue it count as one.
function brokenLength(bytes: Uint8Array, i: number): number {
  for (const length of [3, 2]) {
    const piece = bytes.subarray(i, i + length);
    if (piece.length === length && canBegin(piece)) return length;
  }
  return 1;
}

function canBegin(piece: Uint8Array): boolean {
  const whole = new Uint8Array(4).fill(0x80);
  whole.set(piece);
  return sequenceLength(whole, 0) > piece.length;
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
