// browser-safe
// A text that holds files: what a client attached, and files in the wrappers that clients write around them. Their contents
// are read by their names and never as prose, where `# a comment` would become a heading.
import type { AttachedKind } from '../model/provenance.ts';
import { linesOf } from './resultView.ts';
import type { FileView } from './types.ts';

/** A stretch of a text: prose, or a file. Every character of the text is in one of them, but line feeds between them. */
export type TextPiece =
  | { readonly kind: 'prose'; readonly text: string }
  | { readonly kind: 'file'; readonly file: FileView };

/**
 * A text as people read it. `attached` = what the runtime recorded of it; null = nothing, so only wrappers show.
 * `isCut` = only the beginning of the text, so that a wrapper may have no end.
 */
export function attachedText(text: string, attached: AttachedKind | null, isCut = false): readonly TextPiece[] {
  const named = attached === null ? null : namedFile(text, attached);
  if (named !== null) return [named];
  const pieces = wrappedFiles(text, isCut);
  const isWhole = pieces.length === 1 && pieces[0]?.kind === 'prose';
  // Instructions and what an editor reports are prose, where nothing names a file.
  if (isWhole && (attached === 'file' || attached === 'file_change')) return [fileOf(null, text)];
  return pieces;
}

/** True of a file whose contents are read as Markdown, by its name. */
export function isMarkdownFile(path: string | null): boolean {
  return /\.(?:md|mdx|mdc|markdown)$/i.test(path ?? '');
}

const MOST_OF_A_NAME = 500;
/** A path or an address: one without blanks, or one from a root with the ending of a file. */
const PATH =
  /^(?:[^\s<>"`|?*]*(?:[\\/][^\s<>"`|?*]*|\.\w{1,12})|(?:[A-Za-z]:[\\/]|[a-z][\w+.-]*:\/\/|\.{0,2}\/|~\/)[^<>"`|?*]*\.\w{1,12})$/;
/** Lines that are selected in an editor. */
const PLACE = /:(\d+(?:-\d+)?)$/;

/** The first line is the name, all else the file. */
function namedFile(text: string, attached: AttachedKind): TextPiece | null {
  const end = text.includes('\n') ? text.indexOf('\n') : text.length;
  const place = attached === 'editor' ? PLACE.exec(text.slice(0, end))?.[1] : undefined;
  const path = text.slice(0, place === undefined ? end : end - place.length - 1);
  if (path.length > MOST_OF_A_NAME || !PATH.test(path)) return null;
  const { file } = fileOf(path, text.slice(end + 1));
  const lines = end === text.length ? [] : file.lines;
  return { kind: 'file', file: { ...file, lines, ...(place !== undefined && { place }) } };
}

const OPEN = /^<(file|file_contents?|attachment|attached_file|document|source_file)((?: [^\n>]*)?)>[ \t]*\n/gm;
const ATTRIBUTE = /\b(?:path|filePath|file_path|filename|name|src|source|uri|id)="([^"\n]+)"/;

/** Files in wrappers that name them; the tags fill their lines. */
function wrappedFiles(text: string, isCut: boolean): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(OPEN)) {
    const [head, tag = '', attributes = ''] = match;
    if (match.index < from) continue;
    const begins = match.index + head.length;
    const close = `</${tag}>`;
    const found = text.indexOf(`\n${close}`, begins - 1);
    if (found < 0 && !isCut) continue;
    const ends = found < 0 ? text.length : found;
    const path = ATTRIBUTE.exec(attributes)?.[1] ?? null;
    const file = fileOf(path, text.slice(begins, ends));
    const isNumbered = file.file.lines.some(({ number }) => number !== null);
    if ((path === null || !/\.\w{1,12}$/.test(path)) && !isNumbered) continue;
    if (text.slice(from, match.index).trim() !== '') pieces.push(proseOf(text.slice(from, match.index)));
    const tail = found < 0 ? '' : `\n${close}`;
    pieces.push({ kind: 'file', file: { ...file.file, head: head + file.file.head, tail: file.file.tail + tail } });
    from = found < 0 ? text.length : found + tail.length;
  }
  if (pieces.length === 0) return [proseOf(text)];
  if (text.slice(from).trim() !== '') pieces.push(proseOf(text.slice(from)));
  return pieces;
}

function proseOf(text: string): TextPiece {
  return { kind: 'prose', text };
}

function fileOf(path: string | null, text: string) {
  return { kind: 'file' as const, file: linesOf(text, path) };
}
