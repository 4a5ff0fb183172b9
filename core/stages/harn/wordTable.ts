// Words as small integers. A transcript of 10,000 messages names its identifiers some 300,000 times: so a word is looked
// up where it stands, without cutting it out first. Open addressing, linear probing, at most half full.
import { tokenHash } from './tokens.ts';

const FIRST_SLOTS = 1024;

/** Numbers words in the order in which they were first added, from 0. */
export class WordTable {
  readonly #words: string[] = [];
  /** By slot the number of a word + 1, 0 = free, and behind it the word's hash: a look at one is a look at both. */
  #slots = new Int32Array(2 * FIRST_SLOTS);

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
    this.#slots[slot] = id + 1;
    this.#slots[slot + 1] = hash;
    if (this.#words.length * 4 > this.#slots.length) this.#grow();
    return id;
  }

  /** The slot that holds the word, or the free one where it belongs. */
  #slotOf(hash: number, text: string, from: number, to: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (2 * hash) & mask; ; slot = (slot + 2) & mask) {
      const id = slots[slot]! - 1;
      if (id < 0 || (slots[slot + 1] === hash && isAt(this.#words[id]!, text, from, to))) return slot;
    }
  }

  #grow(): void {
    const known = this.#slots;
    const slots = new Int32Array(known.length * 2);
    const mask = slots.length - 1;
    for (let at = 0; at < known.length; at += 2) {
      if (known[at] === 0) continue;
      let slot = (2 * known[at + 1]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 2) & mask;
      slots[slot] = known[at]!;
      slots[slot + 1] = known[at + 1]!;
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
