// What a stage puts in place of its input, cell by cell. All else passes. Kept from call point to call point, so that a
// stage says only what is different; and the one place where provider safety takes everything back.
import type { TranscriptSource } from '../model/transcript.ts';
import { TOUCHED_KINDS } from './fates.ts';
import { cellsOf, type LiveView } from './liveView.ts';
import type { FateKind, ViewItem } from './types.ts';
import { WholeView } from './wholeView.ts';

const KINDS = TOUCHED_KINDS;
const NO_KINDS = new Uint8Array(0);
const NONE: readonly ViewItem[] = [];
const NOBODY: readonly number[] = [];

/** A stage's changes to the view it is given. Kinds are those of the stage alone. */
export class Overlay {
  readonly #source: TranscriptSource;
  readonly #room: number;
  /** Refuses everything while it would touch a message with signed reasoning, as Harn's policies do. */
  readonly #respectsSignatures: boolean;
  #items: (readonly ViewItem[] | undefined)[] = [];
  #replaced = 0;
  #kinds: Uint8Array = NO_KINDS;
  readonly #counts = new Array<number>(KINDS.length).fill(0);
  readonly #dirty = new Set<number>();
  #dirtyKinds = new Set<number>();
  /** Signed messages that are touched. */
  readonly #signed = new Set<number>();
  /** The first of them, asked for with every fate; undefined = to be found again. */
  #firstSigned: number | null | undefined = null;
  #blocked = false;
  /** False while it is read as a whole: nobody asks what has changed. */
  #follows: boolean;

  /** `room` = how many messages its views have cells for. */
  constructor(source: TranscriptSource, respectsSignatures = false, follows = true, room = source.length) {
    this.#source = source;
    this.#room = room;
    this.#respectsSignatures = respectsSignatures;
    this.#follows = follows;
  }

