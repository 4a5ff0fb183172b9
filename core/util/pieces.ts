const PIECE_CHARS = 256_000;

/** The same text in larger pieces, about 256,000 characters each: a write for each small text costs more than the text. */
export function* inPieces(chunks: Iterable<string>): Generator<string> {
  let held: string[] = [];
  let chars = 0;
  for (const chunk of chunks) {
    held.push(chunk);
    chars += chunk.length;
    if (chars < PIECE_CHARS) continue;
    yield held.join('');
    held = [];
    chars = 0;
  }
  yield held.join('');
}
