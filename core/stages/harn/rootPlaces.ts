// Where each identifier is named among the roots: asked for by sentences, and worked out when the first one asks.
import { grownInts } from '../../util/ints.ts';
import type { RootText } from './roots.ts';

/** A message among the roots; `index` null = a synthetic one. */
export interface RootMessage {
  readonly index: number | null;
  readonly ids: Int32Array;
}

/** Where an identifier is named: in a message (source index, null = synthetic), or in a caller's text by its label. */
export type RootPlace = { readonly index: number | null } | { readonly label: string };

/** The last places of identifiers at one call point. */
export class RootPlaces {
  /** The caller's texts that name an identifier: of several the last one. */
  readonly #labels = new Map<number, string>();
  /** By identifier: 1 + the number of the last message that names it; 0 = none does. */
  #last = new Int32Array(0);
  #messages: readonly RootMessage[] | null = null;

  /** `idsOf` = the identifiers that a text names. */
  constructor(texts: readonly RootText[], idsOf: (text: string) => Int32Array) {
    for (const { label, texts: own } of texts) {
      for (const text of own) for (const id of idsOf(text)) this.#labels.set(id, label);
    }
  }

  /** True if messages were set since the last `forget`. */
  get isSet(): boolean {
    return this.#messages !== null;
  }

  /** The messages among the roots, in the order of the view; `size` = how many identifiers there are. */
  set(messages: readonly RootMessage[], size: number): void {
    this.#messages = messages;
    if (size > this.#last.length) this.#last = grownInts(this.#last, size);
    for (let nth = 0; nth < messages.length; nth++) {
      const { ids } = messages[nth]!;
      for (let at = 0; at < ids.length; at++) this.#last[ids[at]!] = nth + 1;
    }
  }

  /** The messages are others from now on. */
  forget(): void {
    for (const { ids } of this.#messages ?? []) for (let at = 0; at < ids.length; at++) this.#last[ids[at]!] = 0;
    this.#messages = null;
  }

  /** Where an identifier is named last, messages before texts; null = nowhere. */
  of(id: number): RootPlace | null {
    const message = this.#messages?.[(this.#last[id] ?? 0) - 1];
    if (message !== undefined) return message;
    const label = this.#labels.get(id);
    return label === undefined ? null : { label };
  }
}
