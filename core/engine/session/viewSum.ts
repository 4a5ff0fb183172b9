// The tokens of a view. A slider sums several views of a hundred thousand messages at each step, so the loop is plain, and
// what pauses stands outside it.
import { CATEGORIES } from '../../model/category.ts';
import { isUnrendered } from '../../view/tokens.ts';
import type { View, ViewItem } from '../../view/types.ts';
import type { Allowance, EditCounter, EditReader } from './edits.ts';
import type { TokenTable } from './tokenTable.ts';

const SLOTS = CATEGORIES.length;

/** Tokens of a view. `counted` is false while an edit is estimated that could be counted. */
export interface ViewTokens {
  readonly byCategory: readonly number[];
  readonly counted: boolean;
}

/** What a view's tokens are counted with. */
export interface ViewCounting {
  readonly table: TokenTable;
  readonly edits: EditReader;
  readonly counter: EditCounter;
}

/** A view that was counted to the end. */
export interface CountedView {
  readonly view: View;
  readonly byCategory: readonly number[];
}

/**
 * Sums a view's tokens: runs of untouched messages by prefix sums, edits one by one, beyond the allowance estimated. `like` =
 * one that holds mostly the same items, under the same raw counts: then only what differs is looked at.
 */
export function viewTokens(
  view: View,
  counting: ViewCounting,
  allowance: Allowance,
  like: CountedView | null = null,
): ViewTokens {
  const byCategory = like === null ? null : byDifference(view, like, counting, allowance);
  if (byCategory !== null) return { byCategory, counted: true };
  const sum = new ViewSum(view, counting);
  if (!sum.resume(allowance, false)) sum.resume(allowance, true);
  return sum.tokens;
}

/**
 * As viewTokens, in pieces: yields where the allowance is spent. Filled up again, what follows is counted, so that no edit
 * is read twice however many there are; otherwise the rest is estimated.
 */
export function* viewTokenSteps(
  view: View,
  counting: ViewCounting,
  allowance: Allowance,
): Generator<void, ViewTokens, void> {
  const sum = new ViewSum(view, counting);
  let isSpent = false;
  while (!sum.resume(allowance, isSpent)) {
    yield;
    isSpent = allowance.chars <= 0;
  }
  return sum.tokens;
}

class ViewSum {
  readonly #view: View;
  readonly #counting: ViewCounting;
  readonly #sums = new Float64Array(SLOTS);
  #counted = true;
  #at = 0;
  /** The untouched messages that are not summed yet. */
  #from = 0;
  #to = 0;

  constructor(view: View, counting: ViewCounting) {
    this.#view = view;
    this.#counting = counting;
  }

  get tokens(): ViewTokens {
    return { byCategory: [...this.#sums], counted: this.#counted };
  }

  /** Continues to the end; false = the allowance is spent before it. `isSpent`: what is left is estimated then. */
  resume(allowance: Allowance, isSpent: boolean): boolean {
    const { items } = this.#view;
    const { table, edits, counter } = this.#counting;
    const sums = this.#sums;
    let [from, to] = [this.#from, this.#to];
    for (let at = this.#at; at < items.length; at++) {
      const item = items[at]!;
      if (item.text === undefined && item.kind === 'source' && item.unrendered !== true) {
        if (item.index !== to) {
          table.addRange(sums, from, to);
          from = item.index;
        }
        to = item.index + 1;
        continue;
      }
      if (isUnrendered(item)) continue;
      const isOver = !isSpent && allowance.chars <= 0;
      const own = isOver ? null : counter.tokens(edits.ofItem(item), allowance);
      // Of several parts some may have spent it: the others continue with what was filled up.
      if (own === null || (!own.counted && !isSpent && allowance.chars <= 0)) {
        [this.#at, this.#from, this.#to] = [at, from, to];
        return false;
      }
      if (!own.counted) this.#counted = false;
      for (let slot = 0; slot < SLOTS; slot++) sums[slot]! += own.byCategory[slot] ?? 0;
    }
    table.addRange(sums, from, to);
    return true;
  }
}

/** Where more than a quarter differs a sum from nothing is as quick. */
const MOST_DIFFERENT = 4;

// Whatever items are paired, all that the one holds and the other does not is taken off or added. Null = too much is
// different, or something of it is not counted.
function byDifference(
  view: View,
  like: CountedView,
  counting: ViewCounting,
  allowance: Allowance,
): readonly number[] | null {
  const [before, now] = [like.view.items, view.items];
  const sums = Float64Array.from(like.byCategory);
  let left = Math.ceil(now.length / MOST_DIFFERENT);
  let [at, old] = [0, 0];
  while (at < now.length || old < before.length) {
    const gained = now[at];
    const lost = before[old];
    if (gained === lost) {
      at++;
      old++;
      continue;
    }
    if (left-- === 0) return null;
    const way = sideOf(lost, gained);
    if (way <= 0) {
      if (!addItem(sums, lost!, -1, counting, allowance)) return null;
      old++;
    }
    if (way >= 0) {
      if (!addItem(sums, gained!, 1, counting, allowance)) return null;
      at++;
    }
  }
  return [...sums];
}

// Which of two items to go past: -1 the lost one, 1 the gained one, 0 both.
function sideOf(lost: ViewItem | undefined, gained: ViewItem | undefined): -1 | 0 | 1 {
  if (gained === undefined) return -1;
  if (lost === undefined) return 1;
  if (lost.kind !== 'source') return -1;
  if (gained.kind !== 'source') return 1;
  return lost.index < gained.index ? -1 : lost.index > gained.index ? 1 : 0;
}

function addItem(
  sums: Float64Array,
  item: ViewItem,
  sign: 1 | -1,
  { table, edits, counter }: ViewCounting,
  allowance: Allowance,
): boolean {
  if (isUnrendered(item)) return true;
  if (item.kind === 'source' && item.text === undefined) {
    if (sign === 1) table.addRange(sums, item.index, item.index + 1);
    else table.addRange(sums, item.index + 1, item.index);
    return true;
  }
  const { byCategory, counted } = counter.tokens(edits.ofItem(item), allowance);
  for (let slot = 0; slot < SLOTS; slot++) sums[slot]! += sign * (byCategory[slot] ?? 0);
  return counted;
}
