import { ByteCollector } from './byteText.ts';

/** One line of a file, without its line end. */
export interface RawLine {
  readonly bytes: Uint8Array;
  /** From 1. */
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  /** The file ends here without a line end: the line may still be being written. */
  readonly unterminated: boolean;
  /** Longer than the limit: `bytes` is empty, the range is right. */
  readonly tooLong: boolean;
}

/** Longest line taken, in bytes: V8 holds no string above 2^29 units, and a record is parsed as a whole. */
export const MAX_LINE_BYTES = 400 * 1024 * 1024;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Splits bytes into lines at LF or CRLF, whatever the chunks. Drops a byte order mark at the start of a line (files
 * get concatenated) and says blank lines too (`bytes` empty or white); `bytes` is valid only during the call.
 */
export class LineSplitter {
  readonly #onLine: (line: RawLine) => void;
  readonly #limit: number;
  readonly #held = new ByteCollector();
  #skipped = 0;
  #line = 1;
  #lineStart = 0;

  constructor(onLine: (line: RawLine) => void, limit = MAX_LINE_BYTES) {
    this.#onLine = onLine;
    this.#limit = limit;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline < 0) break;
      const end = this.#lineStart + this.#heldLength + (newline - from);
      this.#emit(chunk.subarray(from, newline), false);
      this.#line++;
      this.#lineStart = end + 1;
      from = newline + 1;
    }
    this.#hold(chunk.subarray(from));
  }

  /** The last line, if it has no line end. */
  end(): void {
    if (this.#heldLength > 0) this.#emit(new Uint8Array(0), true);
  }

  get #heldLength(): number {
    return this.#held.length + this.#skipped;
  }

  #hold(piece: Uint8Array): void {
    if (this.#skipped > 0 || this.#held.length + piece.length > this.#limit) {
      this.#skipped += this.#held.length + piece.length;
      this.#held.clear();
    } else {
      this.#held.add(piece);
    }
  }

  #emit(last: Uint8Array, unterminated: boolean): void {
    const total = this.#heldLength + last.length;
    const place = { line: this.#line, unterminated };
    if (total > this.#limit) {
      this.#held.clear();
      this.#skipped = 0;
      const byteEnd = this.#lineStart + total;
      this.#onLine({ ...place, bytes: last.subarray(0, 0), byteStart: this.#lineStart, byteEnd, tooLong: true });
      return;
    }
    const all = this.#held.take(last);
    const start = all[0] === 0xef && all[1] === 0xbb && all[2] === 0xbf ? 3 : 0;
    const end = all.length > start && all[all.length - 1] === RETURN ? all.length - 1 : all.length;
    this.#onLine({
      ...place,
      bytes: all.subarray(start, end),
      byteStart: this.#lineStart + start,
      byteEnd: this.#lineStart + end,
      tooLong: false,
    });
  }
}
