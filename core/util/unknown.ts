// browser-safe
// Reading JSON-like values of unknown shape without casts. Only own properties count, so a message
// with the key `__proto__` or a lookup of `constructor` can never reach Object.prototype.

/** The members of an object as it was parsed: nothing is known of their values. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for a non-null object that is not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property `key`, or undefined if there is none. */
export function ownAt(record: Fields, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The own property `key` if it is a string. */
export function stringAt(record: Fields, key: string): string | undefined {
  const value = ownAt(record, key);
  return typeof value === 'string' ? value : undefined;
}

/** The own property `key` if it is a finite number. */
export function numberAt(record: Fields, key: string): number | undefined {
  const value = ownAt(record, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The own property `key` if it is a boolean. */
export function boolAt(record: Fields, key: string): boolean | undefined {
  const value = ownAt(record, key);
  return typeof value === 'boolean' ? value : undefined;
}

/** The own property `key` if it is an array. */
export function arrayAt(record: Fields, key: string): readonly unknown[] | undefined {
  const value = ownAt(record, key);
  return Array.isArray(value) ? value : undefined;
}

/** The own property `key` if it is a record (see isRecord). */
export function recordAt(record: Fields, key: string): Record<string, unknown> | undefined {
  const value = ownAt(record, key);
  return isRecord(value) ? value : undefined;
}

/** Whether lists and objects stand more than `levels` deep in each other. Not recursive. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** What a table says of a key from outside; undefined for what it does not name, `constructor` and the like too. */
export function entryOf<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Equal as JSON: the order of keys does not count, that of lists does. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((value, at) => sameValue(value, b[at]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
  );
}
