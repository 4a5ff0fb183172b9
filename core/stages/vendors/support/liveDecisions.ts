// A vendor's stage along the call points. A request is mostly the one before it with messages added at the end; so a
// stage is told of each message once, and says which messages it edits, drops or puts in, and what it takes back. Where
// its input changes further up, it begins anew: that costs as much as running it.
import type { IncrementalContext, IncrementalRun } from '../../../view/incremental.ts';
import type { LiveView } from '../../../view/liveView.ts';
import type { Overlay } from '../../../view/overlay.ts';
import { readView, type ViewReader } from '../../../view/reader.ts';
import type { Fate, FateKind, StageContext, ViewItem } from '../../../view/types.ts';

/** What becomes of one message: the item in its place (null = none), and its fate, made when it is asked for. */
export interface LiveDecision {
  readonly item: ViewItem | null;
  readonly kind: FateKind;
  fate(): Fate;
}

/** The part that all live forms share. Positions are those of the input view. */
export abstract class LiveDecisions implements IncrementalRun {
  /** The stage's context at the call point it stands at. */
  protected context: StageContext;
  protected reader: ViewReader;
  readonly #given: IncrementalContext;
  #items: ViewItem[] = [];
  #cells: number[] = [];
  readonly #first = new Map<number, number>();
  readonly #decisions = new Map<number, LiveDecision>();
  readonly #inserted = new Map<number, readonly ViewItem[]>();
  /** Behind synthetic messages, by position; behind those of the source, which close their cells, by the next cell. */
  readonly #appended = new Map<number, readonly ViewItem[]>();
  readonly #behind = new Map<number, readonly ViewItem[]>();
  readonly #dirty = new Set<number>();
  #input: LiveView | null = null;

  constructor(given: IncrementalContext) {
    this.#given = given;
    this.context = { ...given, at: 0 };
    this.reader = readView({ items: [] }, given.source, given.memo);
  }

  /** Forget everything: the view begins anew. */
  protected abstract reset(): void;
  /** The view has one more message. */
  protected abstract push(position: number): void;
  /**
   * A message is given in another wording, at the place where it was. True = that is taken care of; else the view begins
   * anew.
   */
  protected edited(_position: number): boolean {
    return false;
  }

  /** All messages are there: decide what is different from the call point before. */
  protected abstract settle(): void;

  step(input: LiveView, at: number, overlay: Overlay): void {
    this.context = { ...this.#given, at };
    this.#input = input;
    const from = this.#take(input);
    this.reader = readView({ items: this.#items }, this.#given.source, this.#given.memo);
    for (let position = from; position < this.#items.length; position++) this.push(position);
    this.settle();
    for (const cell of this.#dirty) this.#write(cell, input, overlay);
    this.#dirty.clear();
  }

  fateOf(index: number): Fate | null {
    const items = this.#input?.at(index) ?? [];
    const first = this.#first.get(index);
    if (first === undefined || items.at(-1)?.kind !== 'source') return null;
    return this.#decisions.get(first + items.length - 1)?.fate() ?? null;
  }

  /** From now on this becomes of a message; null = it is left alone. */
  protected decide(position: number, decision: LiveDecision | null): void {
    if (decision === null && !this.#decisions.has(position)) return;
    if (decision === null) this.#decisions.delete(position);
    else this.#decisions.set(position, decision);
    this.#touch(position);
  }

  /** From now on these items stand before a message. */
  protected insert(position: number, items: readonly ViewItem[]): void {
    if (items.length === 0 && !this.#inserted.has(position)) return;
    if (items.length === 0) this.#inserted.delete(position);
    else this.#inserted.set(position, items);
    this.#touch(position);
  }

  /** From now on these items stand behind a message. */
  protected append(position: number, items: readonly ViewItem[]): void {
    const isSource = this.#items[position]?.kind === 'source';
    const cell = (this.#cells[position] ?? 0) + (isSource ? 1 : 0);
    const places = isSource ? this.#behind : this.#appended;
    const place = isSource ? cell : position;
    if (items.length === 0 && !places.has(place)) return;
    if (items.length === 0) places.delete(place);
    else places.set(place, items);
    this.#dirty.add(cell);
  }

  protected decisionAt(position: number): LiveDecision | null {
    return this.#decisions.get(position) ?? null;
  }

  #touch(position: number): void {
    const cell = this.#cells[position];
    if (cell !== undefined) this.#dirty.add(cell);
  }

  // The first position that is new.
  #take(input: LiveView): number {
    const last = this.#cells.at(-1) ?? -1;
    const changed = [...input.changed.keys()].sort((a, b) => a - b);
    const known = this.#items.length;
    if (
      !this.#takeEdits(
        changed.filter((cell) => cell <= last),
        input,
      )
    )
      return this.#beginAnew(input);
    for (const cell of changed) if (cell > last) this.#addCell(cell, input.at(cell));
    return known;
  }

  #takeEdits(cells: readonly number[], input: LiveView): boolean {
    const isEdit = (cell: number): boolean => {
      const items = input.at(cell);
      const before = input.atBefore(cell);
      return items.length === before.length && items.every((item, slot) => item.kind === before[slot]?.kind);
    };
    if (!cells.every(isEdit)) return false;
    const positions: number[] = [];
    for (const cell of cells) {
      const first = this.#first.get(cell) ?? 0;
      for (const [slot, item] of input.at(cell).entries()) {
        this.#items[first + slot] = item;
        positions.push(first + slot);
      }
    }
    return positions.every((position) => this.edited(position));
  }

  #beginAnew(input: LiveView): number {
    for (const cell of [...this.#first.keys(), ...this.#behind.keys()]) this.#dirty.add(cell);
    this.#items = [];
    this.#cells = [];
    this.#first.clear();
    this.#decisions.clear();
    this.#inserted.clear();
    this.#appended.clear();
    this.#behind.clear();
    for (let cell = input.nextCell(0); cell < input.cells; cell = input.nextCell(cell + 1)) {
      this.#addCell(cell, input.at(cell));
    }
    this.reset();
    return 0;
  }

  #addCell(cell: number, items: readonly ViewItem[]): void {
    if (items.length > 0) this.#first.set(cell, this.#items.length);
    for (const item of items) {
      this.#items.push(item);
      this.#cells.push(cell);
    }
  }

  #write(cell: number, input: LiveView, overlay: Overlay): void {
    const first = this.#first.get(cell);
    const given = input.at(cell);
    const shown: ViewItem[] = [...(this.#behind.get(cell) ?? [])];
    let isChanged = shown.length > 0;
    let kind: FateKind | null = null;
    for (const [slot, item] of given.entries()) {
      const position = (first ?? 0) + slot;
      const inserted = this.#inserted.get(position);
      const appended = this.#appended.get(position);
      const decision = this.#decisions.get(position);
      if (inserted !== undefined) shown.push(...inserted);
      const own = decision === undefined ? item : decision.item;
      if (own !== null) shown.push(own);
      if (appended !== undefined) shown.push(...appended);
      isChanged ||= inserted !== undefined || appended !== undefined || decision !== undefined;
      if (item.kind === 'source') kind = decision?.kind ?? null;
    }
    if (isChanged) overlay.replace(cell, shown);
    else overlay.pass(cell);
    if (cell < this.#given.source.length) overlay.fate(cell, kind);
  }
}
