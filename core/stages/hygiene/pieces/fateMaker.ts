// The fates of messages, made when they are asked for.
import type { Fate, StageContext } from '../../../view/types.ts';
import { fateOf } from '../fates.ts';
import type { Change } from '../types.ts';
import { changesByIndex, presence } from './output.ts';
import type { Segment } from './segments.ts';

/** Makes the fates of messages. A change that is the same as in the last run makes the same fate. */
export class FateMaker {
  readonly #stage: number;
  readonly #known: WeakMap<Change, Fate>;

  constructor({ stage, memo }: Pick<StageContext, 'stage' | 'memo'>) {
    this.#stage = stage;
    this.#known = memo.get(`hygiene.fates ${stage}`, () => new WeakMap<Change, Fate>());
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

  /** The fates of all messages of these pieces that have changes. */
  ofAll(pieces: Iterable<Segment>): ReadonlyMap<number, Fate> {
    const fates = new Map<number, Fate>();
    let last: { readonly change: Change; readonly fate: Fate } | null = null;
    for (const piece of pieces) {
      const stands = presence(piece);
      for (const [index, changes] of changesByIndex(piece)) {
        const [change] = changes;
        if (changes.length > 1 || change === undefined || stands(index)) {
          fates.set(index, this.fateOf(changes, stands(index)));
          continue;
        }
        // Of a row of messages with the same sentence (a limit cut them off) one fate is enough.
        const isAlike: boolean = last !== null && isSameWords(last.change, change);
        const fate: Fate = isAlike && last !== null ? last.fate : this.fateOf(changes, false);
        last = { change, fate };
        fates.set(index, fate);
      }
    }
    return fates;
  }
}

function isSameWords(a: Change, b: Change): boolean {
  const isSame = a.rule === b.rule && a.kind === b.kind && a.objection === b.objection && a.done === b.done;
  return isSame && a.chip === b.chip && a.because === b.because;
}
