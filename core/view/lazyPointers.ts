// browser-safe
// Pointers that are made when somebody reads them. A pointer holds the hash of a whole body: with ten thousands of results
// gone, hashing them all would take longer than everything else a projection does, and few are ever asked for.
import type { Fate, FateKind, PartFate, RedactionPointer } from './types.ts';

type Unpointed = Omit<Fate, 'pointers'>;

/** A fate whose `pointers` are worked out at their first reading; copies, JSON and clones hold them as they hold all else. */
class PointedFate<K> implements Fate {
  readonly kind: FateKind;
  readonly stage: number | null;
  readonly rule: string | null;
  readonly reason: string;
  readonly chip?: string;
  readonly because?: number;
  readonly evidence?: string;
  readonly parts?: readonly PartFate[];
  declare readonly pointers: readonly RedactionPointer[];
  readonly #make: (key: K) => readonly RedactionPointer[];
  readonly #key: K;
  #made: readonly RedactionPointer[] | null = null;

  // An own property, so that nothing can distinguish it from a plain one; one accessor for all, so that it costs next to nothing.
  static readonly #accessor = {
    enumerable: true,
    configurable: true,
    get(this: PointedFate<unknown>): readonly RedactionPointer[] {
      this.#made ??= this.#make(this.#key);
      return this.#made;
    },
  };

  constructor(fate: Unpointed, make: (key: K) => readonly RedactionPointer[], key: K) {
    this.kind = fate.kind;
    this.stage = fate.stage;
    this.rule = fate.rule;
    this.reason = fate.reason;
    if (fate.chip !== undefined) this.chip = fate.chip;
    if (fate.because !== undefined) this.because = fate.because;
    if (fate.evidence !== undefined) this.evidence = fate.evidence;
    if (fate.parts !== undefined) this.parts = fate.parts;
    this.#make = make;
    this.#key = key;
    Object.defineProperty(this, 'pointers', PointedFate.#accessor);
  }

  static isOne(fate: Fate): boolean {
    return #make in fate;
  }
}

/** The fate with `pointers` that `make(key)` gives when they are first read. One `make` for many fates is cheapest. */
export function withLazyPointers<K>(fate: Unpointed, make: (key: K) => readonly RedactionPointer[], key: K): Fate {
  return new PointedFate(fate, make, key);
}

/** True if reading the fate's pointers may cost something. */
export function hasLazyPointers(fate: Fate): boolean {
  return PointedFate.isOne(fate);
}
