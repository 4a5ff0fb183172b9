// The fates of messages, made when they are asked for.
import { keptBecause, NOT_CONCERNED } from '../../../view/fates.ts';
import type { Fate, StageContext } from '../../../view/types.ts';
import { describeChanges, fateOf } from '../fates.ts';
import type { Change } from '../types.ts';

/** Makes the fates of messages. A change that is the same as in the last run makes the same fate. */
export class FateMaker {
  readonly #stage: number;
  readonly #known: WeakMap<Change, Fate>;

  constructor({ stage, memo }: Pick<StageContext, 'stage' | 'memo'>) {
    this.#stage = stage;
    this.#known = memo.get(`hygiene.fates ${stage}`, () => new WeakMap<Change, Fate>());
  }

  /** The fate of a message that stays as it is, with results put in behind it. */
  besideFate(added: readonly Change[]): Fate {
    const [first] = added;
    const known = first === undefined ? undefined : this.#known.get(first);
    if (known !== undefined) return known;
    const fate = keptBecause(this.#stage, first?.rule ?? NOT_CONCERNED, `kept: ${describeChanges(added)}`);
    if (first !== undefined) this.#known.set(first, fate);
    return fate;
  }

  /** The fate of a message with these changes, in order; `stands` = it is in the view after them. */
  fateOf(changes: readonly Change[], stands: boolean): Fate {
    const [change] = changes;
    const isOne = changes.length === 1 && stands && change?.kind === 'rewritten';
    if (!isOne || change === undefined) return fateOf(changes, stands, this.#stage);
    const fate = this.#known.get(change) ?? fateOf(changes, stands, this.#stage);
    this.#known.set(change, fate);
    return fate;
  }
}
