// Where a request parts from the one before it, and who parted them. Requests are compared message by message: the same
// source message in the same wording, or synthetic messages with the same text.
import { type LiveView, sameMessage } from '../view/liveView.ts';
import type { FateKind, ViewItem } from '../view/types.ts';
import type { LiveStage } from './liveStage.ts';

/** What ended the common beginning of two requests. */
export interface CacheBreak {
  /** Position of the stage in the spec, its kind and title. */
  readonly stage: number;
  readonly kind: string;
  readonly title: string;
  /** Source index of the message that was edited, removed or put back; null for a synthetic one. */
  readonly index: number | null;
  /** What happened to it. */
  readonly change: 'edited' | 'removed' | 'restored' | 'inserted' | 'replaced';
  /** The stage's own fate for it, its rule and sentence. */
  readonly fate: FateKind | null;
  readonly rule: string | null;
  readonly reason: string;
}

/** The first difference: how many messages before it, its place in the view now, and the two items (null = the end). */
export interface FirstDifference {
  readonly messages: number;
  readonly cell: number;
  readonly slot: number;
  readonly old: ViewItem | null;
  readonly now: ViewItem | null;
}

/** Compares a live view with what it was at the last call point. Costs what changed, and what is alike behind it. */
export function commonPrefix(view: LiveView): FirstDifference {
  const changed = [...view.changed.keys()].sort((a, b) => a - b);
  const [first] = changed;
  if (first === undefined) return { messages: view.length, cell: view.cells, slot: 0, old: null, now: null };
  const before = new Walk(first, (cell) => view.atBefore(cell), cellsBefore(view, changed));
  const after = new Walk(
    first,
    (cell) => view.at(cell),
    (cell) => view.nextCell(cell),
  );
  let messages = view.before(first);
  while (before.item !== null && after.item !== null && sameMessage(before.item, after.item)) {
    messages++;
    before.next();
    after.next();
  }
  return { messages, cell: after.cell, slot: after.slot, old: before.item, now: after.item };
}

/** A walk over items from a cell on. */
class Walk {
  cell: number;
  slot = 0;
  readonly #at: (cell: number) => readonly ViewItem[];
  readonly #nextCell: (cell: number) => number;

  constructor(cell: number, at: (cell: number) => readonly ViewItem[], nextCell: (cell: number) => number) {
    this.cell = nextCell(cell);
    this.#at = at;
    this.#nextCell = nextCell;
  }

  get item(): ViewItem | null {
    return this.#at(this.cell)[this.slot] ?? null;
  }

  next(): void {
    this.slot++;
    if (this.slot < this.#at(this.cell).length) return;
    this.cell = this.#nextCell(this.cell + 1);
    this.slot = 0;
  }
}

// The next cell that held something: one that changed since, or one that holds something still.
function cellsBefore(view: LiveView, changed: readonly number[]): (cell: number) => number {
  let near = 0;
  return (cell) => {
    while (near < changed.length && (changed[near]! < cell || view.atBefore(changed[near]!).length === 0)) near++;
    let still = view.nextCell(cell);
    while (view.changed.has(still)) still = view.nextCell(still + 1);
    return Math.min(changed[near] ?? view.cells, still);
  };
}

/** Who parted two requests, at the first difference of them: `old` stood where `now` stands. */
export function explainBreak(stages: readonly LiveStage[], old: ViewItem, now: ViewItem): CacheBreak | null {
  const byOld = old.kind === 'source' ? firstToChange(stages, old.index) : null;
  if (byOld !== null) return byOld;
  if (now.kind === 'synthetic') return bySynthetic(stages, now, old.kind === 'synthetic' ? 'replaced' : 'inserted');
  const byNew = firstToChange(stages, now.index);
  if (byNew !== null) return byNew;
  return old.kind === 'synthetic' ? bySynthetic(stages, old, 'removed') : null;
}

function firstToChange(stages: readonly LiveStage[], index: number): CacheBreak | null {
  for (const live of stages) {
    const { stage, output } = live;
    const before = output.atBefore(index).at(-1);
    const after = output.at(index).at(-1);
    const stood = before?.kind === 'source';
    const stands = after?.kind === 'source';
    if (stood === stands && (!stood || sameMessage(before, after))) continue;
    const change = stood ? (stands ? changeOf(before, after) : 'removed') : 'restored';
    const fate = live.fateOf(index);
    const reason = fate?.reason ?? `${stage.title} leaves it as it was given`;
    const who = { stage: stage.position, kind: stage.kind, title: stage.title };
    return { ...who, index, change, fate: fate?.kind ?? null, rule: fate?.rule ?? null, reason };
  }
  return null;
}

function changeOf(before: ViewItem, after: ViewItem | undefined): CacheBreak['change'] {
  return before.text !== undefined && after?.text === undefined ? 'restored' : 'edited';
}

function bySynthetic(
  stages: readonly LiveStage[],
  item: Extract<ViewItem, { kind: 'synthetic' }>,
  change: 'inserted' | 'replaced' | 'removed',
): CacheBreak | null {
  const stage = stages.find(({ stage }) => stage.position === item.stage)?.stage;
  if (stage === undefined) return null;
  const who = { stage: stage.position, kind: stage.kind, title: stage.title };
  const words = {
    inserted: `${stage.title} put a message here`,
    replaced: `${stage.title} put another text here`,
    removed: `${stage.title} no longer puts a message here`,
  };
  const reason = item.made?.reason ?? words[change];
  return { ...who, index: null, change, fate: null, rule: item.made?.rule ?? null, reason };
}
