// Lines of a stream as they come, each within what one text may hold, and each on its own: one that is too long or is not
// UTF-8 does not end those behind it.
import type { Readable } from 'node:stream';

/** Bytes of the longest line that is read. */
export const MOST_LINE_BYTES = 256 * 1024 * 1024;

/** A line without its end, or why it could not be read. */
export type Line = { readonly text: string } | { readonly fault: 'too_long' | 'not_utf8' };

const LINE_END = 0x0a;

/** The lines of a stream; one is in memory at a time. The last needs no end. */
export async function* linesIn(input: Readable, most = MOST_LINE_BYTES): AsyncGenerator<Line> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  const take = (piece: Uint8Array): void => {
    bytes += piece.length;
    // Of one that is too long nothing is kept: the rest of it is only passed over.
    if (bytes > most) held = [];
    else held.push(piece);
  };
  const line = (): Line => {
    const whole: Line = bytes > most ? { fault: 'too_long' } : decoded(held);
    held = [];
    bytes = 0;
    return whole;
  };
  for await (const chunk of input) {
    const data: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let from = 0;
    for (let end = data.indexOf(LINE_END); end >= 0; end = data.indexOf(LINE_END, from)) {
      take(data.subarray(from, end));
      yield line();
      from = end + 1;
    }
    take(data.subarray(from));
  }
  yield line();
}

function decoded(pieces: readonly Uint8Array[]): Line {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)) };
  } catch (error) {
    if (error instanceof TypeError) return { fault: 'not_utf8' };
    throw error;
  }
}
