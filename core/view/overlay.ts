// What a stage puts in place of its input, cell by cell. All else passes. Kept from call point to call point, so that a
// stage says only what is different; and the one place where provider safety takes everything back.
import type { TranscriptSource } from '../model/transcript.ts';
import type { LiveView } from './liveView.ts';
import type { FateKind, ViewItem } from './types.ts';

/** A stage's changes to the view it is given. Kinds are those of the stage alone. */
export class Overlay {
  readonly #source: TranscriptSource;
  /** Refuses everything while it would touch a message with signed reasoning, as Harn's policies do. */
  readonly #respectsSignatures: boolean;
  readonly #items = new Map<number, readonly ViewItem[]>();
  readonly #kinds = new Map<number, FateKind>();
  readonly #dirty = new Set<number>();
  readonly #dirtyKinds = new Set<number>();
  /** Signed messages that are touched. */
  readonly #signed = new Set<number>();
  #blocked = false;

  constructor(source: TranscriptSource, respectsSignatures = false) {
    this.#source = source;
    this.#respectsSignatures = respectsSignatures;
  }

  /** From now on these items stand in a cell. */
  replace(cell: number, items: readonly ViewItem[]): void {
    this.#items.set(cell, items);
    this.#dirty.add(cell);
  }

  /** From now on a cell holds what the stage is given there. */
  pass(cell: number): void {
    if (this.#items.delete(cell)) this.#dirty.add(cell);
  }

  /** The fate of a message under this stage; null = it is left alone, or only explained. */
  fate(index: number, kind: FateKind | null): void {
    const known = this.#kinds.get(index) ?? null;
    const next = kind === 'kept' ? null : kind;
    if (known === next) return;
    if (next === null) this.#kinds.delete(index);
    else this.#kinds.set(index, next);
    this.#dirtyKinds.add(index);
    if (!this.#respectsSignatures || (known === null) === (next === null) || !this.#source.facts(index).signed) return;
    if (next === null) this.#signed.delete(index);
    else this.#signed.add(index);
  }

  /** The kind that counts: null while the stage is blocked. */
  kind(index: number): FateKind | null {
    return this.#blocked ? null : (this.#kinds.get(index) ?? null);
  }

  /** True while provider safety refuses what the stage would do. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** The first signed message that the stage would touch; null if there is none. */
  get blockedBy(): number | null {
    return this.#signed.size === 0 ? null : Math.min(...this.#signed);
  }

  /** Brings the stage's output up to its input and these changes; gives the messages whose kind may be another. */
  flush(input: LiveView, output: LiveView): Iterable<number> {
    const blocked = this.#signed.size > 0;
    const turned = blocked !== this.#blocked;
    this.#blocked = blocked;
    const show = (cell: number): void =>
      output.set(cell, blocked ? input.at(cell) : (this.#items.get(cell) ?? input.at(cell)));
    for (const cell of input.changed.keys()) show(cell);
    for (const cell of this.#dirty) show(cell);
    if (turned) for (const cell of this.#items.keys()) show(cell);
    const kinds = turned ? new Set([...this.#dirtyKinds, ...this.#kinds.keys()]) : new Set(this.#dirtyKinds);
    this.#dirty.clear();
    this.#dirtyKinds.clear();
    return kinds;
  }
}
