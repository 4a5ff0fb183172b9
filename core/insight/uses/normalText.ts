// Texts as they are compared: what differs in white space alone, or in the kind and number of slashes, is the same text.
import { Ints } from '../../util/ints.ts';

// Only what changes: most blanks are single spaces, and stay.
const BLANKS = /\s{2,}|[^\S ]/g;
const SLASHES = /[\\/]{2,}|\\/g;

/** A text with one space for each run of white space. */
export function normaliseSpace(text: string): string {
  return text.replace(BLANKS, ' ');
}

/** The same, with one slash for each run of slashes of both kinds. */
export function normaliseSpaceAndSlashes(text: string): string {
  return normaliseSpace(text).replace(SLASHES, '/');
}

const NO_RUN = 0;
const BLANK_RUN = 1;
const SLASH_RUN = 2;

/** Where the characters of a normalised text are in the text itself. Read once, asked often. */
export class RawPlaces {
  /** Of each run of several: where it is in the normalised text, and how many characters were left out up to it. */
  readonly #runs = new Ints();
  readonly #leftOut = new Ints();

  /** `slashes` = they were normalised too. */
  constructor(text: string, slashes = false) {
    let leftOut = 0;
    let before = NO_RUN;
    for (let at = 0; at < text.length; at++) {
      const run = runOf(text.charCodeAt(at), slashes);
      if (run === NO_RUN || run !== before) {
        before = run;
        continue;
      }
      const begin = at - 1;
      while (at < text.length && runOf(text.charCodeAt(at), slashes) === run) at++;
      this.#runs.push(begin - leftOut);
      leftOut += at - begin - 1;
      this.#leftOut.push(leftOut);
      before = NO_RUN;
      at--;
    }
  }

  /** Runs of several. */
  get size(): number {
    return this.#runs.length;
  }

  /** The same range in the text itself. */
  range({ from, to }: { readonly from: number; readonly to: number }): { readonly from: number; readonly to: number } {
    return { from: this.#raw(from), to: this.#raw(to) };
  }

  // What was left out by runs before it.
  #raw(at: number): number {
    let [low, high] = [0, this.#runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#runs.at(middle) < at) low = middle + 1;
      else high = middle;
    }
    return at + (low === 0 ? 0 : this.#leftOut.at(low - 1));
  }
}

function runOf(code: number, slashes: boolean): number {
  if (isBlank(code)) return BLANK_RUN;
  return slashes && (code === 0x2f || code === 0x5c) ? SLASH_RUN : NO_RUN;
}

/** What `\s` is. */
export function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13);
  return code >= 0xa0 && BLANK.test(String.fromCharCode(code));
}

const BLANK = /\s/;
