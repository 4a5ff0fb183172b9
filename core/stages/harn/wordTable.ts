// Words as small integers. A transcript of 10,000 messages names its identifiers some 300,000 times: so a word is looked
// up where it stands, without cutting it out first. Open addressing, linear probing, at most half full.
import { tokenHash } from './tokens.ts';

const FIRST_SLOTS = 1024;

/** Numbers words in the order in which they were first added, from 0. */
export class WordTable {
  readonly #words: string[] = [];
  readonly #hashes: number[] = [];
  /** Number of a word + 1; 0 = free. */
  #slots = new Int32Array(FIRST_SLOTS);

  /** How many words there are; numbers are below it. */
  get size(): number {
    return this.#words.length;
  }

  /** The word behind a number; empty if there is none. */
  word(id: number): string {
    return this.#words[id] ?? '';
  }

  /** The number of text[from, to), -1 if it was never added. `hash` = its tokenHash, if that is known. */
  find(text: string, from: number, to: number, hash: number = tokenHash(text, from, to)): number {
    return this.#slots[this.#slotOf(folded(hash), text, from, to)]! - 1;
  }

  /** The number of text[from, to), added if it is new. `hash` as in find. */
  add(text: string, from: number, to: number, unfolded: number = tokenHash(text, from, to)): number {
    const hash = folded(unfolded);
    const slot = this.#slotOf(hash, text, from, to);
    const known = this.#slots[slot]! - 1;
    if (known >= 0) return known;
    const id = this.#words.push(detached(text, from, to)) - 1;
    this.#hashes.push(hash);
    this.#slots[slot] = id + 1;
    if (this.#words.length * 2 > this.#slots.length) this.#grow();
    return id;
  }

  /** The slot that holds the word, or the free one where it belongs. */
  #slotOf(hash: number, text: string, from: number, to: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]! - 1;
      if (id < 0 || (this.#hashes[id] === hash && isAt(this.#words[id]!, text, from, to))) return slot;
    }
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#hashes.length; id++) {
      let slot = this.#hashes[id]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }
}

/** Its high bits folded into the low ones, which choose the slot; 30 bits. */
function folded(hash: number): number {
  return (hash ^ (hash >>> 15)) & 0x3fffffff;
}

function isAt(word: string, text: string, from: number, to: number): boolean {
  if (word.length !== to - from) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(from + i)) return false;
  return true;
}

// A slice keeps the whole string it was cut from in memory; joining and cutting makes a separate copy.
function detached(text: string, from: number, to: number): string {
  return ` ${text.slice(from, to)}`.slice(1);
}
