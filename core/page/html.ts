// A page as one file: the built page with the pieces of a transcript in it, as text that no browser runs.
import type { PageAbout, PagePiece } from './types.ts';

/** Where the built page takes the title and the pieces. */
export const PAGE_TITLE = 'parallax-page-title';
export const PAGE_DATA = '<!--parallax-page-data-->';

/** Packs the JSON of a piece into text without `<` (`textOfBytes`). */
export type PackText = (json: string) => string;

/**
 * The whole file. `shell` is the built page; an Error if it does not take pieces. Of the transcript only the title is in it as
 * it is, escaped.
 */
export function pageHtml(shell: string, { title }: PageAbout, pieces: readonly PagePiece[], pack: PackText): string {
  if (!shell.includes(PAGE_DATA) || !shell.includes(PAGE_TITLE)) throw new Error('the built page takes no pieces');
  const data = pieces.map(({ name, json }) => `<script type="text/plain" data-piece="${name}">${pack(json)}</script>`);
  return shell.replace(PAGE_TITLE, () => escaped(title)).replace(PAGE_DATA, () => data.join('\n'));
}

const PIECE = /<script type="text\/plain" data-piece="([a-z]+\d*)">([^<]*)<\/script>/g;

/** The pieces of a finished page, read back from its bytes. */
export function piecesOf(html: string, unpack: (text: string) => string): readonly PagePiece[] {
  return [...html.matchAll(PIECE)].map(([, name = '', text = '']) => ({ name, json: unpack(text) }));
}

/** A finished page without its pieces: the built page, and the title. */
export function shellOf(html: string): string {
  return html.replaceAll(PIECE, '');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
