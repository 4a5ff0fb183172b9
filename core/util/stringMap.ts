const SHARD_BITS = 6;
const SHARDS = 1 << SHARD_BITS;

/** A map by strings for hundreds of thousands of entries: in many small maps, because a large one stops everything when it grows. */
export class StringMap<T> {
  readonly #shards: Map<string, T>[] = Array.from({ length: SHARDS }, () => new Map());

  get(key: string): T | undefined {
    return this.#shards[shardOf(key)]!.get(key);
  }

  set(key: string, value: T): void {
    this.#shards[shardOf(key)]!.set(key, value);
  }
}

// By what costs nothing to look at. Where all keys are alike in it, this is one map.
function shardOf(key: string): number {
  const { length } = key;
  let hash = Math.imul(length, 0x9e3779b1);
  for (let nth = 1; nth <= 6; nth++) hash = Math.imul(hash ^ key.charCodeAt(length - nth), 0x85ebca6b);
  hash = Math.imul(hash ^ key.charCodeAt(length >> 1), 0x9e3779b1);
  return hash >>> (32 - SHARD_BITS);
}
