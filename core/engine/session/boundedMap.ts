import type { StageMemo } from '../../view/types.ts';

/** A map that forgets what was longest unused once it holds more than `limit` entries. */
export class BoundedMap<K, V> {
  readonly #limit: () => number;
  readonly #values = new Map<K, V>();

  /** A limit that is a function is asked whenever something comes in. */
  constructor(limit: number | (() => number)) {
    this.#limit = typeof limit === 'number' ? () => limit : limit;
  }

  get(key: K): V | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const limit = this.#limit();
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= limit) return;
      this.#values.delete(oldest);
    }
  }

  delete(key: K): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }

  values(): Iterable<V> {
    return this.#values.values();
  }
}

/** The stages' memory for one transcript: forgets everything when it holds more than `limit` values. */
export function createBoundedMemo(limit: number): StageMemo {
  const values = new Map<string, unknown>();
  return {
    get<T>(key: string, make: () => T): T {
      if (values.has(key)) return values.get(key) as T; // each key belongs to one caller and one type, as in view/memo.ts
      const made = make();
      if (values.size >= limit) values.clear();
      values.set(key, made);
      return made;
    },
  };
}
