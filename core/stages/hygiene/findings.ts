// What rules found out under the same options, kept from run to run: an edit that leaves calls and results as they are
// leaves their ids and pairs too.
import type { Draft, NewId } from './draft.ts';
import { findPairs, haveSamePairs, type Pairs } from './pairs.ts';

/** The last list that the rule of ids has looked at, and the new ids by message and part. */
export interface LastIds {
  readonly messages: readonly Draft[];
  readonly renamed: ReadonlyMap<number, readonly NewId[]>;
}

/** A piece of a view has fewer messages: to find its pairs takes no longer than to compare them. */
const FEW = 200;
/** Before calls and results are repaired, and after. */
const LISTS_KEPT = 2;

/** Kept in the memo, one for each set of options; what was said of single messages is found again by its identity. */
export class Findings {
  ids: LastIds | null = null;
  /** The last lists in which every call had its result, by the rule that looked. */
  readonly whole: { pairing: readonly Draft[] | null; pairing_again: readonly Draft[] | null } = {
    pairing: null,
    pairing_again: null,
  };
  // Of a list that several rules leave as it is, the pairs are the same.
  readonly #pairs = new WeakMap<readonly Draft[], Pairs>();
  /** The last lists, the latest first. */
  #last: readonly (readonly Draft[])[] = [];
  #compared: { readonly a: readonly Draft[]; readonly b: readonly Draft[]; readonly isSame: boolean } | null = null;

  /** The pairs of a list. Many messages only: those of a list with the same calls and results are the same. */
  pairsOf(messages: readonly Draft[]): Pairs {
    const known = this.#pairs.get(messages);
    if (known !== undefined) return known;
    const pairs = (messages.length < FEW ? null : this.#alike(messages)) ?? findPairs(messages);
    this.#pairs.set(messages, pairs);
    if (messages.length >= FEW) this.#last = [messages, ...this.#last].slice(0, LISTS_KEPT);
    return pairs;
  }

  #alike(messages: readonly Draft[]): Pairs | null {
    for (const list of this.#last) {
      const pairs = this.#pairs.get(list);
      if (pairs !== undefined && !dependsOnWords(pairs) && this.haveSamePairs(list, messages)) return pairs;
    }
    return null;
  }

  /** As the function of that name; several rules ask it of the same two lists. */
  haveSamePairs(a: readonly Draft[], b: readonly Draft[]): boolean {
    if (this.#compared?.a === a && this.#compared.b === b) return this.#compared.isSame;
    const isSame = haveSamePairs(a, b);
    this.#compared = { a, b, isSame };
    return isSame;
  }
}

// Of two results of one call the one that somebody gave counts, and that is read in its words.
function dependsOnWords({ results }: Pairs): boolean {
  return results.some(({ duplicateOf }) => duplicateOf !== null);
}
