import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';

export type EncodingId = 'o200k_base' | 'cl100k_base';

export const ENCODINGS: readonly EncodingId[] = ['o200k_base', 'cl100k_base'];
export const RANKS = { o200k_base: o200k, cl100k_base: cl100k } as const;

/** The slow, obvious counter; special-token text counts as ordinary text. */
export function oracle(id: EncodingId): (text: string) => number {
  const tiktoken = new Tiktoken(RANKS[id]);
  return (text) => tiktoken.encode(text, [], []).length;
}

/** Seeded generator (mulberry32): integers in [0, below). */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Alphabets that meet each other's edges: what a pattern distinguishes, and what merging finds hard. */
export const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  ascii: Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)),
  control: Array.from({ length: 34 }, (_, i) => String.fromCharCode(i === 33 ? 127 : i)),
  spaces: [' ', '  ', '\t', '\n', '\r', '\r\n', '\u00a0', '\u2003', '\u2028', '\ufeff', '\u0085', '\u200b', 'a', '!'],
  contractions: ["'", "'", 's', 'S', 't', 'l', 'L', 'r', 'e', 'E', 'v', 'm', 'd', 'ſ', 'K', ' ', 'A', '1', '’'],
  words: [
    'a',
    'B',
    'ab',
    'ǅ',
    'ʰ',
    'ª',
    'ß',
    'É',
    'é',
    '\u0301',
    '\u0903',
    '日',
    '本',
    'ا',
    'ﬁ',
    ' ',
    '.',
    "'s",
    '/',
    '\n',
  ],
  numbers: ['0', '1', '23', '٣', 'Ⅷ', '½', '²', '𝟘', ' ', 'a', '.', ',', '-', '\n'],
  signs: [
    '=',
    '-',
    '/',
    '//',
    '\\',
    '{',
    '}',
    '(',
    ')',
    ';',
    '"',
    '\n',
    '\r\n',
    ' ',
    '    ',
    '#',
    '!',
    '\u0301',
    'x',
    '…',
  ],
  cjk: ['你', '好', '世', '界', '的', '。', '，', 'の', 'カ', 'ー', '한', '국', '어', 'ไ', 'ท', '้', ' ', '\n', 'a'],
  emoji: ['😀', '👩', '\u200d', '👦', '🏽', '❤', '\ufe0f', '🇩', '🇪', '🏴', '\u{e0067}', ' ', 'ok'],
  surrogates: ['\ud800', '\udbff', '\udc00', '\udfff', 'a', 'A', ' ', '\n', '1', '\u0301', '😀', '\uffff', '\ufffd'],
};

export function randomText(next: (below: number) => number, alphabet: readonly string[], longest: number): string {
  let text = '';
  for (let left = next(longest + 1); left > 0; left--) text += alphabet[next(alphabet.length)] ?? '';
  return text;
}
