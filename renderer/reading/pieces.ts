// Long texts in pieces that can be drawn one after the other.

/** Characters after which a piece of Markdown ends at the next empty line outside of code. */
const PIECE = 8_000;
/** Lines of a piece. */
const LINES = 200;

/** Markdown in pieces, each of whole blocks; joined by a line feed they are the text. */
export function markdownPieces(text: string): readonly string[] {
  if (text.length <= PIECE) return [text];
  const pieces: string[] = [];
  let lines: string[] = [];
  let chars = 0;
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    lines.push(line);
    chars += line.length + 1;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence === null) fence = mark;
    else if (mark?.startsWith(fence)) fence = null;
    const isFull = chars >= PIECE && ((line.trim() === '' && fence === null) || chars >= PIECE * 8);
    if (!isFull) continue;
    pieces.push(lines.join('\n'));
    lines = [];
    chars = 0;
  }
  if (lines.length > 0) pieces.push(lines.join('\n'));
  return pieces;
}

/** A list in pieces of at most {@link LINES} elements; at least one piece. */
export function linePieces<T>(lines: readonly T[]): readonly (readonly T[])[] {
  const count = Math.max(1, Math.ceil(lines.length / LINES));
  return Array.from({ length: count }, (_, at) => lines.slice(at * LINES, (at + 1) * LINES));
}
