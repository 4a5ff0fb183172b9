// The uses of a session under a policy by the messages they have to do with: a click on a message asks for its few, not for
// all. Grows with a walk along the call points, a use at a time.
import { PagedLists } from '../../util/pagedLists.ts';
import { UsesSummer, wasMissing } from './summary.ts';
import type { SessionUses, Use } from './types.ts';

/** Uses in the order of the session. */
export class UsesIndex {
  readonly #all: Use[] = [];
  /** By message: the numbers of its uses, and of those that rely on it. */
  readonly #byUser = new PagedLists();
  readonly #bySource = new PagedLists();
  readonly #summer = new UsesSummer();
  readonly #gone: { readonly at: number; uses: number }[] = [];

  /** Uses that are all known. */
  static of(uses: readonly Use[]): UsesIndex {
    const made = new UsesIndex();
    for (const use of uses) made.add(use);
    return made;
  }

  /** The next use. */
  add(use: Use): void {
    const nth = this.#all.push(use) - 1;
    this.#byUser.push(use.at, nth);
    const { sources } = use;
    for (const [at, { index }] of sources.entries()) {
      if (sources.findIndex((source) => source.index === index) === at) this.#bySource.push(index, nth);
    }
    this.#summer.add(use);
    if (!wasMissing(use)) return;
    const last = this.#gone.at(-1);
    if (last?.at === use.at) last.uses++;
    else this.#gone.push({ at: use.at, uses: 1 });
  }

  get all(): readonly Use[] {
    return this.#all;
  }

  /** Those of a message, and those that rely on it. */
  about(index: number): readonly Use[] {
    const numbers = new Set([...this.#byUser.of(index), ...this.#bySource.of(index)]);
    return [...numbers].sort((a, b) => a - b).flatMap((nth) => this.#all[nth] ?? []);
  }

  /** What they come to, and where something gone was used. */
  get figures(): SessionUses {
    return { summary: this.#summer.summary, gone: this.#gone };
  }
}
