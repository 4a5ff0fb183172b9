// The calls of a live view with their results, followed from call point to call point. A change is looked at where it
// is: in the turn of the assistant message before it, and in the one it begins itself.
import { type Exchange, findExchanges, forEachExchange, type PartPlace } from '../model/exchanges.ts';
import type { MessageFacts } from '../model/message.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { isRawPrefix } from './exchangesOf.ts';
import type { LivePlace, LiveView } from './liveView.ts';
import { itemFacts, readView } from './reader.ts';
import type { StageMemo, View, ViewItem } from './types.ts';

/** A part of an item of a live view. `index` = the item's source index, null for a synthetic one. */
export interface LivePart extends LivePlace {
  readonly part: number;
  readonly index: number | null;
}

/** As CallOutcome, by place. */
export interface LiveCall extends LivePart {
  readonly name: string | null;
  readonly results: readonly LivePart[];
  readonly outcome: 'failed' | 'succeeded' | 'open';
}

/** As Exchange, by place. The same object as long as nothing about it changes. */
export interface LiveExchange extends LivePlace {
  readonly calls: readonly LiveCall[];
}

/** What an update did, in order of place. */
export interface ExchangeChanges {
  readonly removed: readonly LiveExchange[];
  readonly added: readonly LiveExchange[];
}

/** Order of two places. */
export function comparePlaces(a: LivePlace, b: LivePlace): number {
  return a.cell - b.cell || a.slot - b.slot;
}

interface Placed {
  readonly item: ViewItem;
  readonly place: LivePlace;
}

/** Those of the whole transcript as it is: `length` = its messages when they were read. */
interface RawExchanges {
  length: number;
  exchanges: readonly LiveExchange[];
}

const NONE: readonly LiveExchange[] = [];

/** The exchanges of a live view: as findExchanges over all of it, kept up to date. */
export class LiveExchanges {
  readonly #source: TranscriptSource;
  readonly #memo: StageMemo;
  readonly #byCell = new Map<number, readonly LiveExchange[]>();
  /** In order of place; null = to be sorted again. */
  #sorted: readonly LiveExchange[] | null = [];
  #isIndexed = true;
  /** Position in #sorted of the last one asked for: mostly the next one asked for is the same, or its neighbour. */
  #nearest = -1;

  constructor(source: TranscriptSource, memo: StageMemo) {
    this.#source = source;
    this.#memo = memo;
  }

  /** Takes in what changed in the view since the last update. */
  update(view: LiveView): ExchangeChanges {
    if (view.whole !== null) return this.#fill(view, view.whole);
    this.#index();
    this.#sorted = null;
    const removed: LiveExchange[] = [];
    const added: LiveExchange[] = [];
    for (const cell of this.#dirtyCells(view)) {
      const known = this.#byCell.get(cell) ?? NONE;
      const found = this.#readCell(view, cell).map((one) => known.find((other) => isSame(one, other)) ?? one);
      if (found.length === 0) this.#byCell.delete(cell);
      else this.#byCell.set(cell, found);
      removed.push(...known.filter((one) => !found.includes(one)));
      added.push(...found.filter((one) => !known.includes(one)));
    }
    return { removed, added };
  }

  /** The turn that an item is part of: it begins it, or holds a result of it. */
  holding(cell: number, slot: number): LiveExchange | null {
    this.#sorted ??= [...this.#byCell.values()].flat().sort(comparePlaces);
    this.#nearest = lastAtOrBefore(this.#sorted, cell, slot, this.#nearest);
    const exchange = this.#sorted[this.#nearest] ?? null;
    return exchange !== null && isPartOf(exchange, cell, slot) ? exchange : null;
  }

  // The first update, of everything. What is read of a raw view is found again by the next stage that begins with it.
  #fill(view: LiveView, whole: View): ExchangeChanges {
    const [source, memo] = [this.#source, this.#memo];
    const reader = readView(whole, source, memo);
    const added = isRawPrefix(reader)
      ? rawExchanges(source, reader.length, memo)
      : placedExchanges(reader.length, reader.facts, (message) => ({
          ...view.place(message),
          index: reader.indexOf(message),
        }));
    this.#sorted = added;
    this.#isIndexed = false;
    return { removed: NONE, added };
  }

  // Behind the step from nothing mostly nothing follows: what only a next one asks for is made then.
  #index(): void {
    if (this.#isIndexed) return;
    this.#isIndexed = true;
    for (const exchange of this.#sorted ?? NONE) {
      const others = this.#byCell.get(exchange.cell);
      this.#byCell.set(exchange.cell, others === undefined ? [exchange] : [...others, exchange]);
    }
  }

  #facts(item: ViewItem): MessageFacts {
    return itemFacts(item, this.#source, this.#memo);
  }

