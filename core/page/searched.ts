// What of a finished page is searched for what must not leave it.
import { isRecord } from '../util/unknown.ts';
import { type PackText, piecesOf, shellOf } from './html.ts';

const TITLE = /<title>([^<]*)<\/title>/;
/** A line that was cut, in its last word. */
const CUT_END = /\S*…$/u;

/**
 * The JSON of a finished page, decoded from its bytes: its title, then its pieces. A line of a row that was cut may end within a
 * stand-in, which no longer is one: that word is left out. The message it is of is searched as a whole.
 */
export function* searchedTexts(html: string, unpack: PackText): Generator<string> {
  const [, title = ''] = TITLE.exec(shellOf(html)) ?? [];
  yield JSON.stringify({ title: title.replace(CUT_END, '') });
  for (const { name, json } of piecesOf(html, unpack)) {
    const isLines = name === 'head' || name.startsWith('rows');
    yield `{${JSON.stringify(name)}:${isLines ? JSON.stringify(withoutCutEnds(JSON.parse(json))) : json}}`;
  }
}

function withoutCutEnds(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CUT_END, '');
  if (Array.isArray(value)) return value.map(withoutCutEnds);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, withoutCutEnds(own)]));
}
