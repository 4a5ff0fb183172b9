import type { StageMemo } from './types.ts';

/** An empty memo. Keep one per transcript for as long as it is open; it only ever makes things faster. */
export function createMemo(): StageMemo {
  const values = new Map<string, unknown>();
  return {
    get<T>(key: string, make: () => T): T {
      if (!values.has(key)) values.set(key, make());
      // Each key belongs to one caller, which always asks for the same type: the one place where that is trusted.
      return values.get(key) as T;
    },
  };
}
