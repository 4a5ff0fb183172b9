// From a piece's messages back to cells. A message that was given stands where it stood; one that a rule made or moved
// stands behind the message before it, in the cell that follows. That may be the first cell of the next piece.
import type { LiveView } from '../../../view/liveView.ts';
import type { FateKind, ViewItem } from '../../../view/types.ts';
import { type Draft, toItem } from '../draft.ts';
import { fateKind, reasonsOf } from '../fates.ts';
import type { Change } from '../types.ts';
import { NO_CELLS, NO_KINDS, type Overflow, type Segment } from './segments.ts';

/** The messages of a piece after all rules. */
export function outputOf(segment: Segment): readonly Draft[] {
  return segment.lists.at(-1) ?? segment.drafts;
}

/** What rules did to the messages of a piece, by source index. */
export function changesByIndex(segment: Segment): ReadonlyMap<number, readonly Change[]> {
  const changes = new Map<number, Change[]>();
  for (const level of segment.changes) {
    for (const change of level) {
      const { index } = change.before;
      if (index === null) continue;
      const known = changes.get(index);
      if (known === undefined) changes.set(index, [change]);
      else known.push(change);
    }
  }
  return changes;
}

/** True for a draft that stands for its source message in its place. */
export function stands({ index, moved }: Draft): boolean {
  return index !== null && !moved;
}

/** Source messages that stand in the view after all rules. */
export function standing(segment: Segment): ReadonlySet<number> {
  const found = new Set<number>();
  for (const draft of outputOf(segment)) if (draft.index !== null && !draft.moved) found.add(draft.index);
  return found;
}

/** The kinds of fate of a piece's messages; those left alone, or only reported, are not in it. */
export function kindsOf(segment: Segment): ReadonlyMap<number, FateKind> {
  if (segment.changes.every((level) => level.length === 0)) return NO_KINDS;
  const kinds = new Map<number, FateKind>();
  const present = standing(segment);
  for (const [index, changes] of changesByIndex(segment)) {
    const kind = fateKind(changes, present.has(index));
    if (kind !== 'kept') kinds.set(index, kind);
  }
  return kinds;
}

/** Notes where its source messages begin and whether something made stands behind the last of them. */
export function survey(segment: Segment): void {
  const drafts = outputOf(segment);
  segment.firstSource = drafts.find(stands)?.index ?? null;
  const last = drafts.findLastIndex(stands);
  segment.isOpen = drafts.slice(last + 1).some(isMade);
}

function isMade({ item, index }: Draft): boolean {
  return item === null && index === null;
}

/** What a piece's cells hold, where it is not what was given; `next` = as in {@link toItem}, behind the piece. */
export function render(
  segment: Segment,
  view: LiveView,
  stage: number,
  next: number,
): { readonly out: ReadonlyMap<number, readonly ViewItem[]>; readonly spill: Overflow | null } {
  const drafts = outputOf(segment);
  if (drafts === segment.drafts) return { out: NO_CELLS, spill: null };
  const out = new Map<number, readonly ViewItem[]>();
  const items = itemsOf(segment, drafts, stage, next);
  const placed = place(segment, drafts, items);
  for (const draft of segment.drafts) {
    const cell = cellOf(segment, draft);
    if (cell !== null && !placed.has(cell)) placed.set(cell, []);
  }
  const end = segment.next?.start ?? view.cells;
  let spill: Overflow | null = null;
  for (const [cell, own] of placed) {
    if (cell >= end) spill = { cell, items: own };
    else if (!isSame(own, view.at(cell))) out.set(cell, own);
  }
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

function place(segment: Segment, drafts: readonly Draft[], items: readonly ViewItem[]): Map<number, ViewItem[]> {
  const placed = new Map<number, ViewItem[]>();
  let cell = segment.start;
  for (const [at, draft] of drafts.entries()) {
    cell = cellOf(segment, draft) ?? cell;
    const known = placed.get(cell);
    if (known === undefined) placed.set(cell, [items[at]!]);
    else known.push(items[at]!);
    if (stands(draft)) cell++;
  }
  return placed;
}

/** The cell of a message that stands where it was given; null for one that was made or moved. */
function cellOf(segment: Segment, draft: Draft): number | null {
  if (draft.item === null || draft.moved) return null;
  return draft.index ?? segment.cells.get(draft.item) ?? null;
}

function isSame(a: readonly ViewItem[], b: readonly ViewItem[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}
