import type { ViewItem } from './types.ts';

/**
 * What is known of items, by identity, as long as they live. A message that goes back and forth between what was recorded and
 * one edit of it, as along the call points, is found by its index.
 */
export class ItemMap<T> {
  readonly #all = new WeakMap<ViewItem, T>();
  /** By message, the last edit of it that was asked for. */
  readonly #last: (readonly [item: ViewItem, known: T] | undefined)[] = [];

  get(item: ViewItem): T | undefined {
    if (item.kind !== 'source') return this.#all.get(item);
    const last = this.#last[item.index];
    if (last !== undefined && last[0] === item) return last[1];
    const known = this.#all.get(item);
    if (known !== undefined) this.#last[item.index] = [item, known];
    return known;
  }

  set(item: ViewItem, known: T): void {
    this.#all.set(item, known);
  }
}
