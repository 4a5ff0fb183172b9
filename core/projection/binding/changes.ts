// What one stage changed, cell by cell, as far as the check of thinking blocks compares it. A cell in which the stage's
// output is another than what it was given is a candidate; whether the difference counts is read from the texts only for
// the first candidates, because only the first change matters.
import type { TranscriptSource } from '../../model/transcript.ts';
import { Fenwick } from '../../util/fenwick.ts';
import { isRecord, ownAt } from '../../util/unknown.ts';
import { ownPartOf } from '../../view/origins.ts';
import { itemFacts, itemText } from '../../view/reader.ts';
import type { SourceItem, StageMemo, ViewItem } from '../../view/types.ts';
import { type BlockTable, compactionOffsets } from './blocks.ts';
import {
  type Compared,
  cellOf,
  compared,
  firstDifference,
  isThinking,
  type Place,
  placeBefore,
  placeIn,
} from './places.ts';

/** Items of a cell before and behind a stage. */
interface Candidate {
  readonly before: readonly ViewItem[];
  readonly after: readonly ViewItem[];
}

/** A compaction block that stands for the messages [from, to). */
export interface Replacement {
  readonly from: number;
  readonly to: number;
}

const NONE: ReadonlySet<number> = new Set();

/** The changes of one stage of the client. */
export class StageChanges {
  readonly #source: TranscriptSource;
  readonly #memo: StageMemo;
  readonly #table: BlockTable;
  readonly #marks: Fenwick;
  readonly #candidates = new Map<number, Candidate>();
  /** What was read of candidates: the place of the change, null = it does not count. */
  readonly #read = new Map<number, Place | null>();
  /** Signed parts of a message that the stage took out, or moved elsewhere. */
  readonly #removed = new Map<number, ReadonlySet<number>>();
  /** Cells with a compaction block that the stage put there. */
  readonly #replacements = new Map<number, Replacement>();

  constructor(source: TranscriptSource, memo: StageMemo, table: BlockTable) {
    this.#source = source;
    this.#memo = memo;
    this.#table = table;
    this.#marks = new Fenwick(source.length + 1);
  }

  /** Says what is in a cell before and behind the stage now. True if other thinking is taken out than before. */
  note(cell: number, before: readonly ViewItem[], after: readonly ViewItem[]): boolean {
    const isSame = before === after || sameItems(before, after);
    const known = this.#candidates.has(cell);
    this.#read.delete(cell);
    this.#replacements.delete(cell);
    if (isSame) this.#candidates.delete(cell);
    else {
      this.#candidates.set(cell, { before, after });
      this.#noteStandIn(cell, before, after);
    }
    if (known === isSame) this.#marks.add(cell, isSame ? -1 : 1);
    return this.#noteRemoved(cell, isSame ? NONE : this.#removedIn(cell, before, after));
  }

  /** The first change at a place or behind it that counts; null = none. */
  firstFrom(from: Place): Place | null {
    let cell = this.#marks.find(this.#marks.before(cellOf(from)));
    while (this.#candidates.has(cell)) {
      const place = this.#placeOf(cell);
      if (place !== null && place >= from) return place;
      cell = this.#marks.find(this.#marks.before(cell + 1));
    }
    return null;
  }

  removed(index: number): ReadonlySet<number> {
    return this.#removed.get(index) ?? NONE;
  }

  /** The compaction block that the stage put in, if it did. */
  get standIn(): Replacement | null {
    return [...this.#replacements.values()].at(-1) ?? null;
  }

  #noteRemoved(cell: number, removed: ReadonlySet<number>): boolean {
    const known = this.removed(cell);
    if (removed.size === 0) this.#removed.delete(cell);
    else this.#removed.set(cell, removed);
    return known.size !== removed.size || [...removed].some((part) => !known.has(part));
  }

  #removedIn(cell: number, before: readonly ViewItem[], after: readonly ViewItem[]): ReadonlySet<number> {
    if (!this.#table.firstOf.has(cell)) return NONE;
    const was = this.#signedIn(before);
    for (const part of this.#signedIn(after)) was.delete(part);
    return was;
  }

  // Raw signed parts of the message that are in its cell.
  #signedIn(items: readonly ViewItem[]): Set<number> {
    const signed = new Set<number>();
    const item = sourceOf(items);
    if (item === null) return signed;
    for (const [part, each] of itemFacts(item, this.#source, this.#memo).parts.entries()) {
      const raw = isThinking(each) && each.signed === true ? ownPartOf(item, part) : null;
      if (raw !== null) signed.add(raw);
    }
    return signed;
  }

  // In a separate message, or first in the first message that is kept.
  #noteStandIn(cell: number, before: readonly ViewItem[], after: readonly ViewItem[]): void {
    for (const item of after) {
      if (item.text === undefined || !item.text.includes('"compaction"') || before.includes(item)) continue;
      if (compactionOffsets(JSON.parse(item.text)).length === 0) continue;
      const covers = item.kind === 'synthetic' ? item.covers : { from: 0, to: cell };
      if (covers.to > covers.from) this.#replacements.set(cell, covers);
    }
  }

  #placeOf(cell: number): Place | null {
    const read = this.#read.get(cell);
    if (read !== undefined) return read;
    const candidate = this.#candidates.get(cell);
    const place = candidate === undefined ? null : this.#compare(cell, candidate);
    this.#read.set(cell, place);
    return place;
  }

  #compare(cell: number, { before, after }: Candidate): Place | null {
    const [old, now] = [sourceOf(before), sourceOf(after)];
    const made = [before, after].map((items) => items.filter((item) => item.kind === 'synthetic'));
    if (!sameItems(made[0] ?? [], made[1] ?? [])) return placeBefore(cell);
    if (old === null || now === null) return old === now || this.#isAllThinking(old) ? null : placeBefore(cell);
    const [was, is] = [old, now].map((item) => this.#compared(item));
    if (was === undefined || is === undefined) return null;
    const offset = firstDifference(was, this.#replacements.has(cell) ? withoutCompaction(is) : is);
    return offset === null ? null : placeIn(cell, offset);
  }

  #isAllThinking(item: SourceItem | null): boolean {
    return item !== null && itemFacts(item, this.#source, this.#memo).parts.every(isThinking);
  }

  #compared(item: SourceItem) {
    return compared(itemText(item, this.#source), itemFacts(item, this.#source, this.#memo));
  }
}

function withoutCompaction({ blocks, rest }: Compared): Compared {
  return { blocks: blocks.filter((block) => !isRecord(block) || ownAt(block, 'type') !== 'compaction'), rest };
}

function sourceOf(items: readonly ViewItem[]): SourceItem | null {
  const last = items.at(-1);
  return last?.kind === 'source' ? last : null;
}

function sameItems(a: readonly ViewItem[], b: readonly ViewItem[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at] || sameWords(item, b[at]));
}

function sameWords(a: ViewItem, b: ViewItem | undefined): boolean {
  if (a.kind === 'source') return b?.kind === 'source' && a.index === b.index && a.text === b.text;
  return b?.kind === 'synthetic' && a.text === b.text;
}
