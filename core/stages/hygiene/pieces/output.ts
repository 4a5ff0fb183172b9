// From a piece's messages back to cells. A message that was given stands where it stood; one that a rule made or moved
// is behind the message before it, in the cell that follows. That may be the first cell of the next piece.
import type { FateKind, ViewItem } from '../../../view/types.ts';
import { type Draft, toItem } from '../draft.ts';
import { reasonsOf } from '../fates.ts';
import { SYNTHETIC_RESULT } from '../rules/pairing.ts';
import type { Change } from '../types.ts';
import { NO_CELLS, NO_KINDS, type Overflow, type Segment } from './segments.ts';

/** The messages of a piece after all rules. */
function outputOf(segment: Segment): readonly Draft[] {
  return segment.lists.at(-1) ?? segment.drafts;
}

/** What rules did to a message of a piece; null = nothing. */
export function changesOf(segment: Segment, index: number): readonly Change[] | null {
  segment.byIndex ??= groupByIndex(segment);
  const found = segment.byIndex.get(index);
  if (found === undefined) return null;
  return 'rule' in found ? [found] : found;
}

/** Results that were put in for calls nothing answers, by the source index of the call. Kept in the same way. */
export function addedFor(segment: Segment): ReadonlyMap<number, readonly Change[]> {
  if (segment.addedFor !== null) return segment.addedFor;
  const isAdded = ({ kind, chip }: Change): boolean => kind === 'inserted' && chip === SYNTHETIC_RESULT;
  const added = segment.changes.flatMap((level) => level.filter(isAdded));
  segment.addedFor = added.length === 0 ? NONE_ADDED : Map.groupBy(added, ({ because }) => because ?? -1);
  return segment.addedFor;
}

const NONE_ADDED: ReadonlyMap<number, readonly Change[]> = new Map();

// Most messages have one change: a limit that drops a hundred thousand would be as many lists of one.
function groupByIndex({ changes }: Segment): Segment['byIndex'] & {} {
  const found = new Map<number, Change | Change[]>();
  for (const level of changes) {
    for (let at = 0; at < level.length; at++) {
      const change = level[at]!;
      const { index } = change.before;
      if (index === null) continue;
      const known = found.get(index);
      if (known === undefined) found.set(index, change);
      else if (Array.isArray(known)) known.push(change);
      else found.set(index, [known, change]);
    }
  }
  return found;
}

/** True for a draft that stands for its source message in its place. */
function stands({ index, moved }: Draft): boolean {
  return index !== null && !moved;
}

/** Whether a source message of a piece is in the view after all rules. Kept in the same way. */
export function presence(segment: Segment): (index: number) => boolean {
  segment.presence ??= presenceIn(segment);
  return segment.presence;
}

function presenceIn(segment: Segment): (index: number) => boolean {
  const drafts = outputOf(segment);
  if (drafts === segment.drafts) return () => true;
  const { start } = segment;
  const last = drafts.findLast(stands)?.index ?? start - 1;
  const found = new Uint8Array(last + 1 - start);
  for (const draft of drafts) if (draft.index !== null && !draft.moved) found[draft.index - start] = 1;
  return (index) => found[index - start] === 1;
}

/** The kinds of fate of a piece's messages, as {@link fateKind}; those left alone, or only reported, are not in it. */
export function kindsOf(segment: Segment): ReadonlyMap<number, FateKind> {
  if (segment.changes.every((level) => level.length === 0)) return NO_KINDS;
  const kinds = new Map<number, FateKind>();
  const isPresent = presence(segment);
  for (const level of segment.changes) {
    for (let at = 0; at < level.length; at++) {
      const { before, kind } = level[at]!;
      const { index } = before;
      if (index === null) continue;
      if (isPresent(index)) {
        if (kind !== 'reported') kinds.set(index, 'rewritten');
      } else if (kind !== 'rewritten') kinds.set(index, kind === 'dropped' ? 'dropped' : 'merged');
      else if (!kinds.has(index)) kinds.set(index, 'merged');
    }
  }
  return kinds;
}

