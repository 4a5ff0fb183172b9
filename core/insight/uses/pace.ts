// Work in pieces. Whoever does it counts the characters it went through and lets others have their turn in between.

/** Characters gone through between two pauses: two or three milliseconds. */
const PAUSE_EVERY = 16_000;
/** The same at first: code that has not run yet is compiled meanwhile, and takes ten times as long and more. */
const FIRST_PAUSE = 250;
/** A text is gone through so far at once. */
export const PIECE_CHARS = 8_000;

/** Counts what was done since the last pause, of several kinds of work together. */
export class Pace {
  #every = FIRST_PAUSE;
  #left = FIRST_PAUSE;

  /** True if it is time for a pause now. */
  spend(characters: number): boolean {
    this.#left -= characters;
    if (this.#left > 0) return false;
    this.#every = Math.min(PAUSE_EVERY, 2 * this.#every);
    this.#left = this.#every;
    return true;
  }
}
