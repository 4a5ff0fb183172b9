// A map from numbers to numbers for hundreds of thousands of entries: two flat arrays instead of boxed keys and values,
// a third of what a Map takes, and nothing for the garbage collector to walk. In small maps by the first bits of the hash, so
// that nobody waits for one that grows. Entries are not removed.

const LEAST = 16;
const FULLEST = 0.7;
const SHARD_BITS = 6;

/** Numbers by numbers; keys are not NaN. */
export class NumberMap {
  readonly #shards = Array.from({ length: 1 << SHARD_BITS }, () => new Shard());

  get size(): number {
    return this.#shards.reduce((sum, { size }) => sum + size, 0);
  }

  get(key: number): number | undefined {
    return this.#shard(key).get(key);
  }

  set(key: number, value: number): void {
    this.#shard(key).set(key, value);
  }

  // The places within it are chosen by the last bits.
  #shard(key: number): Shard {
    return this.#shards[spread(key) >>> (32 - SHARD_BITS)]!;
  }
}

class Shard {
  #keys = new Float64Array(LEAST).fill(Number.NaN);
  #values = new Float64Array(LEAST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: number): number | undefined {
    const at = this.#find(key);
    return Number.isNaN(this.#keys[at]) ? undefined : this.#values[at];
  }

  set(key: number, value: number): void {
    const at = this.#find(key);
    this.#values[at] = value;
    if (!Number.isNaN(this.#keys[at])) return;
    this.#keys[at] = key;
    this.#size++;
    if (this.#size > this.#keys.length * FULLEST) this.#grow();
  }

  /** The place of a key, or the free place where it would be. */
  #find(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let at = spread(key) & mask;
    while (keys[at] !== key && !Number.isNaN(keys[at])) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2).fill(Number.NaN);
    this.#values = new Float64Array(keys.length * 2);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] ?? Number.NaN;
      if (Number.isNaN(key)) continue;
      const at = this.#find(key);
      this.#keys[at] = key;
      this.#values[at] = values[i] ?? 0;
    }
  }
}

/** Both halves of a whole number of up to 53 bits, mixed into 32. */
function spread(key: number): number {
  const low = key | 0;
  const high = (key / 0x100000000) | 0;
  const mixed = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
