// A text within a text: what JSON, and most languages with it, write of a string in quotation marks. What was said earlier
// is quoted so in arguments that hold JSON or code.
import { Ints } from '../../util/ints.ts';

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["'`/\\bfnrt]))/g;
const SIGNS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A decoded text, and where its characters are in the one it was decoded of. */
export interface Unescaped {
  readonly text: string;
  readonly range: (of: { readonly from: number; readonly to: number }) => {
    readonly from: number;
    readonly to: number;
  };
}

/** The text with its escapes decoded; null = it has none. */
export function unescaped(text: string): Unescaped | null {
  if (!text.includes('\\')) return null;
  /** Of each escape where its character is in the decoded text, and how many characters were left out up to it. */
  const [places, leftOut] = [new Ints(), new Ints()];
  let gone = 0;
  const decoded = text.replace(
    ESCAPE,
    (found: string, code: string | undefined, sign: string | undefined, at: number) => {
      places.push(at - gone);
      gone += found.length - 1;
      leftOut.push(gone);
      return code === undefined ? (SIGNS[sign ?? ''] ?? sign ?? '') : String.fromCharCode(Number.parseInt(code, 16));
    },
  );
  if (gone === 0) return null;
  // Behind the escapes whose characters stand before it.
  const raw = (at: number): number => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places.at(middle) < at) low = middle + 1;
      else high = middle;
    }
    return at + (low === 0 ? 0 : leftOut.at(low - 1));
  };
  return { text: decoded, range: ({ from, to }) => ({ from: raw(from), to: raw(to) }) };
}
