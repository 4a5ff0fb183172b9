import type { Filler } from '../../model/importSink.ts';
import { ByteCollector, MAX_RECORD_BYTES, NEWLINE } from './byteText.ts';

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

const RETURN = 0x0d;

/**
 * Splits bytes into lines at LF or CRLF, whatever the chunks. Drops a byte order mark at the start of a line (files
 * get concatenated) and says blank lines too (`bytes` empty or white); `bytes` is valid only during the call. What is
 * cut off a line but its LF is reported as filler.
 */
export class LineSplitter {
  readonly #onLine: (line: RawLine) => void;
  readonly #onFiller: (filler: Filler) => void;
  readonly #held: ByteCollector;
  #line = 1;
  #lineStart = 0;

  constructor(
    onLine: (line: RawLine) => void,
    onFiller: (filler: Filler) => void = () => {},
    limit = MAX_RECORD_BYTES,
  ) {
    this.#onLine = onLine;
    this.#onFiller = onFiller;
    this.#held = new ByteCollector(limit);
  }

  /** Bytes of the last line, whose end is not there yet. */
  get held(): number {
    return this.#held.length;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline < 0) break;
      const end = this.#lineStart + this.#held.length + (newline - from);
      this.#emit(chunk.subarray(from, newline), false);
      this.#line++;
      this.#lineStart = end + 1;
      from = newline + 1;
    }
    this.#held.add(chunk.subarray(from));
  }

  /** The last line, if it has no line end. */
  end(): void {
    if (this.#held.length > 0) this.#emit(new Uint8Array(0), true);
  }

  #emit(last: Uint8Array, unterminated: boolean): void {
    const byteEnd = this.#lineStart + this.#held.length + last.length;
    const place = { line: this.#line, unterminated };
    const all = this.#held.take(last);
    if (all === null) {
      this.#onLine({ ...place, bytes: last.subarray(0, 0), byteStart: this.#lineStart, byteEnd, tooLong: true });
      return;
    }
    const start = all[0] === 0xef && all[1] === 0xbb && all[2] === 0xbf ? 3 : 0;
    const end = all.length > start && all[all.length - 1] === RETURN ? all.length - 1 : all.length;
    if (start > 0) this.#onFiller({ byteStart: this.#lineStart, bytes: all.subarray(0, start) });
    this.#onLine({
      ...place,
      bytes: all.subarray(start, end),
      byteStart: this.#lineStart + start,
      byteEnd: this.#lineStart + end,
      tooLong: false,
    });
    if (end < all.length) this.#onFiller({ byteStart: this.#lineStart + end, bytes: all.subarray(end) });
  }
}
