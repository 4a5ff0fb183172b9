// What a stage says of messages at the call point it is at, said when somebody asks: a projection asks a stage only of the
// messages that no later one takes out, and people look at a few rows of thousands.
import type { IncrementalRun } from './incremental.ts';
import type { Overlay } from './overlay.ts';
import { fateUnder, type StageName } from './stageSays.ts';
import type { Fate } from './types.ts';

/** The fates that a stage gives, by source index. To be asked before the stage moves on: it throws behind that. */
export class SaidFates implements ReadonlyMap<number, Fate> {
  readonly #run: IncrementalRun;
  readonly #overlay: Overlay;
  readonly #name: StageName;
  readonly #stage: number;
  readonly #isNow: () => boolean;
  readonly #messages: number;
  /** All that it holds by itself; null = it does not. */
  #held: ReadonlyMap<number, Fate> | null | undefined;
  /** 1 = a message that stays is named. */
  #named: Uint8Array | null = null;
  #all: ReadonlyMap<number, Fate> | null = null;

  /** `isNow` = the stage is where it was; `messages` = how many there are. */
  constructor(
    run: IncrementalRun,
    overlay: Overlay,
    who: { readonly name: StageName; readonly stage: number },
    { isNow, messages }: { readonly isNow: () => boolean; readonly messages: number },
  ) {
    this.#run = run;
    this.#overlay = overlay;
    this.#name = who.name;
    this.#stage = who.stage;
    this.#isNow = isNow;
    this.#messages = messages;
  }

  get(index: number): Fate | undefined {
    if (this.#all !== null) return this.#all.get(index);
    const held = this.#heldNow();
    if (held !== null) return held.get(index);
    if (this.#overlay.wouldBe(index) !== null) return this.#ofTouched(index);
    return this.#namedNow()[index] === 1 ? (this.#run.fateOf(index) ?? undefined) : undefined;
  }

  has(index: number): boolean {
    return this.get(index) !== undefined;
  }

  get size(): number {
    return this.#allNow().size;
  }

  keys(): MapIterator<number> {
    return this.#allNow().keys();
  }

  values(): MapIterator<Fate> {
    return this.#allNow().values();
  }

  entries(): MapIterator<[number, Fate]> {
    return this.#allNow().entries();
  }

  [Symbol.iterator](): MapIterator<[number, Fate]> {
    return this.entries();
  }

  forEach(visit: (fate: Fate, index: number, fates: ReadonlyMap<number, Fate>) => void): void {
    for (const [index, fate] of this.#allNow()) visit(fate, index, this);
  }

  #ofTouched(index: number): Fate {
    const { blocked } = this.#overlay;
    const fate = blocked
      ? fateUnder(this.#run, this.#overlay, this.#name, this.#stage, index)
      : this.#run.fateOf(index);
    if (fate === null) throw new Error(`${this.#name.kind} touches #${index}, and does not say why`);
    return fate;
  }

  #allNow(): ReadonlyMap<number, Fate> {
    this.#all ??= this.#heldNow() ?? this.#made();
    return this.#all;
  }

  #made(): ReadonlyMap<number, Fate> {
    const fates = new Map<number, Fate>();
    const overlay = this.#overlay;
    for (let index = overlay.nextTouched(0); index !== null; index = overlay.nextTouched(index + 1)) {
      fates.set(index, this.#ofTouched(index));
    }
    this.#run.named?.((index) => {
      const fate = fates.has(index) ? null : this.#run.fateOf(index);
      if (fate !== null) fates.set(index, fate);
    });
    return fates;
  }

  #heldNow(): ReadonlyMap<number, Fate> | null {
    if (!this.#isNow()) throw new Error(`${this.#name.kind} is asked what it said before it moved on`);
    this.#held ??= this.#overlay.blocked ? null : (this.#run.fates?.() ?? null);
    return this.#held;
  }

  #namedNow(): Uint8Array {
    if (this.#named !== null) return this.#named;
    const named = new Uint8Array(this.#run.named === undefined ? 0 : this.#messages);
    this.#run.named?.((index) => {
      named[index] = 1;
    });
    this.#named = named;
    return named;
  }
}