  #dirtyCells(view: LiveView): number[] {
    const dirty = new Set<number>();
    for (const cell of view.changed.keys()) {
      dirty.add(cell);
      const before = this.#assistantBefore(view, cell);
      if (before !== null) dirty.add(before);
    }
    return [...dirty].sort((a, b) => a - b);
  }

  // Not beyond a cell that changed too: from there on it is that one's to look.
  #assistantBefore(view: LiveView, cell: number): number | null {
    for (let position = view.before(cell) - 1; position >= 0; position--) {
      const place = view.place(position);
      const items = view.at(place.cell);
      if (items.some((item) => this.#facts(item).role === 'assistant')) return place.cell;
      if (view.changed.has(place.cell)) return null;
      position -= place.slot;
    }
    return null;
  }

  #readCell(view: LiveView, cell: number): readonly LiveExchange[] {
    const items = view.at(cell);
    const found: LiveExchange[] = [];
    for (const [slot, item] of items.entries()) {
      const { role, parts } = this.#facts(item);
      if (role !== 'assistant' || !parts.some(({ kind }) => kind === 'tool_call')) continue;
      found.push(this.#readExchange(view, { cell, slot }, item));
    }
    return found;
  }

  #readExchange(view: LiveView, place: LivePlace, item: ViewItem): LiveExchange {
    const turn: Placed[] = [{ item, place }];
    for (let position = view.before(place.cell) + place.slot + 1; position < view.length; position++) {
      const next = view.place(position);
      const answer = view.at(next.cell)[next.slot];
      if (answer === undefined || this.#facts(answer).role === 'assistant') break;
      turn.push({ item: answer, place: next });
    }
    const [exchange] = findExchanges(turn.length, (at) => this.#facts(turn[at]!.item));
    const placed = (at: number, part: number): LivePart => {
      const { item, place } = turn[at]!;
      return { ...place, part, index: item.kind === 'source' ? item.index : null };
    };
    const calls = (exchange?.calls ?? []).map(({ message, part, name, results, outcome }): LiveCall => {
      return { ...placed(message, part), name, outcome, results: results.map((one) => placed(one.message, one.part)) };
    });
    return { ...place, calls };
  }
}

/** Where a message of a list is. */
type PlaceOf = (message: number) => LivePlace & { readonly index: number | null };

function placedExchanges(length: number, factsAt: (at: number) => MessageFacts, placeOf: PlaceOf): LiveExchange[] {
  const placed: LiveExchange[] = [];
  forEachExchange(length, factsAt, (exchange) => void placed.push(placedExchange(exchange, placeOf)));
  return placed;
}

function placedExchange({ message, calls }: Exchange, placeOf: PlaceOf): LiveExchange {
  const { cell, slot } = placeOf(message);
  // Mapped: a list that grows has room for seventeen, and these stay as long as the view.
  const made = calls.map(({ message, part, name, outcome, results }): LiveCall => {
    const { cell, slot, index } = placeOf(message);
    const answers = results.map((result) => placedPart(result, placeOf));
    return { cell, slot, part, index, name, outcome, results: answers };
  });
  return { cell, slot, calls: made };
}

function placedPart({ message, part }: PartPlace, placeOf: PlaceOf): LivePart {
  const { cell, slot, index } = placeOf(message);
  return { cell, slot, part, index };
}

/** The exchanges of a raw view of so many messages: the last turn may have results behind it, and is read again. */
function rawExchanges(source: TranscriptSource, length: number, memo: StageMemo): readonly LiveExchange[] {
  const kept = memo.get('view.liveExchanges', (): RawExchanges => ({ length: -1, exchanges: [] }));
  const placeOf: PlaceOf = (message) => ({ cell: message, slot: 0, index: message });
  if (kept.length !== source.length) {
    kept.exchanges = placedExchanges(source.length, (index) => source.facts(index), placeOf);
    kept.length = source.length;
  }
  if (length === source.length) return kept.exchanges;
  const before = kept.exchanges.slice(0, lastAtOrBefore(kept.exchanges, length - 1, 0, -1) + 1);
  const last = before.pop();
  if (last === undefined) return before;
  const [from, to] = [last.cell, length - last.cell];
  const again = placedExchanges(
    to,
    (at) => source.facts(from + at),
    (message) => placeOf(from + message),
  );
  return [...before, ...again];
}

// The position of the last exchange at or before a place; -1 = none. `near` is looked at first.
function lastAtOrBefore(exchanges: readonly LiveExchange[], cell: number, slot: number, near: number): number {
  const isBehind = (nth: number): boolean => {
    const at = exchanges[nth];
    return at === undefined || at.cell > cell || (at.cell === cell && at.slot > slot);
  };
  if (near >= 0 && near < exchanges.length && !isBehind(near)) {
    if (isBehind(near + 1)) return near;
    if (isBehind(near + 2)) return near + 1;
  }
  let low = 0;
  let high = exchanges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(middle)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

function isPartOf(exchange: LiveExchange, cell: number, slot: number): boolean {
  if (exchange.cell === cell && exchange.slot === slot) return true;
  for (const { results } of exchange.calls) {
    for (const result of results) if (result.cell === cell && result.slot === slot) return true;
  }
  return false;
}

function isSame(a: LiveExchange, b: LiveExchange): boolean {
  return (
    a.slot === b.slot &&
    a.calls.length === b.calls.length &&
    a.calls.every((call, at) => isSameCall(call, b.calls[at]!))
  );
}

function isSameCall(a: LiveCall, b: LiveCall): boolean {
  if (!isSamePart(a, b) || a.name !== b.name || a.outcome !== b.outcome) return false;
  return a.results.length === b.results.length && a.results.every((result, at) => isSamePart(result, b.results[at]!));
}

function isSamePart(a: LivePart, b: LivePart): boolean {
  return a.cell === b.cell && a.slot === b.slot && a.part === b.part && a.index === b.index;
}
