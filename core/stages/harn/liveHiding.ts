// Hiding along the call points: as Hiding, but what a turn hides can be said anew.
import type { IncrementalContext } from '../../view/incremental.ts';
import { type LiveExchange, LiveExchanges, type LivePart } from '../../view/liveExchanges.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import type { Fate, ViewItem } from '../../view/types.ts';
import { type HidingReason, hideItem } from './hiding.ts';

/** One thing to hide: a part, or with `part` null a whole message. */
export interface Hide extends LivePlace {
  readonly part: number | null;
  readonly why: HidingReason;
}

interface HiddenSlot {
  whole: HidingReason | null;
  readonly parts: Map<number, HidingReason>;
}

/** Follows the exchanges of a view, and hides what it is told of each. */
export class LiveHiding {
  readonly exchanges: LiveExchanges;
  readonly #context: IncrementalContext;
  readonly #hides = new Map<LiveExchange, readonly Hide[]>();
  readonly #byCell = new Map<number, Map<number, HiddenSlot>>();
  readonly #dirty = new Set<number>();
  #input: LiveView | null = null;

  constructor(context: IncrementalContext) {
    this.#context = context;
    this.exchanges = new LiveExchanges(context.source, context.memo);
  }

  /** From now on this is what a turn hides; an empty list = nothing. */
  set(exchange: LiveExchange, hides: readonly Hide[]): void {
    for (const hide of this.#hides.get(exchange) ?? []) this.#remove(hide);
    if (hides.length === 0) this.#hides.delete(exchange);
    else this.#hides.set(exchange, hides);
    for (const hide of hides) this.#add(hide);
  }

  /** Tells the overlay of all that changed. */
  show(input: LiveView, overlay: Overlay): void {
    this.#input = input;
    for (const cell of input.changed.keys()) {
      if (this.#byCell.has(cell)) this.#dirty.add(cell);
      else if (input.source(cell) === null) overlay.fate(cell, null);
    }
    for (const cell of this.#dirty) this.#showCell(cell, input, overlay);
    this.#dirty.clear();
  }

  fateOf(index: number): Fate | null {
    const items = this.#input?.at(index) ?? [];
    const item = items.at(-1);
    const hidden = this.#byCell.get(index)?.get(items.length - 1);
    return item?.kind !== 'source' || hidden === undefined ? null : hideItem(item, hidden, this.#context).fate();
  }

  #showCell(cell: number, input: LiveView, overlay: Overlay): void {
    const hidden = this.#byCell.get(cell);
    if (hidden === undefined) {
      overlay.pass(cell);
      overlay.fate(cell, null);
      return;
    }
    const items: ViewItem[] = [];
    for (const [slot, item] of input.at(cell).entries()) {
      const own = hidden.get(slot);
      const shown = own === undefined ? item : hideItem(item, own, this.#context).item;
      if (shown !== null) items.push(shown);
      if (item.kind !== 'source') continue;
      overlay.fate(item.index, own === undefined ? null : shown === null ? 'dropped' : 'rewritten');
    }
    overlay.replace(cell, items);
  }

  #add({ cell, slot, part, why }: Hide): void {
    const slots = this.#byCell.get(cell) ?? new Map<number, HiddenSlot>();
    const hidden = slots.get(slot) ?? { whole: null, parts: new Map<number, HidingReason>() };
    if (part === null) hidden.whole = why;
    else hidden.parts.set(part, why);
    this.#byCell.set(cell, slots.set(slot, hidden));
    this.#dirty.add(cell);
  }

  #remove({ cell, slot, part }: Hide): void {
    const slots = this.#byCell.get(cell);
    const hidden = slots?.get(slot);
    if (slots === undefined || hidden === undefined) return;
    if (part === null) hidden.whole = null;
    else hidden.parts.delete(part);
    if (hidden.whole === null && hidden.parts.size === 0) slots.delete(slot);
    if (slots.size === 0) this.#byCell.delete(cell);
    this.#dirty.add(cell);
  }
}

/** Hides of results, each for the same reason. */
export function hideResults(results: readonly LivePart[], why: HidingReason): Hide[] {
  return results.map(({ cell, slot, part }) => ({ cell, slot, part, why }));
}
