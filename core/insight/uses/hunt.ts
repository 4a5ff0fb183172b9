// Many texts looked for at once. Each is found by two of its words side by side: words of the text that is read are hashed
// on the way, and only where a hash is known it is compared. Runs of white space match each other, and so do slashes of both kinds.
// Linear in what is read, whatever the number of texts.

/** A text to be looked for. Letter case counts. */
export interface Needle {
  readonly text: string;
  /** It does not count within a longer word. */
  readonly isWhole: boolean;
}

/** Told of each place: which needle, and its range. */
export type TakeHit = (id: number, from: number, to: number) => void;

interface Entry {
  readonly id: number;
  readonly word: string;
  /** Of the word, together with the one before it where there is one. */
  readonly hash: number;
  readonly before: string;
  readonly after: string;
  readonly isWhole: boolean;
}

interface Word {
  readonly from: number;
  readonly to: number;
  readonly hash: number;
}

/** Words of a text of which one is chosen. */
const PAIRS_MOST = 60;

let wordCodes: Uint8Array | null = null;

function wordTable(): Uint8Array {
  if (wordCodes !== null) return wordCodes;
  const table = new Uint8Array(65536);
  for (let code = 0; code < 65536; code++) {
    if (/[\p{L}\p{M}\p{N}_]/u.test(String.fromCharCode(code))) table[code] = 1;
  }
  wordCodes = table;
  return table;
}

const FILTER_BITS = 21;

/** The texts looked for, and the search. */
export class TextHunt {
  readonly #filter = new Uint8Array(1 << FILTER_BITS);
  readonly #entries = new Map<number, Entry[]>();
  /** Without a word to find them by. */
  readonly #loose: Entry[] = [];
  readonly #words = wordTable();

  /** Looks for this text too, under a number. */
  add(needle: Needle, id: number): void {
    const entry = this.#entryOf(needle, id);
    if (entry.word === '') {
      this.#loose.push(entry);
      return;
    }
    const hash = entry.hash;
    this.#filter[filterAt(hash)] = 1;
    const known = this.#entries.get(hash);
    if (known === undefined) this.#entries.set(hash, [entry]);
    else known.push(entry);
  }

  /** Tells all places of all texts in a string. */
  search(text: string, take: TakeHit): void {
    const words = this.#words;
    const filter = this.#filter;
    const { length } = text;
    for (const entry of this.#loose) this.#searchLoose(text, entry, take);
    let [at, before] = [0, 0];
    while (at < length) {
      let code = text.charCodeAt(at);
      if (words[code] === 0) {
        at++;
        continue;
      }
      const from = at;
      let hash = 0;
      do {
        hash = (Math.imul(hash, 31) + code) | 0;
        at++;
        code = at < length ? text.charCodeAt(at) : 0;
      } while (words[code] === 1);
      const pair = pairOf(before, hash);
      before = hash;
      if (filter[filterAt(hash)] === 1) this.#compare(text, from, at, hash, take);
      if (filter[filterAt(pair)] === 1) this.#compare(text, from, at, pair, take);
    }
  }

  #compare(text: string, from: number, to: number, hash: number, take: TakeHit): void {
    for (const { id, word, before, after, isWhole } of this.#entries.get(hash) ?? NO_ENTRIES) {
      if (word.length !== to - from || !text.startsWith(word, from)) continue;
      const begin = before === '' ? from : matchBackward(text, from, before);
      if (begin < 0) continue;
      const end = after === '' ? to : matchForward(text, to, after);
      if (end < 0 || (isWhole && !this.#isWhole(text, begin, end))) continue;
      take(id, begin, end);
    }
  }

  #searchLoose(text: string, { id, after, isWhole }: Entry, take: TakeHit): void {
    const first = after.charAt(0);
    for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
      const end = matchForward(text, at, after);
      if (end >= 0 && !(isWhole && !this.#isWhole(text, at, end))) take(id, at, end);
    }
  }

  // A border is needed only where the text ends in a letter.
  #isWhole(text: string, from: number, to: number): boolean {
    const isWord = (at: number): boolean => at >= 0 && at < text.length && this.#words[text.charCodeAt(at)] === 1;
    return !(isWord(from) && isWord(from - 1)) && !(isWord(to - 1) && isWord(to));
  }

  // By two words side by side that the fewest others are found by, of those the longest; or by the only word. Of a text that
  // may be within a longer word, not by the words at its ends.
  #entryOf({ text: given, isWhole }: Needle, id: number): Entry {
    const text = given
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/[\\/]+/g, '/');
    const spans = this.#wordsIn(text).filter(({ from, to }) => isWhole || (from > 0 && to < text.length));
    const [only] = spans;
    if (only === undefined) return { id, word: '', hash: 0, before: '', after: text, isWhole };
    let { from, to, hash } = only;
    let [fewest, length] = [Number.POSITIVE_INFINITY, 0];
    for (const [nth, next] of spans.slice(1, PAIRS_MOST).entries()) {
      const first = spans[nth];
      if (first === undefined) continue;
      const pair = pairOf(first.hash, next.hash);
      const others = this.#entries.get(pair)?.length ?? 0;
      if (others > fewest || (others === fewest && next.to - first.from <= length)) continue;
      [fewest, length] = [others, next.to - first.from];
      [from, to, hash] = [next.from, next.to, pair];
    }
    return { id, word: text.slice(from, to), hash, before: text.slice(0, from), after: text.slice(to), isWhole };
  }

  #wordsIn(text: string): readonly Word[] {
    const found: Word[] = [];
    for (let at = 0; at < text.length; at++) {
      const from = at;
      while (at < text.length && this.#words[text.charCodeAt(at)] === 1) at++;
      if (at > from) found.push({ from, to: at, hash: hashOf(text.slice(from, at)) });
    }
    return found;
  }
}

const NO_ENTRIES: readonly Entry[] = [];

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = (Math.imul(hash, 31) + word.charCodeAt(at)) | 0;
  return hash;
}

function pairOf(before: number, hash: number): number {
  return (Math.imul(before, 0x01000193) ^ hash) | 0;
}

function filterAt(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_BITS);
}

const SPACE = 0x20;
const SLASH = 0x2f;

// Where the pattern ends that begins here; -1 = it does not stand here.
function matchForward(text: string, from: number, pattern: string): number {
  let at = from;
  for (let i = 0; i < pattern.length; i++) {
    const wanted = pattern.charCodeAt(i);
    const found = at < text.length ? text.charCodeAt(at) : -1;
    if (!sameSign(found, wanted)) return -1;
    at++;
    if (wanted === SPACE || wanted === SLASH) while (at < text.length && sameSign(text.charCodeAt(at), wanted)) at++;
  }
  return at;
}

// Where the pattern begins that ends here; -1 = it does not stand here.
function matchBackward(text: string, to: number, pattern: string): number {
  let at = to;
  for (let i = pattern.length - 1; i >= 0; i--) {
    const wanted = pattern.charCodeAt(i);
    const found = at > 0 ? text.charCodeAt(at - 1) : -1;
    if (!sameSign(found, wanted)) return -1;
    at--;
    if (wanted === SPACE || wanted === SLASH) while (at > 0 && sameSign(text.charCodeAt(at - 1), wanted)) at--;
  }
  return at;
}

function sameSign(found: number, wanted: number): boolean {
  if (wanted === SPACE) return isSpace(found);
  if (wanted === SLASH) return found === SLASH || found === 0x5c;
  return found === wanted;
}

// The code of a white space character.
function isSpace(code: number): boolean {
  if (code === 0x20 || (code >= 9 && code <= 13)) return true;
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code));
}
