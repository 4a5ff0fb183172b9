// browser-safe
// A text as it is looked for: runs of white space match each other, and so do canonically equivalent characters; letter case
// and word ends only if asked for. Compiled to regular expressions in Unicode mode (several for a long one): it folds case
// character by character, so that offsets hold, and never matches half a character.
import { canonicalForms, clustersOf } from './canonicalForms.ts';

/** How a text is looked for. Runs of white space, and spellings of a character (composed or not), always match each other. */
export interface TextSwitches {
  readonly matchCase?: boolean;
  readonly wholeWord?: boolean;
}

/** A range in a string. Unit: UTF-16 units, end exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A text ready to be looked for. */
export interface TextPattern {
  /** Without white space around it. */
  readonly text: string;
  /** The places in a string, in order, none overlapping; `most` = how many at most. */
  find(within: string, most?: number): readonly Span[];
  /** False if the JSON text of a message cannot hold it: a quick look before it is parsed. */
  mayStandIn(json: string): boolean;
}

/** Compiles a text; null if there is nothing but white space. Linear in its length. */
export function textPattern(given: string, switches: TextSwitches = {}): TextPattern | null {
  const text = given.trim();
  if (text === '') return null;
  const fold = switches.matchCase === true ? 'u' : 'iu';
  const words = text.split(/\s+/u);
  const { before, after } = switches.wholeWord === true ? bordersOf(text) : NO_BORDERS;
  const bodies = bodiesOf(words);
  const find = bodies.map((body, at) => {
    const [begin, end] = [at === 0 ? before : '', at === bodies.length - 1 ? after : ''];
    return new RegExp(`${begin}${body}${end}`, `${at === 0 ? 'g' : 'y'}${fold}`);
  });
  // Folding keeps the length of a character, and white space is one at least.
  const least = words.reduce((sum, word) => sum + leastOf(word), words.length - 1);
  const piece = plainPiece(words);
  const look = piece === null ? null : new RegExp(piece, fold);
  return {
    text,
    find: (within, most = Number.POSITIVE_INFINITY) => spansOf(find, within, { most, least }),
    mayStandIn: (json) => look === null || look.test(json) || json.includes('\\u'),
  };
}

// Where what is left is shorter than the text it is not looked for: of a long text that repeats itself, every beginning
// would be compared to its end.
function spansOf(
  [first, ...rest]: readonly RegExp[],
  within: string,
  { most, least }: { readonly most: number; readonly least: number },
): readonly Span[] {
  const spans: Span[] = [];
  if (first === undefined) return spans;
  first.lastIndex = 0;
  while (spans.length < most && first.lastIndex + least <= within.length) {
    const match = first.exec(within);
    if (match === null) break;
    const to = endOf(rest, within, first.lastIndex);
    if (to !== null) spans.push({ from: match.index, to });
    first.lastIndex = to ?? match.index + ((within.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1);
  }
  return spans;
}

// White space ends where a word begins: there is one way to continue at most.
function endOf(rest: readonly RegExp[], within: string, from: number): number | null {
  let at = from;
  for (const next of rest) {
    next.lastIndex = at;
    if (!next.test(within)) return null;
    at = next.lastIndex;
  }
  return at;
}

/** Characters and words of one expression; longer ones exhaust the stack of those who compile them. */
const BODY_CHARS = 500;
const BODY_WORDS = 50;

function bodiesOf(words: readonly string[]): readonly string[] {
  const bodies: string[] = [];
  let [body, chars, count] = ['', 0, 0];
  const close = (): void => {
    if (body !== '') bodies.push(body);
    [body, chars, count] = ['', 0, 0];
  };
  for (const [at, word] of words.entries()) {
    for (const [nth, piece] of piecesOf(word).entries()) {
      if (chars + piece.length > BODY_CHARS || count >= BODY_WORDS) close();
      body += `${nth === 0 && at > 0 ? '\\s+' : ''}${escaped(piece)}`;
      chars += piece.length;
      count++;
    }
  }
  close();
  return bodies;
}

// No piece ends within a character that has marks on it.
function piecesOf(word: string): readonly string[] {
  if (word.length <= BODY_CHARS) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const cluster of clustersOf(word)) {
    if (piece !== '' && piece.length + cluster.length > BODY_CHARS) {
      pieces.push(piece);
      piece = '';
    }
    piece += cluster;
    while (piece.length > BODY_CHARS) {
      const cut = cutPair(piece.slice(0, BODY_CHARS));
      pieces.push(cut);
      piece = piece.slice(cut.length);
    }
  }
  return piece === '' ? pieces : [...pieces, piece];
}

// Without half a pair at the end.
function cutPair(piece: string): string {
  const last = piece.charCodeAt(piece.length - 1);
  return piece.length > 1 && last >= 0xd800 && last <= 0xdbff ? piece.slice(0, -1) : piece;
}

/** Source of an expression that matches the text in all its spellings. */
function escaped(text: string): string {
  return clustersOf(text)
    .map((cluster) => {
      const forms = canonicalForms(cluster).map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
      return forms.length === 1 ? forms[0]! : `(?:${forms.join('|')})`;
    })
    .join('');
}

/** The length of its shortest spelling. */
function leastOf(word: string): number {
  return clustersOf(word).reduce((sum, one) => sum + Math.min(...canonicalForms(one).map(({ length }) => length)), 0);
}

const WORD = '[\\p{L}\\p{M}\\p{N}_]';
const BEGINS_WITH_WORD = new RegExp(`^${WORD}`, 'u');
const ENDS_WITH_WORD = new RegExp(`${WORD}$`, 'u');

const NO_BORDERS = { before: '', after: '' };

// An end that is not a letter needs no border: `--flag` is whole in `x--flag`.
function bordersOf(text: string): typeof NO_BORDERS {
  return {
    before: BEGINS_WITH_WORD.test(text) ? `(?<!${WORD})` : '',
    after: ENDS_WITH_WORD.test(text) ? `(?!${WORD})` : '',
  };
}

// The longest run of characters that JSON writes as they are (or as \\u…), however often it was
// encoded; JSON's own signs may have spaces around them.
function plainPiece(words: readonly string[]): string | null {
  const runs = words.flatMap((word) => word.match(/[^"\\/\p{Cc}{}[\]:,]+/gu) ?? []);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest === '' ? null : escaped(piecesOf(longest)[0] ?? '');
}
