// What is in the place of messages may leave the view itself: a window drops the summary that an earlier stage put
// there. The messages it stood for then have nothing left, and their fates say so.
import type { Fate, SyntheticItem, View } from '../view/types.ts';
import type { StageStep } from './project.ts';

/** Adds to the fates of messages whose stand-in a stage took out, or covered with another. */
export function reportLostReplacements({ stage, before, output }: StageStep, fates: Fate[]): void {
  // Hygiene merges what follows each other: the words stay.
  if (output.view === before || stage.traits.repairs === true) return;
  const stood = replacementsIn(before);
  if (stood.length === 0) return;
  const now = replacementsIn(output.view);
  for (const item of stood) {
    const holder = now.find(({ covers }) => covers.from <= item.covers.from && covers.to >= item.covers.to);
    if (holder === undefined) explainLost(item, fates, `its replacement was removed by ${stage.title}`);
    else if (holder.stage === stage.position) explainLost(item, fates, `${stage.title} put another in place of that`);
  }
}

function replacementsIn({ items }: View): readonly SyntheticItem[] {
  return items.filter((item): item is SyntheticItem => item.kind === 'synthetic' && item.covers.to > item.covers.from);
}

function explainLost({ covers }: SyntheticItem, fates: Fate[], words: string): void {
  const explained = new Map<Fate, Fate>();
  for (let index = covers.from; index < covers.to; index++) {
    const fate = fates[index];
    if (fate === undefined || (fate.kind !== 'summarised' && fate.kind !== 'merged')) continue;
    const made = explained.get(fate) ?? { ...fate, reason: `${fate.reason}; then: ${words}` };
    explained.set(fate, made);
    fates[index] = made;
  }
}
