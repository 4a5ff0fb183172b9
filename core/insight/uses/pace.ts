// Work in pieces. Whoever does it counts the characters it went through and lets others have their turn in between.

/** Characters gone through between two pauses: two or three milliseconds. */
const PAUSE_EVERY = 16_000;
/** A text is gone through so far at once. */
export const PIECE_CHARS = 8_000;

/** Counts what was done since the last pause, of several kinds of work together. */
export class Pace {
  #left = PAUSE_EVERY;

  /** True if it is time for a pause now. */
  spend(characters: number): boolean {
    this.#left -= characters;
    if (this.#left > 0) return false;
    this.#left = PAUSE_EVERY;
    return true;
  }
}
