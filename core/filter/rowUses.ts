// Uses as rows have them: how often each part was relied on later, whether then it was gone, and what it relied on itself.

import { wasMissing } from '../insight/uses/summary.ts';
import { USE_KINDS, type Use } from '../insight/uses/types.ts';

/** What uses say of one part. */
export interface RowUse {
  /** Later messages that relied on it. */
  readonly later: number;
  /** Of these: those whose request did not hold it (neither suspects nor changed results). */
  readonly gone: number;
  /** Those later messages, ascending: the first few. */
  readonly users: readonly number[];
  /** Since which call point it was gone when it was first missing; null = it never was, or that is not known. */
  readonly goneSince: number | null;
  /** Kinds of what it relied on itself; `gone` = one of these was not in its request. */
  readonly kinds: readonly string[];
}

interface Counting {
  readonly later: Set<number>;
  readonly gone: Set<number>;
  goneSince: number | null;
  readonly kinds: Set<string>;
}

/** Later messages that are named. */
const NAMED = 4;

const NO_USE: RowUse = { later: 0, gone: 0, users: [], goneSince: null, kinds: [] };

/** All uses of a session under a policy, by the parts they have to do with. */
export class RowUses {
  readonly #byPart = new Map<string, RowUse>();

  /** `uses` in the order of the session. */
  constructor(uses: readonly Use[]) {
    const counting = new Map<string, Counting>();
    for (const use of uses) {
      const own = countingAt(counting, use.at, use.part);
      own.kinds.add(use.kind);
      if (wasMissing(use)) own.kinds.add('gone');
      for (const { index, part } of use.sources) countSource(countingAt(counting, index, part), use);
    }
    for (const [key, { later, gone, goneSince, kinds }] of counting) {
      const named = USE_KINDS.filter((kind) => kinds.has(kind));
      const all = kinds.has('gone') ? [...named, 'gone'] : named;
      const users = [...later].sort((a, b) => a - b).slice(0, NAMED);
      this.#byPart.set(key, { later: later.size, gone: gone.size, users, goneSince, kinds: all });
    }
  }

  /** What they say of a part. */
  of(index: number, part: number): RowUse {
    return this.#byPart.get(`${index}.${part}`) ?? NO_USE;
  }
}

function countSource(source: Counting, use: Use): void {
  source.later.add(use.at);
  if (!wasMissing(use)) return;
  source.gone.add(use.at);
  source.goneSince ??= use.loss?.since ?? null;
}

function countingAt(all: Map<string, Counting>, index: number, part: number): Counting {
  const key = `${index}.${part}`;
  const known = all.get(key);
  if (known !== undefined) return known;
  const made = {
    later: new Set<number>(),
    gone: new Set<number>(),
    goneSince: null,
    kinds: new Set<string>(),
  };
  all.set(key, made);
  return made;
}
