// What is in the place of messages may leave the view itself: a window drops the summary that an earlier stage put
// there. The messages it stood for then have nothing left, and their fates say so.
import type { Fate, SyntheticItem, View } from '../view/types.ts';
import type { StageStep } from './project.ts';

/** Messages whose stand-in a stage took out, or covered with another; in words. */
export interface LostReplacement {
  readonly covers: { readonly from: number; readonly to: number };
  readonly words: string;
}

const NONE: readonly LostReplacement[] = [];

/** The stand-ins that a stage took out, or covered with others. */
export function lostReplacements({ stage, before, output }: StageStep): readonly LostReplacement[] {
  // Hygiene merges what follows each other: the words stay.
  if (output.view === before || stage.traits.repairs === true) return NONE;
  const stood = replacementsIn(before);
  if (stood.length === 0) return NONE;
  const now = replacementsIn(output.view);
  return stood.flatMap(({ covers }): LostReplacement[] => {
    const holder = now.find((other) => other.covers.from <= covers.from && other.covers.to >= covers.to);
    if (holder === undefined) return [{ covers, words: `its replacement was removed by ${stage.title}` }];
    if (holder.stage !== stage.position) return [];
    return [{ covers, words: `${stage.title} put another in place of that` }];
  });
}

function replacementsIn({ items }: View): readonly SyntheticItem[] {
  return items.filter((item): item is SyntheticItem => item.kind === 'synthetic' && item.covers.to > item.covers.from);
}

/** Adds to the fates of messages that have nothing left: the same fate for those that had the same. */
export class LostExplainer {
  readonly #lost: LostReplacement;
  readonly #explained = new Map<Fate, Fate>();

  constructor(lost: LostReplacement) {
    this.#lost = lost;
  }

  /** The fate of a message behind the loss. */
  explain(index: number, fate: Fate): Fate {
    const { covers, words } = this.#lost;
    if (index < covers.from || index >= covers.to) return fate;
    if (fate.kind !== 'summarised' && fate.kind !== 'merged') return fate;
    const made = this.#explained.get(fate) ?? { ...fate, reason: `${fate.reason}; then: ${words}` };
    this.#explained.set(fate, made);
    return made;
  }
}
