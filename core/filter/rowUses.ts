// Uses as rows have them: how often each part was relied on later, whether then it was gone, and what it relied on itself.

import { wasMissing } from '../insight/uses/summary.ts';
import { USE_KINDS, type Use } from '../insight/uses/types.ts';
import type { UsesIndex } from '../insight/uses/usesIndex.ts';

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

const NO_PARTS: ReadonlyMap<number, RowUse> = new Map();
const NO_USE: RowUse = { later: 0, gone: 0, users: [], goneSince: null, kinds: [] };

/** All uses of a session under a policy, by the parts they have to do with. A message is looked up when it is asked for. */
export class RowUses {
  readonly #uses: Pick<UsesIndex, 'about'>;
  readonly #known = new Map<number, ReadonlyMap<number, RowUse>>();

  constructor(uses: Pick<UsesIndex, 'about'>) {
    this.#uses = uses;
  }

  /** What they say of a part. */
  of(index: number, part: number): RowUse {
    const known = this.#known.get(index) ?? countedParts(this.#uses.about(index), index);
    this.#known.set(index, known);
    return known.get(part) ?? NO_USE;
  }
}

// The parts of a message, by the uses that have to do with it in the order of the session.
function countedParts(uses: readonly Use[], index: number): ReadonlyMap<number, RowUse> {
  if (uses.length === 0) return NO_PARTS;
  const counting = new Map<number, Counting>();
  for (const use of uses) {
    if (use.at === index) {
      const own = countingAt(counting, use.part);
      own.kinds.add(use.kind);
      if (wasMissing(use)) own.kinds.add('gone');
    }
    for (const source of use.sources) if (source.index === index) countSource(countingAt(counting, source.part), use);
  }
  return new Map(
    [...counting].map(([part, { later, gone, goneSince, kinds }]) => {
      const named = USE_KINDS.filter((kind) => kinds.has(kind));
      const all = kinds.has('gone') ? [...named, 'gone'] : named;
      const users = [...later].sort((a, b) => a - b).slice(0, NAMED);
      return [part, { later: later.size, gone: gone.size, users, goneSince, kinds: all }];
    }),
  );
}

function countSource(source: Counting, use: Use): void {
  source.later.add(use.at);
  if (!wasMissing(use)) return;
  source.gone.add(use.at);
  source.goneSince ??= use.loss?.since ?? null;
}

function countingAt(all: Map<number, Counting>, part: number): Counting {
  const known = all.get(part);
  if (known !== undefined) return known;
  const made = {
    later: new Set<number>(),
    gone: new Set<number>(),
    goneSince: null,
    kinds: new Set<string>(),
  };
  all.set(part, made);
  return made;
}
