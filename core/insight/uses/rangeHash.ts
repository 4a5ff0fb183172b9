// Hashes of any ranges of a text, each in constant time once the text was read so far. A search compares these before it
// compares characters: nearly all texts that might begin at a place are ruled out by one number.

const BASE = 0x01000193;
/** Longer ones are not kept for the next text. */
const KEPT_MOST = 1 << 18;

/** The hash of a whole text. */
export function hashOfText(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
  return hash;
}

/** What {@link RangeHashes.of} needs of a length. */
export function powerOf(length: number): number {
  let power = 1;
  for (let at = 0; at < length; at++) power = Math.imul(power, BASE);
  return power;
}

/** The hashes of the beginnings of a text, as far as anybody asked. */
export class RangeHashes {
  readonly #text: string;
  readonly #begins: Int32Array;
  #read = 0;

  /** `room` = what another one no longer needs. */
  constructor(text: string, room: Int32Array | null) {
    this.#text = text;
    this.#begins = room !== null && room.length > text.length ? room : new Int32Array(text.length + 1);
    this.#begins[0] = 0;
  }

  /** What the next one may have, once nobody asks this one any more. */
  get room(): Int32Array | null {
    return this.#begins.length > KEPT_MOST ? null : this.#begins;
  }

  /** As hashOfText of the range; `power` = powerOf of its length. */
  of(from: number, to: number, power: number): number {
    if (to > this.#read) this.#readTo(to);
    return (this.#begins[to]! - Math.imul(this.#begins[from]!, power)) | 0;
  }

  #readTo(end: number): void {
    const [text, begins] = [this.#text, this.#begins];
    let hash = begins[this.#read]!;
    for (let at = this.#read; at < end; at++) {
      hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
      begins[at + 1] = hash;
    }
    this.#read = end;
  }
}
