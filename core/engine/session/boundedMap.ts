import type { StageMemo } from '../../view/types.ts';

/** A map that forgets what was longest unused once it holds more than `limit` entries. */
export class BoundedMap<K, V> {
  readonly #limit: number;
  readonly #values = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
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
    if (this.#values.size <= this.#limit) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }

  delete(key: K): void {
    this.#values.delete(key);
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
