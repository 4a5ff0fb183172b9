// What every vendor's stage shares. A request is mostly the one before it with messages added at the end; so a stage is
// given each message once, and says which messages it edits, drops or puts in, and what it takes back. Where its input
// changes further up, it begins again: that costs as much as a step from nothing.
import {
  type IncrementalContext,
  type IncrementalRun,
  type ReportDetails,
  roomOf,
  type StageDone,
} from '../../../view/incremental.ts';
import type { LiveView } from '../../../view/liveView.ts';
import type { Overlay } from '../../../view/overlay.ts';
import { readView, type ViewReader } from '../../../view/reader.ts';
import {
  type Fate,
  type FateKind,
  PAUSE,
  PAUSE_EVERY,
  type Pausing,
  type StageContext,
  type ViewItem,
} from '../../../view/types.ts';
import { type Idle, idleExplainer, idleReport } from './conclude.ts';

/**
 * What becomes of a message: the item in its place (null = none), and its fate, made when it is asked for. One that puts
 * nothing in its place may serve many messages.
 */
export interface LiveDecision {
  readonly item: ViewItem | null;
  readonly kind: FateKind;
  fate(position: number): Fate;
  /** Tokens and characters that it saves; absent = the stage counts otherwise. */
  saved?(): Saved;
}

/** What edits save. */
export interface Saved {
  readonly tokens: number;
  readonly chars: number;
}

const NOWHERE = -1;
const NOTHING: readonly ViewItem[] = [];

/** The part that all vendors' stages share. Positions are those of the input view. */
export abstract class LiveDecisions implements IncrementalRun {
  /** The stage's context at the call point it is at. */
  protected context: StageContext;
  protected reader: ViewReader;
  readonly #given: IncrementalContext;
  #items: ViewItem[] = [];
  #cells: number[] = [];
  /** Of each cell the position of its first item. */
  #first = new Int32Array(0);
  #decisions: (LiveDecision | null | undefined)[] = [];
  readonly #inserted = new Map<number, readonly ViewItem[]>();
  /** Behind synthetic messages, by position; behind those of the source, which close their cells, by the next cell. */
  readonly #appended = new Map<number, readonly ViewItem[]>();
  readonly #behind = new Map<number, readonly ViewItem[]>();
  readonly #dirty = new Set<number>();
  #input: LiveView | null = null;
  #because: ((position: number) => Fate) | null = null;

  constructor(given: IncrementalContext) {
    this.#given = given;
    this.context = { ...given, at: 0 };
    this.reader = readView({ items: [] }, given.source, given.memo);
  }

  /** Forget everything: the view begins again. */
  protected abstract reset(): void;
  /** The view has one more message. */
  protected abstract push(position: number): void;
  /** Why each message stays that no decision names, by position. Called once per call point, if anybody asks. */
  protected abstract explainer(): (position: number) => Fate;
  /** The report of a call point at which it is not idle. */
  protected abstract details(done: StageDone): ReportDetails;

  /** True if it never does anything, by its parameters alone: then it gets no message, and `idle` says why. */
  protected get isOff(): boolean {
    return false;
  }

  /** Why it does nothing at this call point; null = it has decided. */
  protected idle(): Idle | null {
    return null;
  }

  /** All messages from a position on are new. From 0 a stage may read them in one pass. */
  protected *pushAll(from: number): Pausing<void> {
    for (let position = from; position < this.#items.length; position++) {
      if (position % PAUSE_EVERY === PAUSE_EVERY - 1) yield PAUSE;
      this.push(position);
    }
  }

  /**
   * A message is given in another wording, at the place where it was. True = that is taken care of; else the view begins
   * again.
   */
  protected edited(_position: number, _before: ViewItem): boolean {
    return false;
  }

  /** All messages are there: decide what is different from the call point before. */
  protected abstract settle(): Pausing<void> | void;