/** Notes where its source messages begin and whether something made is behind the last of them. */
export function survey(segment: Segment): void {
  const drafts = outputOf(segment);
  segment.firstSource = drafts.find(stands)?.index ?? null;
  const last = drafts.findLastIndex(stands);
  segment.isOpen = drafts.slice(last + 1).some(isMade);
}

function isMade({ item, index }: Draft): boolean {
  return item === null && index === null;
}

/** What a piece's cells hold, and what it puts before the first items of the next. */
export interface Rendered {
  readonly out: ReadonlyMap<number, readonly ViewItem[]>;
  readonly spill: Overflow | null;
}

/** What a piece's cells hold, where it is not what was given; `next` = as in {@link toItem}, behind the piece. */
export function render(segment: Segment, stage: number, next: number): Rendered {
  const drafts = outputOf(segment);
  if (drafts === segment.drafts) return { out: NO_CELLS, spill: null };
  const items = itemsOf(segment, drafts, stage, next);
  const out = new Map<number, readonly ViewItem[]>();
  const given = new GivenCells(segment);
  let spill: Overflow | null = null;
  let cell = segment.start;
  for (let at = 0; at < drafts.length; ) {
    const from = at;
    const here = given.cellOf(drafts[at]!) ?? cell;
    cell = here;
    for (; at < drafts.length && (given.cellOf(drafts[at]!) ?? cell) === here; at++) {
      cell = stands(drafts[at]!) ? here + 1 : here;
    }
    given.emptyUpTo(here, out);
    if (given.isSame(here, items, from, at)) continue;
    const own = items.slice(from, at);
    if (segment.next !== null && here >= segment.next.start) spill = { cell: here, items: own };
    else out.set(here, own);
  }
  given.emptyUpTo(Number.POSITIVE_INFINITY, out);
  return { out, spill };
}

function itemsOf(segment: Segment, drafts: readonly Draft[], stage: number, behind: number): readonly ViewItem[] {
  const reason = reasonsOf(segment.changes.flat());
  const items = new Array<ViewItem>(drafts.length);
  let next = behind;
  for (let at = drafts.length - 1; at >= 0; at--) {
    const item = toItem(drafts[at]!, stage, next, reason);
    if (item.kind === 'source') next = item.index;
    items[at] = item;
  }
  return items;
}

/** What a piece was given, read cell by cell. */
class GivenCells {
  readonly #drafts: readonly Draft[];
  readonly #synthetic: ReadonlyMap<ViewItem, number>;
  #next = 0;

  constructor({ drafts, cells }: Segment) {
    this.#drafts = drafts;
    this.#synthetic = cells;
  }

  /** The cell of a message that stands where it was given; null for one that was made or moved. */
  cellOf({ item, index, moved }: Draft): number | null {
    if (item === null || moved) return null;
    return index ?? this.#synthetic.get(item) ?? null;
  }

  /** Continues to a cell; those before it hold nothing any more. */
  emptyUpTo(cell: number, out: Map<number, readonly ViewItem[]>): void {
    for (let own = this.#cell(); own !== null && own < cell; own = this.#cell()) {
      out.set(own, NOTHING);
      this.#next++;
    }
  }

  /** Whether the cell it has come to was given the items [from, to); goes behind it. */
  isSame(cell: number, items: readonly ViewItem[], from: number, to: number): boolean {
    let at = from;
    let isSame = true;
    for (; this.#cell() === cell; this.#next++) {
      isSame &&= at < to && items[at] === this.#drafts[this.#next]?.item;
      at++;
    }
    return isSame && at === to;
  }

  #cell(): number | null {
    const draft = this.#drafts[this.#next];
    return draft === undefined ? null : this.cellOf(draft);
  }
}

const NOTHING: readonly ViewItem[] = [];
