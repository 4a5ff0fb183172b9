// browser-safe
// Words: what search can find. One definition for the index, the query, the marks on screen and the tests' plain scan.
//
// A word is a run of letters, marks and digits in any script, in lower case and without the accents of Latin, Greek
// and Cyrillic. Every character of a script that writes no spaces (Chinese, Japanese, Korean, Thai …) is a word of its
// own, so any part of such a text can be found as a phrase. All else separates: `snake_case` and `src/file.ts:42` are
// phrases of their pieces. Of a word longer than 64 characters the first 64 count.

/** Of longer words (hashes, encoded data) only the beginning counts. Unit: UTF-16 units of the folded word. */
export const WORD_MAX_CHARS = 64;

/** Is in the index before every part of a message, so that no phrase crosses a border. Never in a text's words. */
export const BOUNDARY = '\ue000';

/** A word and where it is in the text; `text` is folded. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text in order, and the second readings: words that begin with the letter after a backslash. */
export interface TextWords {
  readonly words: readonly Word[];
  /** `\new` is read as a line end and `ew`, as in JSON and source code, and once more as `new`, as in `C:\new`. */
  readonly second: readonly Word[];
}

const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const ASCII_RUN = /[A-Za-z0-9]+/g;
const NOT_ASCII = /[^\u0000-\u007f]/;
// A character of them; not their vowel signs and tone marks, which belong to the character before.
const UNSPACED_SCRIPTS =
  '(?!\\p{M})[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const HAS_UNSPACED = new RegExp(UNSPACED_SCRIPTS, 'u');
// Marks go with the character before them: without them it is another one.
const PIECE = new RegExp(`${UNSPACED_SCRIPTS}\\p{M}*|(?:(?!${UNSPACED_SCRIPTS}).)+`, 'gu');
const ACCENTS = /[\u0300-\u036f]/g;
const ESCAPE = /\\[abfnrtv](?=[\p{L}\p{N}])/u;

/** The words of a text, see the file's beginning. */
export function wordsOf(text: string): TextWords {
  const words: Word[] = [];
  const second: Word[] = [];
  const escapes = ESCAPE.test(text);
  for (const run of text.matchAll(NOT_ASCII.test(text) ? RUN : ASCII_RUN)) {
    const start = run.index;
    const letters = run[0];
    const escaped = escapes && start > 0 && ESCAPE.test(text.slice(start - 1, start + 3));
    if (escaped) addWords(second, letters, start);
    if (escaped) addWords(words, letters.slice(1), start + 1);
    else addWords(words, letters, start);
  }
  // Only the word directly behind the backslash has two readings.
  return { words, second: second.filter(({ start }) => text[start - 1] === '\\') };
}

/** What the index is given for a text: separated by anything but letters and digits of ASCII and all of non-ASCII. */
export function indexText(text: string): string {
  // The index folds ASCII itself and separates as wordsOf does.
  if (!NOT_ASCII.test(text) && !ESCAPE.test(text) && !hasLongWord(text)) return text;
  const { words, second } = wordsOf(text);
  const first = words.map((word) => word.text).join(' ');
  return second.length === 0 ? first : `${first} ${second.map((word) => `${BOUNDARY} ${word.text}`).join(' ')}`;
}

/** Whether a word of ASCII is longer than counts. Looks at one character in 65: a long word cannot hide between two. */
function hasLongWord(text: string): boolean {
  for (let at = WORD_MAX_CHARS; at < text.length; at += WORD_MAX_CHARS + 1) {
    if (!isWordUnit(text.charCodeAt(at))) continue;
    let start = at;
    let end = at + 1;
    while (start > 0 && end - start <= WORD_MAX_CHARS && isWordUnit(text.charCodeAt(start - 1))) start--;
    while (end - start <= WORD_MAX_CHARS && isWordUnit(text.charCodeAt(end))) end++;
    if (end - start > WORD_MAX_CHARS) return true;
  }
  return false;
}

/** 0-9, A-Z, a-z. */
function isWordUnit(unit: number): boolean {
  const letter = unit | 0x20;
  return (unit >= 0x30 && unit <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}

function addWords(words: Word[], letters: string, start: number): void {
  if (!NOT_ASCII.test(letters)) {
    addWord(words, letters, letters.toLowerCase(), start);
  } else if (!HAS_UNSPACED.test(letters)) {
    addWord(words, letters, fold(letters), start);
  } else {
    for (const piece of letters.matchAll(PIECE)) addWord(words, piece[0], fold(piece[0]), start + piece.index);
  }
}

function addWord(words: Word[], letters: string, folded: string, start: number): void {
  if (folded === '') return;
  const text = folded.length > WORD_MAX_CHARS ? cut(folded) : folded;
  words.push({ text, start, end: start + letters.length });
}

/** Lower case first: it is what makes some letters decompose. Canonical forms only: they never hold a separator. */
function fold(letters: string): string {
  return letters.toLowerCase().normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}

// A pair of surrogates stays whole: half of one cannot be written as UTF-8.
function cut(text: string): string {
  const last = text.charCodeAt(WORD_MAX_CHARS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? WORD_MAX_CHARS - 1 : WORD_MAX_CHARS);
}