  *step(input: LiveView, at: number, overlay: Overlay): Pausing<void> {
    this.context = { ...this.#given, at };
    this.#input = input;
    this.#because = null;
    if (this.isOff) return;
    const from = this.#take(input);
    this.reader = readView({ items: this.#items }, this.#given.source, this.#given.memo);
    yield* this.pushAll(from);
    yield* this.settle() ?? [];
    if (input.whole === null) for (const cell of this.#dirty) this.#write(cell, input.at(cell), overlay);
    else this.#writeAll(overlay);
    this.#dirty.clear();
  }

  fateOf(index: number): Fate | null {
    const position = this.#positionOf(index);
    return position === null ? null : (this.#decisions[position]?.fate(position) ?? null);
  }

  report(done: StageDone): ReportDetails {
    const idle = this.idle();
    return idle === null ? this.details(done) : idleReport(idle);
  }

  explain(index: number): Fate {
    if (this.#because === null) {
      const idle = this.idle();
      this.#because = idle === null ? this.explainer() : idleExplainer(idle, this.context);
    }
    if (this.isOff) return this.#because(0);
    const position = this.#positionOf(index);
    if (position === null) throw new RangeError(`#${index} is not in the view`);
    return this.#because(position);
  }

  /** From now on this becomes of a message; null = it is left alone. */
  protected decide(position: number, decision: LiveDecision | null): void {
    if (decision === (this.#decisions[position] ?? null)) return;
    this.#decisions[position] = decision;
    this.#touch(position);
  }

  /** From now on these items stand before a message. */
  protected insert(position: number, items: readonly ViewItem[]): void {
    if (items.length === 0 && !this.#inserted.has(position)) return;
    if (items.length === 0) this.#inserted.delete(position);
    else this.#inserted.set(position, items);
    this.#touch(position);
  }

  /** From now on these items are behind a message. */
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
    return this.#decisions[position] ?? null;
  }

  /** True if anything is done to a message. */
  protected get isEditing(): boolean {
    return this.#decisions.some((decision) => decision !== null && decision !== undefined);
  }

  /** What all decisions save. */
  protected savedByAll(): Saved {
    let tokens = 0;
    let chars = 0;
    for (const decision of this.#decisions) {
      const saved = decision?.saved?.();
      tokens += saved?.tokens ?? 0;
      chars += saved?.chars ?? 0;
    }
    return { tokens, chars };
  }

  #touch(position: number): void {
    if (this.#input?.whole !== null) return;
    const cell = this.#cells[position];
    if (cell !== undefined) this.#dirty.add(cell);
  }

  #positionOf(index: number): number | null {
    const first = this.#first[index] ?? NOWHERE;
    if (first === NOWHERE) return null;
    // The message closes its cell.
    let position = first;
    while (this.#cells[position + 1] === index) position++;
    const item = this.#items[position];
    return item?.kind === 'source' && item.index === index ? position : null;
  }

  // The first position that is new.
  #take(input: LiveView): number {
    if (input.whole !== null) return this.#beginAgain(input);
    const last = this.#cells.at(-1) ?? -1;
    const changed = [...input.changed.keys()].sort((a, b) => a - b);
    const known = this.#items.length;
    if (
      !this.#takeEdits(
        changed.filter((cell) => cell <= last),
        input,
      )
    )
      return this.#beginAgain(input);
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
    const edits: { readonly position: number; readonly before: ViewItem }[] = [];
    for (const cell of cells) {
      const first = this.#first[cell] ?? 0;
      for (const [slot, item] of input.at(cell).entries()) {
        const before = this.#items[first + slot];
        if (before !== undefined) edits.push({ position: first + slot, before });
        this.#items[first + slot] = item;
      }
    }
    return edits.every(({ position, before }) => this.edited(position, before));
  }

  #beginAgain(input: LiveView): number {
    for (const cell of [...new Set(this.#cells), ...this.#behind.keys()]) this.#dirty.add(cell);
    this.#items = [];
    this.#cells = [];
    this.#first = new Int32Array(roomOf(this.#given) + 1).fill(NOWHERE);
    this.#inserted.clear();
    this.#appended.clear();
    this.#behind.clear();
    if (input.whole !== null) this.#takeWhole(input, input.whole.items);
    else
      for (let cell = input.nextCell(0); cell < input.cells; cell = input.nextCell(cell + 1)) {
        this.#addCell(cell, input.at(cell));
      }
    // As long as the view from the first: an array that begins with its end is a slow one.
    this.#decisions = new Array<LiveDecision | null>(this.#items.length).fill(null);
    this.reader = readView({ items: this.#items }, this.#given.source, this.#given.memo);
    this.reset();
    return 0;
  }

  #takeWhole(input: LiveView, items: readonly ViewItem[]): void {
    this.#items = items.slice();
    this.#cells = new Array<number>(items.length);
    let position = 0;
    for (const item of items) {
      const cell = item.kind === 'source' ? item.index : input.place(position).cell;
      this.#cells[position] = cell;
      if (this.#first[cell] === NOWHERE) this.#first[cell] = position;
      position++;
    }
  }

  #addCell(cell: number, items: readonly ViewItem[]): void {
    if (this.#first.length === 0) this.#first = new Int32Array(roomOf(this.#given) + 1).fill(NOWHERE);
    if (items.length > 0) this.#first[cell] = this.#items.length;
    for (const item of items) {
      this.#items.push(item);
      this.#cells.push(cell);
    }
  }

  // Cells in which something is decided, of a whole view.
  #writeAll(overlay: Overlay): void {
    for (const cell of this.#behind.keys()) this.#dirty.add(cell);
    for (const position of this.#inserted.keys()) this.#dirty.add(this.#cells[position] ?? 0);
    for (const position of this.#appended.keys()) this.#dirty.add(this.#cells[position] ?? 0);
    for (let position = 0; position < this.#decisions.length; position++) {
      const decision = this.#decisions[position] ?? null;
      if (decision === null) continue;
      const cell = this.#cells[position] ?? 0;
      const isAlone = this.#cells[position - 1] !== cell && this.#cells[position + 1] !== cell;
      if (!isAlone || this.#items[position]?.kind !== 'source') this.#dirty.add(cell);
      else if (!this.#dirty.has(cell)) this.#writeOne(cell, decision, overlay);
    }
    for (const cell of this.#dirty) this.#write(cell, this.#itemsIn(cell), overlay);
  }

  #writeOne(cell: number, { item, kind }: LiveDecision, overlay: Overlay): void {
    overlay.replace(cell, item === null ? NOTHING : [item]);
    overlay.fate(cell, kind);
  }

  #itemsIn(cell: number): readonly ViewItem[] {
    const first = this.#first[cell] ?? NOWHERE;
    if (first === NOWHERE) return [];
    let end = first;
    while (this.#cells[end] === cell) end++;
    return this.#items.slice(first, end);
  }

  #write(cell: number, given: readonly ViewItem[], overlay: Overlay): void {
    const first = this.#first[cell] ?? NOWHERE;
    const shown: ViewItem[] = [...(this.#behind.get(cell) ?? [])];
    let isChanged = shown.length > 0;
    let kind: FateKind | null = null;
    for (const [slot, item] of given.entries()) {
      const position = first + slot;
      const inserted = this.#inserted.get(position);
      const appended = this.#appended.get(position);
      const decision = this.#decisions[position] ?? null;
      if (inserted !== undefined) shown.push(...inserted);
      const own = decision === null ? item : decision.item;
      if (own !== null) shown.push(own);
      if (appended !== undefined) shown.push(...appended);
      isChanged ||= inserted !== undefined || appended !== undefined || decision !== null;
      if (item.kind === 'source') kind = decision?.kind ?? null;
    }
    if (isChanged) overlay.replace(cell, shown);
    else overlay.pass(cell);
    if (cell < this.#given.source.length) overlay.fate(cell, kind);
  }
}