  /** From now on changes are noted for {@link flush}. */
  follow(): void {
    if (this.#follows) return;
    this.#follows = true;
    this.#blocked = this.#signed.size > 0;
  }

  /** True if the stage gives what it is given. */
  get passes(): boolean {
    return this.blocked || this.#replaced === 0;
  }

  /** From now on these items are in a cell. */
  replace(cell: number, items: readonly ViewItem[]): void {
    if (this.#items.length === 0) this.#items = new Array<readonly ViewItem[] | undefined>(this.#room + 1);
    if (this.#items[cell] === undefined) this.#replaced++;
    this.#items[cell] = items;
    if (this.#follows) this.#dirty.add(cell);
  }

  /** From now on a cell holds what the stage is given there. */
  pass(cell: number): void {
    if (this.#items[cell] === undefined) return;
    this.#items[cell] = undefined;
    this.#replaced--;
    if (this.#follows) this.#dirty.add(cell);
  }

  /**
   * From now on `shown` is in place of all of the input, which holds the items `given`; null = the input passes. What
   * both end with alike passes. Gives the cells of the items before that.
   */
  show(
    input: LiveView,
    change: { readonly given: readonly ViewItem[]; readonly shown: readonly ViewItem[] } | null,
  ): ReadonlyMap<number, readonly ViewItem[]> {
    const { given, shown } = change ?? { given: NONE, shown: NONE };
    const alike = change === null ? 0 : sameEnd(given, shown);
    const cells = cellsOf({ items: shown.slice(0, shown.length - alike) });
    const last = given[given.length - alike - 1];
    const end = change === null ? 0 : alike === 0 ? input.cells : last?.kind === 'source' ? last.index + 1 : 0;
    for (let cell = 0; cell < end; cell++) {
      const items = cells.get(cell) ?? NONE;
      if (sameAll(items, input.at(cell))) this.pass(cell);
      else this.replace(cell, items);
    }
    if (this.#replaced > 0) for (let cell = end; cell < this.#items.length; cell++) this.pass(cell);
    return cells;
  }

  /** The fate of a message under this stage; null = it is left alone, or only explained. */
  fate(index: number, kind: FateKind | null): void {
    this.#note(index, kind === 'kept' ? null : kind);
  }

  /** The stage puts a message back that was gone or edited: as it was said (`kept`), or with some of its parts. */
  putBack(index: number, kind: 'kept' | 'rewritten'): void {
    this.#note(index, kind);
  }

  #note(index: number, kind: FateKind | null): void {
    const known = this.#kinds[index] ?? 0;
    const next = kind === null ? 0 : KINDS.indexOf(kind);
    if (known === next) return;
    if (this.#kinds.length === 0) this.#kinds = new Uint8Array(this.#room);
    this.#kinds[index] = next;
    this.#counts[known] = (this.#counts[known] ?? 0) - 1;
    this.#counts[next] = (this.#counts[next] ?? 0) + 1;
    if (this.#follows) this.#dirtyKinds.add(index);
    if (!this.#respectsSignatures || (known === 0) === (next === 0) || !this.#source.facts(index).signed) return;
    if (next === 0) this.#signed.delete(index);
    else this.#signed.add(index);
    this.#firstSigned = undefined;
  }

  /** The kind that counts: null while the stage is blocked. */
  kind(index: number): FateKind | null {
    return this.blocked ? null : this.wouldBe(index);
  }

  /** By message the number of its kind among TOUCHED_KINDS; none while the stage is blocked. To be read at once. */
  get kinds(): Uint8Array {
    return this.blocked ? NO_KINDS : this.#kinds;
  }

  /** The kind it would have, were the stage not blocked. */
  wouldBe(index: number): FateKind | null {
    return KINDS[this.#kinds[index] ?? 0] ?? null;
  }

  /** The first message from `from` on that is touched, or would be, were the stage not blocked; null = none is. */
  nextTouched(from: number): number | null {
    for (let index = from; index < this.#kinds.length; index++) if (this.#kinds[index] !== 0) return index;
    return null;
  }

  /** How many messages it touches, or would touch, by kind; kinds that do not occur are left out. */
  counts(): Readonly<Partial<Record<FateKind, number>>> {
    const counts: Partial<Record<FateKind, number>> = {};
    for (const [at, kind] of KINDS.entries()) {
      const count = this.#counts[at] ?? 0;
      if (kind !== null && count > 0) counts[kind] = count;
    }
    return counts;
  }

  /** True while provider safety refuses what the stage would do. */
  get blocked(): boolean {
    return this.#follows ? this.#blocked : this.#signed.size > 0;
  }

  /** The first signed message that the stage would touch; null if there is none. */
  get blockedBy(): number | null {
    if (this.#firstSigned === undefined) {
      this.#firstSigned = null;
      for (const index of this.#signed) if (index < (this.#firstSigned ?? Infinity)) this.#firstSigned = index;
    }
    return this.#firstSigned;
  }

  /** Brings the stage's output up to its input and these changes; gives the messages whose kind may be another. */
  flush(input: LiveView, output: LiveView): Iterable<number> {
    const blocked = this.#signed.size > 0;
    const turned = blocked !== this.#blocked;
    this.#blocked = blocked;
    const show = (cell: number): void =>
      output.set(cell, blocked ? input.at(cell) : (this.#items[cell] ?? input.at(cell)));
    for (const cell of input.changed.keys()) show(cell);
    for (const cell of this.#dirty) show(cell);
    if (turned) for (let cell = 0; cell < this.#items.length; cell++) if (this.#items[cell] !== undefined) show(cell);
    this.#dirty.clear();
    const kinds = this.#dirtyKinds;
    if (!turned && kinds.size === 0) return NOBODY;
    this.#dirtyKinds = new Set();
    if (!turned) return kinds;
    for (let index = this.nextTouched(0); index !== null; index = this.nextTouched(index + 1)) kinds.add(index);
    return kinds;
  }

  /** Brings one cell of the stage's output up to these changes. */
  renew(cell: number, input: LiveView, output: LiveView): void {
    output.set(cell, this.#blocked ? input.at(cell) : (this.#items[cell] ?? input.at(cell)));
  }

  /** The stage's output over a whole input; the input itself if nothing is changed. */
  read(input: WholeView): WholeView {
    if (this.passes) return input;
    const { offsets, whole } = input;
    const items: ViewItem[] = [];
    const after = new Int32Array(offsets.length);
    for (let cell = 0; cell < input.cells; cell++) {
      const own = this.#items[cell];
      if (own !== undefined) for (const item of own) items.push(item);
      else for (let at = offsets[cell]!; at < offsets[cell + 1]!; at++) items.push(whole.items[at]!);
      after[cell + 1] = items.length;
    }
    return new WholeView({ items }, input.cells - 1, after);
  }
}

function sameAll(a: readonly ViewItem[], b: readonly ViewItem[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

// How many items both end with, behind a source message that is in both: so that no cell is parted.
function sameEnd(a: readonly ViewItem[], b: readonly ViewItem[]): number {
  let alike = 0;
  const most = Math.min(a.length, b.length);
  while (alike < most && a[a.length - 1 - alike] === b[b.length - 1 - alike]) alike++;
  while (alike > 0 && a[a.length - alike]?.kind !== 'source') alike--;
  return Math.max(0, alike - 1);
}
